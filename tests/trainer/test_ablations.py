"""Recipes side by side: read from the folders of their runs."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import Command


def finish(folder: Path, logs: list[dict[str, float]], **facts: object) -> None:
    folder.mkdir()
    (folder / "trainer_state.json").write_text(json.dumps({"log_history": logs}))
    (folder / "finished.json").write_text(json.dumps({"steps": len(logs)} | facts))


def test_finished_recipes_are_compared(tracefoundry: Command, tmp_path: Path) -> None:
    empty = tracefoundry("ablations", tmp_path)
    assert empty.returncode == 2
    assert "no recipe is finished there" in empty.stderr

    finish(tmp_path / "sft", [])
    climb = [{"step": k, "stage1/io": k / 20, "stage1/white": 1.0} for k in range(20)]
    finish(tmp_path / "stage1", climb)
    accuracy = {"test": {"all": {"pairs": 8, "accuracy": 0.875}}}
    finish(tmp_path / "reward", [], pair_accuracy=accuracy)
    finish(
        tmp_path / "stage2-ungated", [{"step": 1, "stage2/outcome": 0.5, "stage2/process": 0.25}]
    )
    done = tracefoundry("ablations", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    white_box, ungated = json.loads(done.stdout)
    assert white_box["recipe"] == "white_box"
    assert (white_box["I io"], white_box["pairs"], white_box["II outcome"]) == (0.925, None, None)
    assert ungated["recipe"] == "ungated"
    assert [ungated[name] for name in ("I io", "I white", "pairs", "II outcome", "II process")] == [
        0.925,
        1.0,
        0.875,
        0.5,
        0.25,
    ]
    table = tracefoundry("ablations", tmp_path).stdout.splitlines()
    assert table[0].split() == "recipe I io I white pairs II outcome II process".split()
    assert table[1].split() == ["white_box", "0.925", "1.000"]
    assert table[2].split() == ["ungated", "0.925", "1.000", "0.875", "0.500", "0.250"]


def test_what_eval_measured_of_the_last_stage_stands_beside_it(
    tracefoundry: Command, tmp_path: Path
) -> None:
    def line(kind: str, value: float, level: str | None = None) -> dict[str, object]:
        shared = {"mode": "sampled", "k": 1, "questions": 9, "low": 0.0, "high": 1.0}
        return {"kind": kind, "level": level, "value": value, **shared}

    for folder in ("sft", "stage1", "stage1-io_only"):
        finish(tmp_path / folder, [])
    (tmp_path / "stage1" / "eval").mkdir()
    evaluated = tmp_path / "stage1" / "eval" / "eval.json"
    questions = [line("all", 0.75), line("output", 0.5), line("output", 0.25, level="1")]
    benchmarks = [
        {"name": "questions", "results": questions},
        {"name": "problems", "results": [line("code", 0.125)]},
    ]
    evaluated.write_text(json.dumps({"benchmarks": benchmarks}))
    io_only, white_box = json.loads(tracefoundry("ablations", tmp_path, "--json").stdout)
    assert (io_only["recipe"], white_box["recipe"]) == ("io_only", "white_box")
    assert white_box["questions, pass@1, sampled"] == 0.75
    assert white_box["problems, pass@1, sampled"] == 0.125
    assert io_only["questions, pass@1, sampled"] is None
    table = tracefoundry("ablations", tmp_path).stdout.splitlines()
    assert table[-1].split() == ["white_box", "0.750", "0.125"]

    evaluated.write_text("{}")
    broken = tracefoundry("ablations", tmp_path)
    assert broken.returncode == 2
    assert f"{evaluated}: not as `tracefoundry eval` writes it" in broken.stderr
