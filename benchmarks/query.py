"""Time of every named query and of the first `load_dataset`, beside the same over JSON files.

    python benchmarks/query.py [--dataset DIR] [--traces 20000] [--rounds 3]

A dataset of the packaged recipe `demo` (or DIR) is repeated until it has so many traces: each copy
has ids of its own, and the digits and letters of its values are exchanged, so that copies do not
compress into one another. "JSON" is one JSONL file a config with the same rows as objects, which is
how most trace sets are published, read by DuckDB with the types given, under the same views and the
same SQL. Two threads; time by the clock and processor time, each the least of the rounds: on a
machine that is busy with other work only the second says something.
`load_dataset` runs in a process of its own with an empty cache.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import cards  # noqa: E402
from factory.load import read_rows  # noqa: E402
from factory.manifest import read_manifest  # noqa: E402
from factory.named_queries import named_queries, parse_settings  # noqa: E402
from factory.pipeline import build  # noqa: E402
from factory.progress import SilentProgress  # noqa: E402
from factory.query import connect, quote_text, run_query  # noqa: E402
from factory.recipe import load_recipe  # noqa: E402
from factory.store import shard_path, write_rows  # noqa: E402
from factory.table import COLUMNS, CONFIGS  # noqa: E402
from factory.tally import Tally  # noqa: E402
from factory.views import DERIVED  # noqa: E402

THREADS = 2
SHARD_COPIES = 5
LIMIT_S = 1.0
LOAD_LIMIT_S = 3.0
IDS = ("program_id", "trace_id", "question_id", "family_id")
VALUES = ("args", "output_value", "change_value", "entry_value", "act_value", "key")
LOAD = """
import sys, time
import datasets
kind, folder, config = sys.argv[1:]
clock, cpu = time.monotonic(), time.process_time()
if kind == "parquet":
    datasets.load_dataset(folder, config)
else:
    datasets.load_dataset("json", data_files=f"{folder}/{config}.jsonl")
