"""`tracefoundry query` on the folder of a training run."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import Command


def test_completions_and_logs_of_a_run_are_tables(tracefoundry: Command, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    run = tmp_path / "run"
    (run / "completions").mkdir(parents=True)
    (run / "run.yaml").write_text("stage: stage2\n")
    nothing = tracefoundry("query", run)
    assert nothing.returncode == 2
    assert "has not logged anything yet" in nothing.stderr

    for step, process in ((1, None), (2, 0.5)):
        rows = [{"step": step, "reward": 1.0, "process": process}] * 3
        path = run / "completions" / f"completions_{step:05}.parquet"
        pq.write_table(pa.Table.from_pylist(rows), path)
    for folder, last in (("checkpoint-9", 9), ("checkpoint-10", 10)):
        (run / folder).mkdir()
        history = [{"step": last, "loss": 0.25, "epoch": 1}, {"step": last, "reward": None}]
        (run / folder / "trainer_state.json").write_text(json.dumps({"log_history": history}))
    listed = tracefoundry("query", run)
    assert listed.returncode == 0, listed.stderr
    assert "completions: one completion of a training run" in listed.stdout
    assert "logs: one number that a training logged" in listed.stdout
    assert "drops" not in listed.stdout.split("Named queries")[0]
    sql = "SELECT step, count(process) AS known, sum(reward) FROM completions GROUP BY 1 ORDER BY 1"
    assert tracefoundry("query", run, sql, "--csv").stdout.split() == [
        "step,known,sum(reward)",
        "1,0,3.0",
        "2,3,3.0",
    ]
    logs = "SELECT * FROM logs ORDER BY metric"
    assert json.loads(tracefoundry("query", run, logs, "--json").stdout) == [
        {"step": 10, "metric": "epoch", "value": 1.0},
        {"step": 10, "metric": "loss", "value": 0.25},
        {"step": 10, "metric": "reward", "value": None},
    ]
