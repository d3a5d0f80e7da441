"""Readers of benchmarks: published shapes in, tasks out; right is right, wrong is wrong."""

from __future__ import annotations

import base64
import io
import json
import os
import pickle
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from planted_evaluation import WRONG, right_reply

from trainer.errors import TrainingError
from trainer.evaluation.benchmarks import BENCHMARKS, load_benchmark
from trainer.evaluation.benchmarks.lcb_execution import arguments_in, with_imports
from trainer.evaluation.records import Judged, Loaded, QuestionKey
from trainer.evaluation.rows import read_rows
from trainer.evaluation.verdicts import Examiner, Reply

DATA = Path(__file__).parents[1] / "data"


def rows(*names: str) -> list[dict[str, Any]]:
    return [row for name in names for row in read_rows(str(DATA / name), None, "test")]


def judge(loaded: Loaded, replies: Iterable[str | None], runner: Any = "own") -> list[Judged]:
    with Examiner(runner) as examiner:
        pairs = [Reply(*pair) for pair in zip(loaded.tasks, replies, strict=True)]
        return examiner.judge(pairs, lambda done, total: None)


def statuses(judged: Iterable[Judged]) -> Counter[tuple[str, str]]:
    return Counter(
        (asked.kind, verdict.status)
        for each in judged
        for asked, verdict in zip(each.task.asked, each.verdicts, strict=True)
    )


def check(
    loaded: Loaded, kinds: Mapping[str, int], solutions: dict[str, str] | None = None
) -> None:
    """Right answers are right, a wrong one is wrong, and no answer is none."""
    right = statuses(judge(loaded, [right_reply(task, solutions) for task in loaded.tasks]))
    assert right == {(kind, "correct"): count for kind, count in kinds.items()}
    wrong = statuses(judge(loaded, [WRONG] * len(loaded.tasks)))
    assert not [status for status in wrong if status[1] in ("correct", "infrastructure")]
    none = statuses(judge(loaded, [None] * len(loaded.tasks)))
    assert none == {(kind, "no_answer"): count for kind, count in kinds.items()}


def test_every_benchmark_has_a_reader() -> None:
    for name in BENCHMARKS:
        assert load_benchmark(name, []) == Loaded((), ())


def test_cruxeval_asks_for_output_and_input() -> None:
    found = load_benchmark("cruxeval", [*rows("cruxeval/sample.jsonl"), {"id": "x", "code": "f"}])
    check(found, {"output": 10, "input": 10})
    assert found.left_out == (("x", "the key 'input' is missing or no text"),)
    other = found.tasks[1]
    assert isinstance(other.asked[0].key, QuestionKey)
    assert other.asked[0].key.question.key not in other.prompt[-1]["content"]


def test_a_stored_answer_that_is_not_so_here_is_left_out() -> None:
    row = rows("cruxeval/sample.jsonl")[0]
    found = load_benchmark("cruxeval", [{**row, "output": "'another'"}])
    assert found.tasks == ()
    assert "not what it returns here" in found.left_out[0][1]


def test_code_execution_of_livecodebench_brings_the_imports_that_are_meant() -> None:
    row = {
        "question_id": "2777",
        "id": "sample_3",
        "function_name": "count",
        "code": "def count(words: List[str]) -> int:\n    return max(Counter(words).values())\n",
        "input": "count(words = ['a', 'b', 'a'])",
        "output": "2",
        "difficulty": "easy",
    }
    found = load_benchmark("lcb-exec", [row, {**row, "id": "s4", "input": "other(3)"}])
    check(found, {"output": 1})
    assert found.left_out == (("2777", "'input' is no call of count"),)
    assert found.tasks[0].asked[0].level == "easy"
    assert "from typing import List\nfrom collections import Counter" in with_imports(row["code"])
    assert with_imports("import math\nx = math.pi\n") == "import math\nx = math.pi\n"
    assert arguments_in("f(1, k = [2])", "f") == "1, k=[2]"


def test_programs_with_libraries() -> None:
    row = {"id": "a", "code": "import math\n\ndef g(x):\n    return math.hypot(x, 4)\n"}
    row |= {"entry_point": "g", "input": "3"}
    missing = {"id": "b", "code": "import no_such_thing\n\ndef f(x):\n    return x", "input": "1"}
    found = load_benchmark("library-programs", [row, missing])
    check(found, {"output": 1})
    assert "ModuleNotFoundError" in found.left_out[0][1]


@pytest.mark.parametrize(
    ("names", "kinds"),
    [
        (["humaneval/sample.jsonl.gz"], {"coverage", "path", "state", "output"}),
        (["classeval/sample.json"], {"path", "state", "output"}),
    ],
)
def test_reval_is_derived_from_programs(names: list[str], kinds: set[str]) -> None:
    found = load_benchmark("reval", rows(*names))
    counts = Counter(task.asked[0].kind for task in found.tasks)
    assert kinds <= set(counts)
    check(found, counts)
    assert all(task.asked[0].group.startswith(("HumanEval/", "ClassEval_")) for task in found.tasks)
    ids = [task.id for task in found.tasks]
    assert len(ids) == len(set(ids))


