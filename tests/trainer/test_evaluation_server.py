"""`tracefoundry eval --backend openai` against a local server of that API, faults included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chat_server import ChatServer
from command_line import Command
from planted_evaluation import WRONG, right_reply
from planted_models import fingerprint

from trainer.evaluation.benchmarks import load_benchmark
from trainer.evaluation.rows import read_rows

CRUXEVAL = str(Path(__file__).parents[1] / "data" / "cruxeval" / "sample.jsonl")


def test_a_served_model_is_evaluated(tracefoundry: Command, tmp_path: Path) -> None:
    tasks = load_benchmark("cruxeval", read_rows(CRUXEVAL, None, "test")).tasks[:8]
    right = {fingerprint(task.prompt): right_reply(task) for task in tasks[:6]}

    def answer(body: dict[str, Any]) -> list[str]:
        return [right.get(fingerprint(body["messages"]), WRONG)] * body["n"]

    with ChatServer(answer) as server:
        server.faults = [503, "drop", "malformed"]
        settings = [f"url={server.url}", "first_wait_s=0.01", "longest_wait_s=0.05"]
        arguments = [
            *("eval", "--backend", "openai", "--model", "planted", "--revision", "r1"),
            *(word for each in settings for word in ("--set", each)),
            *("--data", f"cruxeval={CRUXEVAL}", "--limit", "8", "--json"),
            *("--out", str(tmp_path / "out")),
        ]
        done = tracefoundry(*arguments)
        assert done.returncode == 0, done.stderr
        asked = len(server.bodies)
        again = tracefoundry(*arguments)
        assert len(server.bodies) == asked, "what was answered is not asked again"
    assert again.stdout == done.stdout
    report = json.loads(done.stdout)
    assert report["model"] == "planted@r1"
    (first, *_) = report["benchmarks"][0]["results"]
    assert (first["kind"], first["value"], first["questions"]) == ("all", 0.75, 8)


def test_a_server_that_stays_away_is_a_failure_of_its_own(
    tracefoundry: Command, tmp_path: Path
) -> None:
    with ChatServer() as server:
        server.faults = [503] * 200
        done = tracefoundry(
            *("eval", "--backend", "openai", "--model", "planted", "--set", f"url={server.url}"),
            *("--set", "attempts=2", "--set", "first_wait_s=0.01", "--limit", "2"),
            *("--data", f"cruxeval={CRUXEVAL}", "--out", tmp_path / "out"),
        )
    assert (done.returncode, done.stdout) == (3, "")
    assert "run the same command again to go on" in done.stderr.splitlines()[-1]
    wrong = tracefoundry(
        *("eval", "--backend", "openai", "--model", "planted", "--set", "speed=9"),
        *("--data", f"cruxeval={CRUXEVAL}", "--out", tmp_path / "out"),
    )
    assert wrong.returncode == 2
    assert "no setting 'speed'" in wrong.stderr
