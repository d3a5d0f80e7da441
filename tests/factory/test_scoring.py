"""`tracefoundry score`: verdicts in input order, faults of lines counted, nothing hidden."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import built_dataset
import command_line
import pytest

from factory.load import read_rows
from factory.progress import SilentProgress
from factory.scoring import describe_score, score, verdict_lines

DATA = Path(__file__).parents[1] / "data"
KEYS = ["answers", "correct", "incorrect", "unparsed", "no_answer", "infrastructure", "accuracy"]


def write(path: Path, rows: Sequence[Any]) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def run(target: Path, answers: Path, workers: int = 1) -> list[dict[str, Any]]:
    report = score(target, answers, workers=workers, progress=SilentProgress())
    return [json.loads(line) for line in verdict_lines(report)]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_dataset.build_dataset(tmp_path_factory.mktemp("scored"))


def test_every_published_key_scores_full_marks(
    dataset: Path, tmp_path: Path, tracefoundry: command_line.Command
) -> None:
    questions = list(read_rows(dataset, "questions"))
    rows = [{"question_id": q["question_id"], "answer": q["key"]} for q in questions]
    answers, out = write(tmp_path / "a.jsonl", rows), tmp_path / "v.jsonl"
    done = tracefoundry(
        "score", dataset, "--answers", answers, "--out", out, "--json", "--min", "1"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["answers"], found["accuracy"]) == (len(questions), 1.0)
    assert set(found["by_kind"]) == {q["kind"] for q in questions}
    assert sum(part["answers"] for part in found["by_kind"].values()) == len(questions)
    for part in (found, *found["by_kind"].values(), *found["by_level"].values()):
        assert [key for key in part if key in KEYS] == KEYS
    verdicts = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["question_id"] for row in verdicts] == [q["question_id"] for q in questions]
    assert all(list(row) == ["question_id", "verdict", "reward", "reason"] for row in verdicts)
    assert all((row["verdict"], row["reward"]) == ("correct", 1.0) for row in verdicts)


def test_wrong_answers_to_a_dataset(
    dataset: Path, tmp_path: Path, tracefoundry: command_line.Command
) -> None:
    questions = list(read_rows(dataset, "questions"))
    rows: list[Any] = [
        {"question_id": questions[0]["question_id"], "answer": "[no literal"},
        {"question_id": "0123456789abcdef", "answer": "1"},
        {"question_id": questions[0]["question_id"], "answer": None},
        {"answer": "1"},
    ]
    answers = write(tmp_path / "a.jsonl", rows)
    done = tracefoundry("score", dataset, "--answers", answers, "--min", "0.5")
    assert done.returncode == 1
    assert f"{answers}:2: not scored:" in done.stderr
    assert f"{answers}:4: not scored: the key 'question_id' is missing" in done.stderr
    assert "error: the accuracy is 0.0000, below --min 0.5" in done.stderr
    assert "2 answers judged" in done.stdout
    assert "2 lines not scored" in done.stdout
    assert [row["verdict"] for row in run(dataset, answers)] == ["unparsed", "no_answer"]


TASKS = [
    {"id": "s0", "code": "def f(x):\n    return x * x", "input": "3", "output": "9", "level": 2},
    {
        "id": "s1",
        "code": "def g(s):\n    return s[::-1]",
        "entry_point": "g",
        "input": "'ab'",
        "output": '"ba"',
    },
    {
        "id": 7,
        "prompt": "from math import pi\n\ndef area(r):\n    '''Area.'''\n",
        "entry_point": "area",
        "test": "def check(candidate):\n    assert candidate(0) == 0\n"
        "    assert candidate(2) > 12\n",
    },
    {
        "task_id": 8,
        "prompt": "Write a function that doubles.",
        "code": "def twice(n):\n    return n * 2",
        "test_list": ["assert twice(2) == 4", "assert twice('a') == 'aa'"],
    },
    {"id": "bad", "code": "def f(x):\n    return x", "input": "1", "output": "<object>"},
    {"id": "worse", "entry_point": "f", "test": "def check(candidate):\n    pass\n"},
]
ANSWERS: list[tuple[Any, str | None, Any, str]] = [
    ("s0", "output", "assert f(3) == 9", "correct"),
    ("s0", "input", "f(-3)", "correct"),
    ("s0", "output", "9.0", "incorrect"),
    ("s1", "output", "'ba'", "correct"),
    ("s1", "input", "f('ab')", "unparsed"),
    ("s1", "input", "<think>a</think><answer>g(s='ab')</answer>", "correct"),
    ("s0", "output", "", "no_answer"),
    ("s0", "output", 9, "correct"),
    ("s0", "input", "assert True", "unparsed"),
    (7, "code", "    return pi * r * r\n", "correct"),
    ("7", "code", "```python\nreturn pi * r * r\n```", "correct"),
    (7, "code", "So:\n```python\ndef area(r):\n    return pi * r ** 2\n```\nDone.", "correct"),
    (7, None, "def area(r):\n    return 3 * r * r", "incorrect"),
    (7, "code", "def other(r):\n    return 0", "incorrect"),
    (7, "code", "here is how (", "unparsed"),
    (8, "code", "def twice(n):\n    return n + n", "correct"),
    (
        8,
        "code",
        "class A:\n    __eq__ = lambda s, o: True\ndef twice(n):\n    return A()",
        "incorrect",
    ),
    (8, "code", "import os\nos._exit(0)\ndef twice(n):\n    return 0", "incorrect"),
    (8, "code", None, "no_answer"),
    ("worse", "code", "def f(x):\n    return x", "infrastructure"),
]


def test_foreign_tasks_whatever_the_workers(tmp_path: Path) -> None:
    tasks = write(tmp_path / "tasks.jsonl", TASKS)
    rows = [
        {"id": name, "answer": answer} | ({} if task is None else {"task": task})
        for name, task, answer, _ in ANSWERS
    ]
    answers = write(tmp_path / "a.jsonl", rows)
    found = run(tasks, answers)
    assert [(row["id"], row["verdict"]) for row in found] == [(a[0], a[3]) for a in ANSWERS]
    rewards = {"correct": 1.0, "infrastructure": None}
    assert all(row["reward"] == rewards.get(row["verdict"], 0.0) for row in found)
    assert all(row["reason"] for row in found)
    again = run(tasks, answers, workers=3)
    assert again == found


def test_counts_keep_unparsed_and_infrastructure_apart(tmp_path: Path) -> None:
    tasks = write(tmp_path / "tasks.jsonl", TASKS)
    rows = [
        {"id": "s0", "task": "output", "answer": "9"},
        {"id": "s0", "task": "output", "answer": "f(3)"},
        {"id": "s1", "task": "output", "answer": "'ab'"},
        {"id": "worse", "task": "code", "answer": "def f(x):\n    return x"},
        {"id": "bad", "task": "output", "answer": "1"},
    ]
    answers = write(tmp_path / "a.jsonl", rows)
    report = score(tasks, answers, workers=1, progress=SilentProgress())
    found = describe_score(report)
    assert {key: found[key] for key in KEYS} == {
        "answers": 4,
        "correct": 1,
        "incorrect": 1,
        "unparsed": 1,
        "no_answer": 0,
        "infrastructure": 1,
        "accuracy": pytest.approx(1 / 3),
    }
    assert found["by_level"]["2"]["answers"] == 2
    assert found["by_kind"]["code"]["accuracy"] is None
    reasons = {line["where"]: line["reason"] for line in found["bad_lines"]}
    assert list(reasons) == [f"{tasks}:5", f"{answers}:5"]
    assert "'output' is no literal" in reasons[f"{tasks}:5"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", "not_json"),
        ("[1]", "not_an_object"),
        ('{"id": "s0", "task": "output"}', "the key 'answer' is missing"),
        ('{"id": [], "task": "output", "answer": "1"}', "'id' is neither"),
        ('{"id": "s0", "task": 3, "answer": "1"}', "'task' is no text"),
        ('{"id": "s0", "answer": "9"}', "'task' must be output or input"),
        ('{"id": "s0", "task": "code", "answer": "9"}', "'task' must be output or input"),
        ('{"id": "s9", "task": "output", "answer": "9"}', "has no task 's9'"),
    ],
)
def test_a_bad_line_is_named_and_alone_it_is_an_error(
    tmp_path: Path, tracefoundry: command_line.Command, line: str, reason: str
) -> None:
    tasks = write(tmp_path / "tasks.jsonl", TASKS[:1])
    good = {"id": "s0", "task": "output", "answer": "9"}
    answers = write(tmp_path / "a.jsonl", [good, line])
    done = tracefoundry("score", tasks, "--answers", answers)
    assert done.returncode == 0
    (noted,) = [text for text in done.stderr.splitlines() if "not scored" in text]
    assert noted.startswith(f"{answers}:2: not scored: ")
    assert reason in noted
    done = tracefoundry("score", tasks, "--answers", write(tmp_path / "b.jsonl", [line]))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"code": "def f(x): return x", "input": "1", "output": "1"}, "'id' is missing"),
        ({"id": "a", "input": "1", "output": "1"}, "'code' is missing"),
        ({"id": "a", "code": "", "input": "1)", "output": "1"}, "'input' is not what stands"),
        ({"id": "a", "code": "", "input": "1", "output": "f(1)"}, "'output' is no literal"),
        ({"id": "a", "code": "", "input": "", "output": "1", "entry_point": "f()"}, "entry_point"),
        ({"id": "a", "prompt": "x"}, "neither 'input' and 'output' nor one of"),
        ("nonsense", "not_json"),
    ],
)
def test_files_without_a_task(
    tmp_path: Path, tracefoundry: command_line.Command, record: Any, reason: str
) -> None:
    tasks = write(tmp_path / "tasks.jsonl", [record])
    answers = write(tmp_path / "a.jsonl", [{"id": "a", "task": "output", "answer": "1"}])
    done = tracefoundry("score", tasks, "--answers", answers)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{tasks}:1" in done.stderr
    assert reason in done.stderr


def test_files_that_are_not_there(tmp_path: Path, tracefoundry: command_line.Command) -> None:
    tasks = write(tmp_path / "tasks.jsonl", TASKS[:1])
    for target, answers in (
        (tmp_path / "none", tasks),
        (tasks, tmp_path / "none.jsonl"),
        (tmp_path, tasks),
        (tasks, write(tmp_path / "a.txt", [])),
    ):
        done = tracefoundry("score", target, "--answers", answers)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1


def test_published_files_as_they_are(tmp_path: Path) -> None:
    with gzip.open(DATA / "humaneval" / "sample.jsonl.gz", "rt") as file:
        humaneval = [json.loads(line) for line in file][:4]
    mbpp = json.loads((DATA / "mbpp" / "sample.json").read_text())[:4]
    cruxeval = [
        json.loads(line) for line in (DATA / "cruxeval" / "sample.jsonl").read_text().splitlines()
    ]
    tasks = write(tmp_path / "tasks.jsonl", [*humaneval, *mbpp, *cruxeval])
    rows = [{"id": r["task_id"], "answer": r["canonical_solution"]} for r in humaneval]
    rows += [{"id": r["task_id"], "answer": r["code"]} for r in mbpp]
    for record in cruxeval:
        rows.append({"id": record["id"], "task": "output", "answer": record["output"]})
        rows.append({"id": record["id"], "task": "input", "answer": record["input"]})
    found = run(tasks, write(tmp_path / "a.jsonl", rows))
    assert {row["verdict"] for row in found} == {"correct"}, found