def test_reval_asks_about_the_class_and_returns_what_the_test_looks_at() -> None:
    found = load_benchmark("reval", rows("classeval/sample.json"))
    by_id = {task.id: task for task in found.tasks}
    task = next(t for t in by_id.values() if "BookManagementTestViewInventory" in t.id)
    text = task.prompt[-1]["content"]
    assert "return bookManagement.inventory" in text
    for each in found.tasks:
        key = each.asked[0].key
        assert isinstance(key, QuestionKey)
        source = key.program.source if key.program else ""
        last = source[: source.index("def run_test")].count("\n")
        assert key.question.line is None or key.question.line <= last


def test_reval_reads_its_own_data_file_too() -> None:
    row = {"task_id": "DREval/0", "code": "def f(a, b):\n    if a:\n        b += 1\n    return b\n"}
    row |= {"entry_point": "f", "inputs": ["(1, 2,)", "(0, 2,)"]}  # type: ignore[dict-item]
    found = load_benchmark("reval", [row])
    assert Counter(task.asked[0].kind for task in found.tasks)["output"] == 2


def code_of(row: Mapping[str, Any]) -> str:
    if "canonical_solution" in row:
        return str(row.get("prompt", "")) + str(row["canonical_solution"])
    return str(row["code"])


@pytest.mark.parametrize(
    ("name", "file", "kinds"),
    [
        ("humaneval", "humaneval/sample.jsonl.gz", {"code": 8}),
        ("mbpp", "mbpp/sample.json", {"code": 6}),
        ("humaneval+", "evalplus/humaneval_mini.jsonl", {"base": 4, "plus": 4}),
        ("mbpp+", "evalplus/mbpp.jsonl", {"base": 4, "plus": 4}),
    ],
)
def test_code_is_tested(name: str, file: str, kinds: dict[str, int]) -> None:
    read = rows(file)
    solutions = {str(row["task_id"]): code_of(row) for row in read}
    check(load_benchmark(name, read), kinds, solutions)


@pytest.mark.parametrize(
    ("name", "file"),
    [("humaneval+", "evalplus/humaneval_mini.jsonl"), ("mbpp+", "evalplus/mbpp.jsonl")],
)
def test_evalplus_says_the_same(name: str, file: str) -> None:
    pytest.importorskip("evalplus", reason="evalplus is not installed")
    read = rows(file)
    loaded = load_benchmark(name, read)
    solutions = {str(row["task_id"]): code_of(row) for row in read}
    right = [right_reply(task, solutions) for task in loaded.tasks]
    wrong = [
        right_reply(task, {task.id: f"def {row['entry_point']}(*a):\n    return 41.5\n"})
        for task, row in zip(loaded.tasks, read, strict=True)
    ]
    for replies in (right, wrong):
        own = [each.verdicts for each in judge(loaded, replies)]
        theirs = [each.verdicts for each in judge(loaded, replies, "evalplus")]
        assert [[v.status for v in each] for each in own] == [
            [v.status for v in each] for each in theirs
        ]
        judges = [verdict.reason for each in theirs for verdict in each]
        assert sum("evalplus" in reason for reason in judges) >= 6


def lcb_row(**fields: Any) -> dict[str, Any]:
    public = [{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]
    return {
        "question_id": "abc301_a",
        "question_content": "Add two numbers.",
        "starter_code": "",
        "difficulty": "easy",
        "public_test_cases": json.dumps(public),
        "private_test_cases": json.dumps(public),
        "metadata": "{}",
    } | fields


def packed(content: Any) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(content))).decode()


def test_livecodebench_tests_what_is_printed() -> None:
    hidden = [{"input": "5 6\n", "output": "11\n", "testtype": "stdin"}]
    found = load_benchmark(
        "lcb-generation", [lcb_row(private_test_cases=packed(json.dumps(hidden)))]
    )
    check(found, {"code": 1}, {"abc301_a": "a, b = map(int, input().split())\nprint(a + b)"})
    guess = right_reply(found.tasks[0], {"abc301_a": "input()\nprint(3)"})
    assert statuses(judge(found, [guess])) == {("code", "incorrect"): 1}


def test_livecodebench_tests_methods_and_functions() -> None:
    cases = [{"input": "[1, 2]\n3", "output": "6", "testtype": "functional"}]
    row = lcb_row(
        question_id="2777",
        starter_code="class Solution:\n    def total(self, xs: List[int], k: int) -> int:\n",
        public_test_cases=json.dumps(cases),
        private_test_cases="",
        metadata=json.dumps({"func_name": "total"}),
    )
    found = load_benchmark("lcb-generation", [row])
    method = "class Solution:\n    def total(self, xs, k):\n        return sum(xs) + k\n"
    check(found, {"code": 1}, {"2777": method})
    function = right_reply(found.tasks[0], {"2777": "def total(xs, k):\n    return sum(xs) + k\n"})
    assert statuses(judge(found, [function])) == {("code", "correct"): 1}


