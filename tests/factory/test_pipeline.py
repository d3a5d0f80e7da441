from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from factory.engine import LocalEngine, WorkerFault
from factory.entries import Entry
from factory.errors import InfrastructureError, UserError
from factory.load import read_rows, read_table
from factory.manifest import KEYS, read_manifest
from factory.merging import Merger
from factory.output_folder import claim_folder, hold_folder
from factory.pipeline import BuildReport, build
from factory.progress import SilentProgress
from factory.recipe import load_recipe
from factory.recipe_records import Fields, Grid, Inputs, Recipe, Source
from factory.sources.templates import selected_cells
from factory.sources.units import UNIT_DRAWS
from factory.table import CONFIGS

DATA = Path(__file__).parent.parent / "data"
CRUXEVAL = DATA / "cruxeval" / "sample.jsonl"


def make(recipe: Recipe, out: Path, **options: Any) -> BuildReport:
    return build(recipe, out, progress=SilentProgress(), **options)


def from_file(path: Path, shape: Any, **changes: Any) -> Recipe:
    return replace(Recipe(Source("jsonl", path=str(path), shape=shape), name="mine"), **changes)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a finished build; of the manifest, all outside ``environment``."""
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    manifest = json.loads(files.pop("manifest.json"))
    del manifest["environment"]
    files["manifest.json"] = json.dumps(manifest).encode()
    return files


def drops(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "drops.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def cruxeval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cruxeval") / "out"
    make(from_file(CRUXEVAL, "cruxeval", inputs=Inputs(2), licence="MIT"), out, workers=2)
    return out


def test_a_real_file_becomes_a_dataset(cruxeval: Path) -> None:
    promised = {
        json.loads(line)["id"]: json.loads(line)["output"]
        for line in CRUXEVAL.read_text("utf-8").splitlines()
    }
    programs = list(read_rows(cruxeval, "programs"))
    assert {row["provenance"]["name"] for row in programs} == set(promised)
    first = {row["program_id"]: row for row in reversed(list(read_rows(cruxeval, "traces")))}
    for row in programs:
        assert first[row["program_id"]]["output_value"] == promised[row["provenance"]["name"]]
    assert {drop["reason"] for drop in drops(cruxeval)} == {"same_prompt"}
    assert not (cruxeval / ".work").exists()


def test_the_manifest_tells_what_is_there(cruxeval: Path) -> None:
    manifest = read_manifest(cruxeval)
    assert tuple(manifest) == KEYS
    for config in CONFIGS:
        table = read_table(cruxeval, config)
        counts = manifest["counts"][config]
        assert counts["total"] == len(table) == sum(counts["by_split"].values())
        assert sum(counts["by_level"].values()) == len(table)
        splits = Counter(table.column("split").to_pylist())
        assert counts["by_split"] == {
            split: splits[split] for split in ("train", "validation", "test")
        }
    kinds = Counter(read_table(cruxeval, "questions").column("kind").to_pylist())
    assert manifest["counts"]["questions"]["by_kind"] == dict(sorted(kinds.items()))
    files = {str(p.relative_to(cruxeval)) for p in cruxeval.rglob("*.parquet")}
    assert set(manifest["checksums"]) == files | {"drops.jsonl"}
    assert manifest["decontamination"] == {"status": "not_run"}
    assert manifest["shortcuts"]["status"] == "measured"
    assert manifest["recipe"]["source"]["path"] == "sample.jsonl"
    assert str(DATA) not in json.dumps(manifest)
    assert manifest["canary"].startswith("tracefoundry canary GUID ")
    assert manifest["environment"]["engine"] == {"name": "local", "workers": 2}
    assert manifest["environment"]["containment"]["layers"]


def test_rows_point_to_rows(cruxeval: Path) -> None:
    programs = {row["program_id"]: row for row in read_rows(cruxeval, "programs")}
    traces = {row["trace_id"]: row for row in read_rows(cruxeval, "traces")}
    assert {row["program_id"] for row in traces.values()} == set(programs)
    for row in read_rows(cruxeval, "questions"):
        trace = traces[row["trace_id"]]
        assert row["program_id"] == trace["program_id"]
        assert row["split"] == trace["split"] == programs[row["program_id"]]["split"]
        if row["step"] is not None:
            assert trace["stmts"][row["step"]] == row["stmt"]


def test_humaneval_and_mbpp_run_under_their_own_tests(tmp_path: Path) -> None:
    for path, shape, number in (
        (DATA / "humaneval/sample.jsonl.gz", "humaneval", 4),
        (DATA / "mbpp/sample.json", "mbpp", 6),
    ):
        out = tmp_path / shape
        report = make(from_file(path, shape), out, programs=number)
        reasons = report.manifest["drops"]
        assert "tests_failed" not in reasons.get("execution", {})
        without_input = reasons.get("inputs", {}).get("no_input", 0)
        assert report.programs + without_input == number
        assert all(row["tests"] for row in read_rows(out, "programs"))


BAD_ROWS = [
    {"code": "def f(a):\n    return a", "input": "1", "output": "1"},
    "{broken",
    {"code": "def f(:", "input": "1", "output": "1"},
    {"code": "def g(a):\n    return a", "input": "1", "output": "1"},
    {"code": "def f(a):\n    return a", "input": "1"},
    {"code": "def f(a):\n    return 1 / a", "input": "0", "output": "1"},
    {"code": "def f(a):\n    return a", "input": "2", "output": "3"},
    {"code": "def f(b):\n    return b", "input": "2", "output": "2"},
]


def write_rows(path: Path, rows: list[Any]) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_every_bad_row_is_a_counted_drop_with_its_line(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", BAD_ROWS)
    recipe = from_file(path, "cruxeval", dedupe="normalised")
    report = make(recipe, tmp_path / "out")
    assert report.programs == 1
    assert [(drop["where"], drop["stage"], drop["reason"]) for drop in drops(report.out)] == [
        ("rows.jsonl:2", "source", "not_json"),
        ("rows.jsonl:3", "source", "syntax_error"),
        ("rows.jsonl:4", "source", "unknown_entry_point"),
        ("rows.jsonl:5", "source", "missing_field"),
        ("rows.jsonl:6", "execution", "raised"),
        ("rows.jsonl:6", "execution", "no_trace"),
        ("rows.jsonl:7", "execution", "output_differs"),
        ("rows.jsonl:7", "execution", "no_trace"),
        ("rows.jsonl:8", "dedupe", "duplicate_program"),
    ]
    assert report.dropped == 9
    assert report.manifest["drops"]["execution"] == {
        "no_trace": 2,
        "output_differs": 1,
        "raised": 1,
    }


def test_without_dedupe_equal_rows_stay_two_programs(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [BAD_ROWS[0], BAD_ROWS[0]])
    report = make(from_file(path, "cruxeval"), tmp_path / "out")
    assert report.programs == 2
    assert len({row["program_id"] for row in read_rows(report.out, "programs")}) == 2


def test_a_file_whose_rows_are_all_bad_is_an_empty_dataset(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", BAD_ROWS[1:4])
    report = make(from_file(path, "cruxeval"), tmp_path / "out")
    assert (report.programs, report.dropped) == (0, 3)
    assert len(read_table(report.out, "questions")) == 0


def test_the_number_of_a_file_is_its_first_rows(tmp_path: Path, cruxeval: Path) -> None:
    recipe = from_file(CRUXEVAL, "cruxeval", inputs=Inputs(2), licence="MIT")
    report = make(recipe, tmp_path / "out", programs=4)
    for config in CONFIGS:
        for split in ("train", "validation", "test"):
            few = read_table(report.out, config, split)
            assert read_table(cruxeval, config, split).slice(0, len(few)).equals(few)
    assert report.programs == 4


def test_a_finished_build_is_not_done_again(tmp_path: Path) -> None:
    recipe = from_file(CRUXEVAL, "cruxeval")
    first = make(recipe, tmp_path / "out", programs=2)
    before = contents(first.out)
    again = make(recipe, tmp_path / "out", programs=2)
    assert again.reused
    assert not first.reused
    assert contents(first.out) == before
    (first.out / "programs" / "train-00000.parquet").write_bytes(b"damaged")
    mended = make(recipe, tmp_path / "out", programs=2)
    assert not mended.reused
    assert contents(first.out) == before


def test_a_folder_grows_and_shrinks_with_the_number(tmp_path: Path) -> None:
    recipe = from_file(CRUXEVAL, "cruxeval", shard_programs=2)
    few = contents(make(recipe, tmp_path / "out", programs=3).out)
    assert "programs/train-00002.parquet" in contents(
        make(recipe, tmp_path / "out", programs=8).out
    )
    assert contents(make(recipe, tmp_path / "out", programs=3).out) == few


def test_another_recipe_does_not_get_the_folder(tmp_path: Path) -> None:
    recipe = from_file(CRUXEVAL, "cruxeval")
    out = tmp_path / "out"
    make(recipe, out, programs=1)
    before = contents(out)
    for other, seed in ((replace(recipe, licence="MIT"), 0), (recipe, 1)):
        with pytest.raises(UserError, match=r"holds a build of recipe .* another folder"):
            make(other, out, programs=1, seed=seed)
    assert contents(out) == before


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x", encoding="utf-8")
    with pytest.raises(UserError, match=r"not empty and not a dataset of ours \(thesis.tex"):
        make(from_file(CRUXEVAL, "cruxeval"), tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(UserError, match="is a file"):
        make(from_file(CRUXEVAL, "cruxeval"), tmp_path / "thesis.tex")


def test_two_builds_do_not_share_a_folder(tmp_path: Path) -> None:
    recipe = from_file(CRUXEVAL, "cruxeval")
    claim_folder(tmp_path / "out", recipe)
    with hold_folder(tmp_path / "out"):
        with pytest.raises(UserError, match="another process is building here"):
            make(recipe, tmp_path / "out", programs=1)
    assert make(recipe, tmp_path / "out", programs=1).programs == 1


def test_errors_come_before_anything_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(UserError, match="no such file"):
        make(from_file(tmp_path / "gone.jsonl", "cruxeval"), out)
    with pytest.raises(UserError, match="workers must be at least 1"):
        make(from_file(CRUXEVAL, "cruxeval"), out, workers=0)
    with pytest.raises(UserError, match="programs must be at least 1"):
        make(from_file(CRUXEVAL, "cruxeval"), out, programs=0)
    assert not out.exists()


BUILD = """
import pickle, sys
from pathlib import Path
from factory.pipeline import build
from factory.progress import LogProgress
recipe, out, programs, workers = pickle.load(sys.stdin.buffer)
build(recipe, Path(out), programs=programs, workers=workers, progress=LogProgress())
"""


def build_apart(
    recipe: Recipe, out: Path, programs: int, workers: int, hash_seed: str
) -> subprocess.Popen[bytes]:
    """The same build in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(pickle.dumps((recipe, str(out), programs, workers)))
    process.stdin.close()
    process.stdin = None
    return process