print(time.monotonic() - clock, time.process_time() - cpu)
"""


def copies(base: Path, traces: int) -> Iterator[dict[str, list[dict[str, Any]]]]:
    """Rows by config of one copy after another, until there are so many traces."""
    rows = {config: list(read_rows(base, config)) for config in CONFIGS}
    made = number = 0
    while made < traces:
        number += 1
        table = exchange(random.Random(number))
        copy = {c: [changed(row, f"{number:06x}", table) for row in rows[c]] for c in CONFIGS}
        made += len(copy["traces"])
        yield copy


def exchange(rng: random.Random) -> dict[int, int]:
    """A table that exchanges digits, and letters, among themselves."""
    digits = "".join(rng.sample("123456789", 9))
    letters = "".join(rng.sample(string.ascii_lowercase, 26))
    return str.maketrans("123456789" + string.ascii_lowercase, digits + letters)


def changed(row: dict[str, Any], mark: str, table: dict[int, int]) -> dict[str, Any]:
    """A row with other ids and other values."""
    new = dict(row)
    for column in IDS:
        if new.get(column) is not None:
            new[column] = f"{new[column][:10]}{mark}"
    for column in VALUES:
        value = new.get(column)
        if isinstance(value, str):
            new[column] = value.translate(table)
        elif isinstance(value, list):
            new[column] = [v if v is None else v.translate(table) for v in value]
    return new


def write(base: Path, out: Path, traces: int) -> tuple[Path, Path]:
    """Write the dataset and its JSON files; return their folders."""
    parquet, lines = out / "parquet", out / "json"
    lines.mkdir()
    tally = Tally()
    waiting: dict[str, list[dict[str, Any]]] = {config: [] for config in CONFIGS}
    shard = 0
    files = {config: (lines / f"{config}.jsonl").open("w") for config in CONFIGS}
    for number, copy in enumerate(copies(base, traces), 1):
        for config in CONFIGS:
            for row in copy[config]:
                row["split"] = "train"
                files[config].write(json.dumps(row) + "\n")
            tally.count(config, copy[config])
            waiting[config] += copy[config]
        if number % SHARD_COPIES == 0:
            shard = flush(parquet, waiting, shard)
    if waiting["programs"]:
        flush(parquet, waiting, shard)
    for file in files.values():
        file.close()
    manifest = {**read_manifest(base), "counts": tally.counts(), "sizes": tally.sizes()}
    (parquet / "manifest.json").write_text(json.dumps(manifest))
    (parquet / "README.md").write_text(cards.render(manifest, COLUMNS))
    shutil.copy(base / "drops.jsonl", parquet)
    return parquet, lines


def flush(folder: Path, waiting: dict[str, list[dict[str, Any]]], shard: int) -> int:
    """Write a shard of every config; the number of the next one."""
    for config in CONFIGS:
        write_rows(folder / shard_path(config, "train", shard), config, waiting[config])
        waiting[config] = []
    return shard + 1


def connect_json(lines: Path, parquet: Path) -> Any:
    """The same views over the JSON files; column types are those of the Parquet files."""
    import duckdb

    connection = duckdb.connect(":memory:")
    for config in CONFIGS:
        files = quote_text(str(parquet / config / "*.parquet"))
        described = connection.execute(f"DESCRIBE FROM read_parquet({files})").fetchall()
        types = ", ".join(f"{quote_text(name)}: {quote_text(kind)}" for name, kind, *_ in described)
        file = quote_text(str(lines / f"{config}.jsonl"))
        options = f"format = 'newline_delimited', columns = {{{types}}}"
        connection.execute(f"CREATE VIEW {config} AS FROM read_json({file}, {options})")
    for view in DERIVED:
        connection.execute(f"CREATE VIEW {view.name} AS {view.sql}")
    file = quote_text(str(parquet / "drops.jsonl"))
    types = "stage: 'VARCHAR', reason: 'VARCHAR', \"where\": 'VARCHAR', detail: 'VARCHAR'"
    connection.execute(
        f"CREATE VIEW drops AS FROM read_json({file}, "
        f"format = 'newline_delimited', columns = {{{types}}})"
    )
    return connection


def ask(connection: Any, name: str, rounds: int) -> tuple[float, float, list[Any]]:
    """Least seconds by the clock and of the processor, and the rows."""
    (query,) = (each for each in named_queries() if each.name == name)
    parameters = parse_settings([], query)
    best = spent = float("inf")
    rows: list[Any] = []
    for _ in range(rounds):
        clock, cpu = time.monotonic(), time.process_time()
        rows = list(run_query(connection, query.sql, parameters).rows())
        best = min(best, time.monotonic() - clock)
        spent = min(spent, time.process_time() - cpu)
    return best, spent, rows


def load(kind: str, folder: Path, config: str, cache: Path) -> tuple[float, float]:
    """Seconds by the clock and of the processor of the first `load_dataset` in a new process."""
    environment = os.environ | {"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, kind, str(folder), config],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    seconds, spent = done.stdout.split()
    return float(seconds), float(spent)


def size(folder: Path) -> float:
    """Megabytes of a folder's data files."""
    files = [*folder.rglob("*.parquet"), *folder.rglob("*s.jsonl")]
    return sum(file.stat().st_size for file in files if file.name != "drops.jsonl") / 1e6


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dataset", type=Path, help="a built folder; by default one is made")
    parser.add_argument("--traces", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        base = options.dataset
        if base is None:
            base = out / "base"
            build(load_recipe("demo"), base, workers=2, progress=SilentProgress())
        parquet, lines = write(base, out, options.traces)
        with connect(parquet) as ours, connect_json(lines, parquet) as theirs:
            for connection in (ours, theirs):
                connection.execute(f"SET threads = {THREADS}")
            numbers = [
                next(run_query(ours, f"SELECT count(*) FROM {table}").rows())[0]
                for table in ("traces", "questions", "steps", "changes")
            ]
            print("{:,} traces, {:,} questions, {:,} steps, {:,} changes".format(*numbers))
            print(f"Parquet {size(parquet):.1f} MB, JSON {size(lines):.1f} MB")
            print(f"\n{'query':<33}{'Parquet':>9}{'CPU':>7}{'JSON':>9}{'CPU':>8}{'times':>8}")
            slow: list[str] = []
            costly: list[str] = []
            for query in named_queries():
                seconds, spent, rows = ask(ours, query.name, options.rounds)
                other, other_spent, same = ask(theirs, query.name, 1)
                assert rows == same, query.name
                slow += [query.name] if seconds >= LIMIT_S else []
                costly += [query.name] if spent >= LIMIT_S else []
                print(
                    f"{query.name:<33}{seconds:>8.3f}s{spent:>6.2f}s{other:>8.2f}s"
                    f"{other_spent:>7.2f}s{other / seconds:>7.1f}×"
                )
        print()
        for config in CONFIGS:
            seconds, spent = load("parquet", parquet, config, out / f"parquet-{config}")
            other, other_spent = load("json", lines, config, out / f"json-{config}")
            slow += [f"load_dataset {config}"] if seconds >= LOAD_LIMIT_S else []
            costly += [f"load_dataset {config}"] if spent >= LOAD_LIMIT_S else []
            print(
                f"{f'first load_dataset {config}':<33}{seconds:>8.2f}s{spent:>6.2f}s"
                f"{other:>8.2f}s{other_spent:>7.2f}s{other / seconds:>7.1f}×"
            )
        limits = f"{LIMIT_S:g} s (queries) or {LOAD_LIMIT_S:g} s (load_dataset)"
        print(f"\n{limits} or more by the clock: {', '.join(slow) or 'none'}")
        print(f"as much processor time: {', '.join(costly) or 'none'}")
    load_average = os.getloadavg()[0]
    print(
        f"{THREADS} threads, {platform.machine()}, Python {platform.python_version()}, "
        f"load average {load_average:.1f}"
    )


if __name__ == "__main__":
    main()
