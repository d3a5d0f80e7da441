"""`tracefoundry eval` end to end: planted models, given answers, interruption, and bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_line import Command
from planted_evaluation import WRONG, KnowsAll, knows_all, right_reply

from trainer.errors import ModelError
from trainer.evaluation.benchmarks import load_benchmark
from trainer.evaluation.generation import Sampling
from trainer.evaluation.pairs import rank_pairs, read_pairs
from trainer.evaluation.progress import Progress
from trainer.evaluation.records import Task
from trainer.evaluation.rows import read_rows
from trainer.evaluation.run import Plan, describe, evaluate
from trainer.evaluation.sets import Chosen, choose_sets

DATA = Path(__file__).parents[1] / "data"
CRUXEVAL = str(DATA / "cruxeval" / "every_20th.jsonl")
HUMANEVAL = str(DATA / "humaneval" / "sample.jsonl.gz")
GREEDY = Sampling("greedy", 1, 0.0, 100, 0)
SAMPLED = Sampling("sampled", 8, 0.8, 100, 0)


@cache
def tasks_of(name: str, *places: str) -> tuple[Task, ...]:
    return load_benchmark(name, [row for p in places for row in read_rows(p, None, "test")]).tasks


def run(out: Path, model: Any, *samplings: Sampling, limit: int | None = None) -> dict[str, Any]:
    plan = Plan((Chosen("cruxeval", (CRUXEVAL,)),), samplings, limit)
    done = evaluate(plan, model, out, Progress(lambda line: None))
    return describe(model.name, plan, True, done)  # type: ignore[no-any-return]


def results(report: Mapping[str, Any], **wanted: Any) -> list[dict[str, Any]]:
    return [
        result
        for result in report["benchmarks"][0]["results"]
        if all(result[name] == value for name, value in wanted.items())
    ]


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_model_that_knows_all_and_one_that_knows_nothing(tmp_path: Path) -> None:
    tasks = tasks_of("cruxeval", CRUXEVAL)
    report = run(tmp_path / "all", knows_all(tasks, 1.0), GREEDY)
    assert [result["value"] for result in results(report)] == [1.0, 1.0, 1.0]
    assert [result["kind"] for result in results(report)] == ["all", "output", "input"]
    (output,) = results(report, kind="output")
    assert (output["questions"], output["low"] < 1.0, output["high"]) == (40, True, 1.0)
    assert output["reasoning_tokens"] == len("I know it well.")
    report = run(tmp_path / "none", knows_all(tasks, 0.0), GREEDY)
    assert [result["value"] for result in results(report)] == [0.0, 0.0, 0.0]


def test_a_model_that_is_right_three_times_in_ten(tmp_path: Path) -> None:
    tasks = tasks_of("cruxeval", CRUXEVAL)
    report = run(tmp_path / "some", knows_all(tasks, 0.3), SAMPLED)
    for k in (1, 5):
        (found,) = results(report, kind="all", k=k)
        assert found["low"] <= 1 - 0.7**k <= found["high"]
        assert found["high"] - found["low"] < 0.2
    replies = lines_of(tmp_path / "some" / "replies.jsonl")
    assert len(replies) == 8 * len(tasks)
    right = [each["verdicts"][0]["status"] == "correct" for each in replies]
    (first,) = results(report, kind="all", k=1)
    assert first["value"] == pytest.approx(sum(right) / len(right), abs=1e-6)


def test_code_by_a_planted_model(tmp_path: Path) -> None:
    solutions = {
        row["task_id"]: row["prompt"] + row["canonical_solution"]
        for row in read_rows(HUMANEVAL, None, "test")
    }
    model = knows_all(tasks_of("humaneval", HUMANEVAL), 1.0, solutions)
    plan = Plan((Chosen("humaneval", (HUMANEVAL,)),), (GREEDY,))
    done = evaluate(plan, model, tmp_path / "out", Progress(lambda line: None))
    assert [(each.kind, each.value, each.questions) for each in done[0].results] == [
        ("code", 1.0, 8)
    ]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six programs, one of each level of the paper, all in the split `test`."""
    from factory.grid import PAPER_LEVELS
    from factory.pipeline import build
    from factory.progress import SilentProgress
    from factory.recipe import load_recipe
    from factory.recipe_records import Grid, Inputs, Shares

    recipe = replace(
        load_recipe("tiny"),
        grid=Grid(levels=PAPER_LEVELS, types=("str", "list")),
        inputs=Inputs(1),
        splits=Shares(0.0, 0.0, 1.0),
        programs=6,
    )
    folder = tmp_path_factory.mktemp("evaluation") / "data"
    build(recipe, folder, workers=1, progress=SilentProgress())
    return folder


