"""A real model evaluated by the command; skipped, by name, where its libraries are missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Command

pytestmark = [
    pytest.mark.filterwarnings("default"),  # the libraries warn of themselves
]
CRUXEVAL = Path(__file__).parents[1] / "data" / "cruxeval" / "sample.jsonl"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of 0.1 million weights that writes answers as they look."""
    for name in ("torch", "transformers"):
        pytest.importorskip(name, reason="needs tracefoundry[train]")
    from trainer.models import tiny

    folder = tmp_path_factory.mktemp("evaluated") / "guesser"
    loaded = tiny.load("guesser")
    loaded._model.save_pretrained(folder)
    loaded._tokenizer.save_pretrained(folder)
    return folder


def test_a_real_model_is_measured_the_same_twice(
    model: Path, tracefoundry: Command, tmp_path: Path
) -> None:
    arguments = [
        *("eval", "--model", model, "--data", f"cruxeval={CRUXEVAL}", "--limit", "6"),
        *("--samples", "3", "--max-tokens", "12", "--json"),
    ]
    done = tracefoundry(*arguments, "--out", tmp_path / "one")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["model"].startswith("guesser@")
    assert report["lengths_in"] == "tokens"
    found = report["benchmarks"][0]
    assert (found["tasks"], found["questions"]) == (6, 6)
    assert {(each["mode"], each["k"]) for each in found["results"]} == {
        ("greedy", 1),
        ("sampled", 1),
        ("sampled", 3),
    }
    again = tracefoundry(*arguments, "--out", tmp_path / "two")
    assert again.returncode == 0, again.stderr
    for name in ("eval.json", "replies.jsonl", "completions.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_model_that_is_not_there_is_one_line(tracefoundry: Command, tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="needs tracefoundry[train]")
    done = tracefoundry(
        *("eval", "--model", tmp_path / "none", "--data", f"cruxeval={CRUXEVAL}"),
        *("--out", tmp_path / "out"),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "can't be loaded" in done.stderr.splitlines()[-1]