def finish(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors.decode()


def kill_half_way(process: subprocess.Popen[bytes], out: Path, units: int) -> int:
    """SIGKILL as soon as that many units are finished; how many were."""
    while len(list(out.glob(".work/*/unit-*"))) < units:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return len(list(out.glob(".work/*/unit-*")))


def check_interruption(tmp_path: Path, recipe: Recipe, one: Path, units: int) -> None:
    """A violent death half way changes no byte of ``one``, and half of it is a prefix."""
    programs = read_manifest(one)["recipe"]["programs"]
    killed = tmp_path / "killed"
    left = kill_half_way(build_apart(recipe, killed, programs, 2, "3"), killed, units)
    assert not (killed / "manifest.json").exists()
    report = make(recipe, killed, programs=programs, workers=2)
    assert report.resumed_units >= left >= units
    assert contents(killed) == contents(one)
    half = make(recipe, tmp_path / "half", programs=programs // 2, workers=2)
    for config in CONFIGS:
        for split in ("train", "validation", "test"):
            few = read_table(half.out, config, split)
            assert read_table(one, config, split).slice(0, len(few)).equals(few)


@pytest.fixture(scope="module")
def templates() -> Recipe:
    return replace(load_recipe("tiny"), inputs=Inputs(1), seed=7)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory, templates: Recipe) -> Path:
    """Twenty programs made from templates, which is more than one unit of work."""
    out = tmp_path_factory.mktemp("drawn") / "out"
    finish(build_apart(templates, out, 20, 2, "1"))
    return out


def test_workers_and_hash_seeds_change_no_byte(
    tmp_path: Path, templates: Recipe, drawn: Path
) -> None:
    finish(build_apart(templates, tmp_path / "out", 20, 1, "2"))
    assert contents(tmp_path / "out") == contents(drawn)


def test_an_interrupted_build_goes_on(tmp_path: Path) -> None:
    rows = [
        {"code": f"def f(a):\n    b = [a, {number}]\n    return b", "input": "3"}
        for number in range(4 * UNIT_DRAWS)
    ]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    recipe = Recipe(Source("jsonl", path=str(path), fields=Fields()), shard_programs=20)
    make(recipe, tmp_path / "one", programs=len(rows))
    check_interruption(tmp_path, recipe, tmp_path / "one", 2)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_three_hundred_programs_from_templates(tmp_path: Path) -> None:
    recipe = replace(load_recipe("tiny"), seed=7)
    finish(build_apart(recipe, tmp_path / "one", 300, 2, "1"))
    finish(build_apart(recipe, tmp_path / "alone", 300, 1, "2"))
    assert contents(tmp_path / "alone") == contents(tmp_path / "one")
    check_interruption(tmp_path, recipe, tmp_path / "one", 6)


def test_templates_fill_the_grid_in_turn(drawn: Path) -> None:
    programs = list(read_rows(drawn, "programs"))
    assert len(programs) == len({row["source"] for row in programs}) == 20
    for row in programs:
        assert row["generator"] == "template"
        assert row["template"]
        assert row["level"] == row["constraint"]["level"]
        assert row["licence"] == "Apache-2.0"
    manifest = read_manifest(drawn)
    assert manifest["grid"]["possible"] >= manifest["grid"]["filled"] > 12
    assert manifest["counts"]["programs"]["total"] == 20


def test_a_grid_that_gives_nothing_new_ends_the_build(tmp_path: Path, templates: Recipe) -> None:
    recipe = replace(templates, grid=Grid(types=("str",), levels=(1,)), programs=100)
    rounds = 3 * len(selected_cells(recipe.grid))
    with Merger(recipe, tmp_path, io.StringIO()) as merger:
        for number in range(rounds):
            assert not merger.done
            merger.add([Entry(f"draw:{number}", None, {}, None, (), ())])
        assert merger.done
        merger.close()
    assert merger.tally.total("programs") == 0


class Echo:
    """A job for the engine alone."""

    def open(self) -> Any:
        return nullcontext(work)


def work(task: tuple[str, str]) -> bytes:
    """Do what the task says; a file says whether it was done before."""
    what, path = task
    file = Path(path)
    if what == "die" or (what == "die once" and not file.exists()):
        file.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "fail once" and not file.exists():
        file.touch()
        raise InfrastructureError("the sandbox is gone")
    if what == "fault":
        raise ZeroDivisionError
    return f"{what} {os.getpid()}".encode()


def run_tasks(tasks: list[tuple[str, str]], workers: int = 2) -> dict[int, bytes]:
    with LocalEngine(Echo(), workers) as engine:
        for index, task in enumerate(tasks):
            engine.submit(index, task)
        return dict(engine.take() for _ in tasks)


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    tasks = [("good", ""), ("die once", str(tmp_path / "a")), ("fail once", str(tmp_path / "b"))]
    done = run_tasks([*tasks, ("good", "")])
    assert [done[index].split(b" ")[0] for index in range(4)] == [b"good", b"die", b"fail", b"good"]
    assert os.getpid() not in {int(content.split(b" ")[-1]) for content in done.values()}


def test_a_task_that_kills_every_worker_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"unit 0 failed 3 times.*run the same command"):
        run_tasks([("die", str(tmp_path / "a"))])


def test_a_fault_of_ours_is_told_with_its_traceback() -> None:
    with pytest.raises(WorkerFault, match="ZeroDivisionError"):
        run_tasks([("fault", "")])


def test_workers_end_with_the_engine() -> None:
    pids = {int(content.split(b" ")[-1]) for content in run_tasks([("good", "")] * 4).values()}
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_gzipped_source_gives_the_same_rows(tmp_path: Path, cruxeval: Path) -> None:
    path = tmp_path / "sample.jsonl.gz"
    path.write_bytes(gzip.compress(CRUXEVAL.read_bytes()))
    report = make(from_file(path, "cruxeval", inputs=Inputs(2), licence="MIT"), tmp_path / "out")
    plain = read_table(cruxeval, "questions")
    zipped = read_table(report.out, "questions")
    assert zipped.column("text").equals(plain.column("text"))