def test_the_questions_of_a_dataset_by_kind_and_level(dataset: Path, tmp_path: Path) -> None:
    rows = list(read_rows(str(dataset), "stage1", "test"))
    tasks = load_benchmark("questions", rows).tasks
    plan = Plan((Chosen("questions", (str(dataset),)),), (GREEDY,))
    model = knows_all(tasks, 1.0)
    done = evaluate(plan, model, tmp_path / "out", Progress(lambda line: None))
    assert all(result.value == 1.0 for result in done[0].results)
    kinds = {result.kind for result in done[0].results if result.level is None}
    assert {"all", "output", "input", "next_statement", "variable_state"} <= kinds
    levels = [r.level for r in done[0].results if r.kind == "output" and r.level is not None]
    assert levels == sorted(levels, key=int)
    assert len(levels) > 1
    assert done[0].questions == sum(len(row["kinds"]) for row in rows)


class Breaks(KnowsAll):
    """Fails after some prompts."""

    def __init__(self, whole: KnowsAll, after: int) -> None:
        super().__init__(whole.replies, whole.share)
        self.left = after

    def complete(self, prompts: Any, **how: Any) -> list[list[str]]:
        self.left -= len(prompts)
        if self.left < 0:
            raise RuntimeError("out of memory\nin a long way")
        return super().complete(prompts, **how)


def test_what_was_answered_before_a_failure_is_not_asked_again(tmp_path: Path) -> None:
    model = knows_all(tasks_of("cruxeval", CRUXEVAL), 0.3)
    whole = run(tmp_path / "whole", model, GREEDY, SAMPLED)
    with pytest.raises(ModelError, match="failed: out of memory; the replies it gave are kept"):
        run(tmp_path / "broken", Breaks(model, 70), GREEDY, SAMPLED)
    kept = tmp_path / "broken" / "completions.jsonl"
    assert kept.read_bytes().count(b"\n") == 64
    with kept.open("ab") as file:
        file.write(b'{"key": "half a li')
    again = knows_all(tasks_of("cruxeval", CRUXEVAL), 0.3)
    assert run(tmp_path / "broken", again, GREEDY, SAMPLED) == whole
    assert again.asked == model.asked - 64
    for name in ("prompts.jsonl", "replies.jsonl", "completions.jsonl"):
        assert (tmp_path / "broken" / name).read_bytes() == (
            tmp_path / "whole" / name
        ).read_bytes(), name


BACKEND = """
import json, time
from pathlib import Path
from planted_evaluation import KnowsAll

def load(model, revision, *, pause=0.0):
    known = KnowsAll(json.loads(Path(model).read_text()), 0.5)
    answer = known.complete
    def complete(prompts, **how):
        time.sleep(pause)
        return answer(prompts, **how)
    known.complete = complete
    return known
"""


def test_a_killed_command_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """The backend comes from a package of somebody else, found by its entry point."""
    site = tmp_path / "site"
    info = site / "planted-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "planted_backend.py").write_text(BACKEND)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tracefoundry.models]\nplanted = planted_backend:load\n"
    )
    model = knows_all(tasks_of("cruxeval", CRUXEVAL), 0.5)
    (tmp_path / "model.json").write_text(json.dumps(model.replies))
    paths = [str(site), str(DATA.parent), *sys.path]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}

    def command(out: str, pause: float) -> list[str]:
        return [
            *(sys.executable, "-m", "factory", "eval", "--backend", "planted"),
            *("--model", str(tmp_path / "model.json"), "--set", f"pause={pause}"),
            *("--data", f"cruxeval={CRUXEVAL}", "--out", str(tmp_path / out), "--samples", "2"),
        ]

    def whole(out: str) -> str:
        done = subprocess.run(
            command(out, 0.0), capture_output=True, text=True, env=environment, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    printed = whole("whole")
    kept = tmp_path / "killed" / "completions.jsonl"
    with subprocess.Popen(
        command("killed", 1.0),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=environment,
    ) as process:
        for _ in range(1_000):
            if (kept.exists() and kept.stat().st_size) or process.poll() is not None:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "killed" / "eval.json").exists()
    assert whole("killed") == printed
    for name in ("eval.json", "prompts.jsonl", "replies.jsonl", "completions.jsonl"):
        assert (tmp_path / "killed" / name).read_bytes() == (
            tmp_path / "whole" / name
        ).read_bytes(), name