class Bomb:
    def __reduce__(self) -> Any:
        return os.system, ("touch /tmp/never",)


@pytest.mark.parametrize(
    ("private", "reason"),
    [
        (packed(Bomb()), "it names posix.system"),
        (packed([1, 2]), "no packed text"),
        ("not base 64!", "can't be unpacked"),
    ],
)
def test_packed_tests_build_nothing_but_text(private: str, reason: str) -> None:
    found = load_benchmark("lcb-generation", [lcb_row(private_test_cases=private)])
    assert found.tasks == ()
    assert reason in found.left_out[0][1]


def test_bigcodebench_runs_its_cases_in_the_sandbox() -> None:
    row = {
        "task_id": "BigCodeBench/0",
        "complete_prompt": "import json\n\ndef task_func(text):\n    '''Count.'''\n",
        "canonical_solution": "    return len(json.loads(text))\n",
        "test": "import unittest\n\nclass TestCases(unittest.TestCase):\n"
        "    def test_one(self):\n        self.assertEqual(task_func('[1, 2]'), 2)\n"
        "    def test_two(self):\n        self.assertRaises(ValueError, task_func, '[')\n",
        "entry_point": "task_func",
    }
    needs = {**row, "task_id": "b", "canonical_solution": "    import no_such_library\n"}
    found = load_benchmark("bigcodebench", [row, needs])
    lazy = "def task_func(text):\n    return 2\n"
    replies = [f"```python\n{code}\n```" for code in (needs["canonical_solution"], lazy)]
    whole = row["complete_prompt"] + row["canonical_solution"]
    assert [
        judge(Loaded((found.tasks[0],), ()), [f"```python\n{code}\n```"])[0].verdicts[0].status
        for code in (whole, lazy)
    ] == ["correct", "incorrect"]
    unknown = judge(Loaded((found.tasks[1],), ()), [replies[1]])[0].verdicts[0]
    assert unknown.status == "infrastructure"
    assert "no_such_library" in unknown.reason


def test_other_languages_are_compared_as_text() -> None:
    code = "function f(x) {\n  return x + 1;\n}\nassert(f([1, 2]) == 3);\n"
    row = {
        "id": 0,
        "code": code,
        "input_reasoning": "assert(f(????) == 3);\n",
        "output_reasoing": "assert(f([1, 2]) == ????);\n",
        "language": "JavaScript",
    }
    found = load_benchmark("cruxeval-x", [row, {**row, "id": 1, "code": "f"}])
    check(found, {"output": 1, "input": 1})
    assert len(found.left_out) == 1
    assert "????" in found.tasks[0].prompt[-1]["content"]
    spaced = "<answer>[1,2]</answer>"
    assert statuses(judge(Loaded(found.tasks[1:], ()), [spaced])) == {("input", "correct"): 1}


def test_our_own_problems() -> None:
    row = {
        "problem_id": "p1",
        "level": 2,
        "prompt": [{"role": "user", "content": "Double it."}],
        "starter": "def f(x):\n",
        "entry_point": "f",
        "tests": json.dumps({"test_list": ["assert f(2) == 4", "assert f(0) == 0"]}),
    }
    found = load_benchmark("problems", [row, {**row, "problem_id": "p2", "tests": "{}"}])
    check(found, {"code": 1}, {"p1": "def f(x):\n    return 2 * x\n"})
    assert found.tasks[0].asked[0].level == "2"
    assert found.left_out[0][0] == "p2"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"a": 1}\n[2]\n', "a.jsonl:2: no JSON object"),
        ("a.jsonl", "{", "a.jsonl:1: no JSON"),
        ("a.json", "{}", "no JSON list of records"),
        ("a.json", "[1]", "record 1 is no JSON object"),
        ("a.txt", "", "not a file of .jsonl"),
        ("a.jsonl.gz", "plain", "can't be read"),
        ("a.parquet", "plain", "can't be read"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(TrainingError, match=message):
        list(read_rows(str(tmp_path / name), None, "test"))


def test_folders_and_parquet_are_read(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist([{"a": 1}, {"a": 2}]), tmp_path / "b.parquet")
    (tmp_path / "a.jsonl").write_text('{"a": 0}\n\n')
    assert [row["a"] for row in read_rows(str(tmp_path), None, "test")] == [0, 1, 2]
    (tmp_path / "empty").mkdir()
    with pytest.raises(TrainingError, match="holds no file"):
        list(read_rows(str(tmp_path / "empty"), None, "test"))
    with pytest.raises(TrainingError, match="no such file"):
        list(read_rows("nowhere.jsonl", None, "test"))


def test_the_pickle_reader_reads_text(tmp_path: Path) -> None:
    from trainer.evaluation.benchmarks.lcb_generation import _TextOnly

    assert _TextOnly(io.BytesIO(pickle.dumps("é"))).load() == "é"