def test_answers_that_were_made_elsewhere(tracefoundry: Command, tmp_path: Path) -> None:
    tasks = tasks_of("cruxeval", CRUXEVAL)
    lines = [{"id": task.id, "answer": right_reply(task)} for task in tasks[:70]]
    lines += [{"id": task.id, "answer": WRONG} for task in tasks[:70]]
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = ["eval", "--data", f"cruxeval={CRUXEVAL}", "--answers", file]
    done = tracefoundry(*arguments, "--out", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report == json.loads((tmp_path / "out" / "eval.json").read_text())
    (first,) = results(report, kind="all", k=1)
    assert first["value"] == pytest.approx(70 * 0.5 / len(tasks), abs=1e-6)
    (both,) = results(report, kind="all", k=2)
    assert (both["value"], both["questions"]) == (1.0, 70)
    assert report["model"].startswith("answers@")
    shown = tracefoundry(*arguments, "--out", tmp_path / "out")
    assert "cruxeval" in shown.stdout
    assert "95 % interval" in shown.stdout
    prompts = lines_of(tmp_path / "out" / "prompts.jsonl")
    assert [each["id"] for each in prompts] == [task.id for task in tasks]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "m"], "name a benchmark"),
        (["--data", "cruxevl=x", "--model", "m"], "did you mean 'cruxeval'?"),
        (["--benchmark", "other", "--model", "m"], "no benchmark of this name"),
        (["--data", "reval", "--model", "m"], "reval: say where it is"),
        (["--data", f"cruxeval={CRUXEVAL}"], "either --model or --answers"),
        (["--data", f"cruxeval={CRUXEVAL}", "--answers", "none.jsonl"], "no such file"),
        (["--data", "pairs=a.jsonl"], "give both or neither"),
        (["--data", "pairs=a.jsonl", "--model", "m"], "ranked by --reward-model alone"),
        (["--data", "pairs=a.jsonl", "--reward-model", "r"], "r: no reward model"),
        (["--data", "cruxeval=none.jsonl", "--answers", "a.jsonl"], "none.jsonl: no such file"),
        (["--data", f"humaneval={CRUXEVAL}", "--answers", "a.jsonl"], "can be used"),
        (["--data", f"cruxeval={CRUXEVAL}", "--answers", "a.jsonl"], "has an id of cruxeval"),
        (["--data", f"cruxeval={CRUXEVAL}", "--model", "m", "--backend", "x"], "--backend x"),
        (["--data", f"cruxeval={CRUXEVAL}", "--model", "m", "--no-greedy"], "asks for no reply"),
    ],
)
def test_bad_input_is_one_line(
    tracefoundry: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"id": "other", "answer": "x"}\n')
    done = tracefoundry("eval", *arguments, "--out", "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr.splitlines()[-1]


def test_a_folder_of_somebody_else_is_refused(tracefoundry: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = tracefoundry("eval", "--data", f"cruxeval={CRUXEVAL}", "--model", "m", "--out", tmp_path)
    assert done.returncode == 2
    assert "no evaluation of ours" in done.stderr


def test_which_benchmarks_are_meant(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    place = str(tmp_path / "data")
    assert choose_sets([], [place]) == (Chosen("questions", (place,)),)
    assert choose_sets(["cruxeval"], ["x.jsonl"]) == (Chosen("cruxeval", ("x.jsonl",)),)
    assert choose_sets([], ["reval=a", "cruxeval", "reval=b"]) == (
        Chosen("cruxeval", ("cruxeval-org/cruxeval",)),
        Chosen("reval", ("a", "b")),
    )


class ByLength:
    """Scores a reasoning by its length."""

    def score(self, prompts: Any, reasonings: Any) -> list[float]:
        return [float(len(text)) for text in reasonings]


def test_pairs_are_ranked_by_a_reward_model(dataset: Path, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"prompt": "p", "chosen": "<think>a long one</think>a", "rejected": "short"},
        {"prompt": "p", "chosen": "<think>same</think>a", "rejected": "same"},
        {"prompt": "p", "chosen": "a", "rejected": "longer", "dimension": "order"},
        {"prompt": "p", "chosen": "longest", "rejected": "mid", "dimension": "order"},
        {"prompt": "p", "chosen": "same", "rejected": "same"},
        {"prompt": "p", "chosen": "alone"},
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    read, bad = read_pairs([str(file)], None)
    assert [reason for _, reason in bad] == [
        "'chosen' and 'rejected' are the same",
        "no field 'rejected'; there is prompt, chosen",
    ]
    scorer: Any = ByLength()
    found = rank_pairs(["x"], read, bad, scorer)
    assert {each.kind: (each.value, each.questions) for each in found.results} == {
        "all": (0.5, 4),
        "order": (0.5, 2),
    }
    assert all(each.low < each.value < each.high for each in found.results)
    pairs, left_out = read_pairs([str(dataset)], None)
    assert pairs
    assert left_out == []
    assert len(rank_pairs(["x"], pairs, [], scorer).results) > 1
