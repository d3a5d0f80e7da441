from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq  # noqa: TID253 - this is the test of the Parquet files
import pytest

from factory.audit import AuditReport, audit
from factory.audit_groups import Problem, ProgramRows, by_program
from factory.audit_rows import check_programs
from factory.errors import UserError
from factory.files import file_sha256
from factory.load import read_rows
from factory.manifest import MANIFEST, read_manifest, recipe_of
from factory.pipeline import build
from factory.problems.making import Problemsmith
from factory.progress import SilentProgress
from factory.recipe import load_recipe
from factory.recipe_records import Inputs, Recipe, Source
from factory.rows import Context
from factory.store import write_rows
from factory.table import COLUMNS, CONFIGS
from factory.versions import Versions
from tracer.judging import Judge
from tracer.records import Call, Limits, Outcome, Program, Trace
from tracer.runner import Runner
from tracer.sharing import Calls
from tracer.unit_tests import UnitTester

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def humaneval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three programs with their tests and a few inputs, and one broken line."""
    folder = tmp_path_factory.mktemp("humaneval")
    lines = gzip.decompress((DATA / "humaneval/sample.jsonl.gz").read_bytes()).splitlines()
    (folder / "rows.jsonl").write_bytes(b"\n".join([*lines[:3], b"{broken"]))
    source = Source("jsonl", path=str(folder / "rows.jsonl"), shape="humaneval")
    recipe = Recipe(source, name="humaneval", inputs=Inputs(1), licence="MIT")
    build(recipe, folder / "out", progress=SilentProgress())
    return folder / "out"


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few programs made from templates."""
    out = tmp_path_factory.mktemp("templates") / "out"
    recipe = replace(load_recipe("tiny"), inputs=Inputs(0))
    build(recipe, out, programs=4, workers=2, progress=SilentProgress())
    return out


@pytest.fixture
def copied(humaneval: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(humaneval, tmp_path / "copy"))


def edit_rows(
    folder: Path, config: str, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
) -> None:
    """Change the rows of the training file and the checksum with them."""
    name = f"{config}/train-00000.parquet"
    rows = pq.read_table(folder / name).to_pylist()
    write_rows(folder / name, config, change(rows))
    edit_manifest(folder, ["checksums", name], file_sha256(folder / name))


def edit_manifest(folder: Path, keys: list[str], value: object) -> None:
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    place = manifest
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def named(report: AuditReport) -> set[tuple[str, str]]:
    return {(problem.config, problem.id) for problem in report.problems}


def test_good_data_reproduce(humaneval: Path, templates: Path) -> None:
    for folder in (humaneval, templates):
        counts = read_manifest(folder)["counts"]
        report = audit(folder, workers=2)
        assert report.ok, report.problems[:3]
        assert report.differences == ()
        assert report.programs == counts["programs"]["total"]
        assert report.traces == counts["traces"]["total"]
        assert report.questions == counts["questions"]["total"] > 0


def test_a_sample_runs_fewer_programs_but_sees_every_file(copied: Path) -> None:
    report = audit(copied, sample=1)
    assert report.ok
    assert report.programs == 1
    (copied / "traces" / "train-00000.parquet").write_bytes(b"no")
    assert not audit(copied, sample=1).ok


def other_value(value: Any, kind: Any) -> Any:
    """Another value of the same type."""
    if isinstance(kind, tuple):
        return [*value[:-1], other_value(value[-1], kind[1])] if value else [sample_of(kind[1])]
    if isinstance(kind, dict) and value is not None:
        first = next(iter(kind))
        return {**value, first: other_value(value[first], kind[first])}
    if value is None:
        return sample_of(kind)
    return (
        {
            "str": f"{value}x",
            "int32": 0,
            "int64": 0,
            "float64": 0.25,
            "bool": value is False,
        }[kind]
        if not (isinstance(value, int) and value == 0 and kind != "bool")
        else 1
    )


def sample_of(kind: Any) -> Any:
    if isinstance(kind, dict):
        return {name: sample_of(part) for name, part in kind.items()}
    if isinstance(kind, tuple):
        return [sample_of(kind[1])]
    return {"str": "x", "int32": 1, "int64": 1, "float64": 0.5, "bool": True}[kind]


def changed_cells(row: dict[str, Any], config: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The row with each of its values changed in turn, fields of structs one at a time."""
    for column, kind in COLUMNS[config].items():
        if isinstance(kind, dict) and row[column] is not None:
            for name, part in kind.items():
                inner = {**row[column], name: other_value(row[column][name], part)}
                yield f"{column}.{name}", {**row, column: inner}
        else:
            yield column, {**row, column: other_value(row[column], kind)}


def load_programs(folder: Path) -> tuple[list[ProgramRows], Context]:
    manifest = read_manifest(folder)
    versions = {key: manifest["environment"]["versions"][key] for key in Versions.__slots__}
    model = manifest["difficulty"].get("model")
    context = Context(recipe_of(manifest, "here"), Versions(**versions), model)
    others = {config: list(read_rows(folder, config)) for config in CONFIGS[1:]}
    programs = []
    for program in read_rows(folder, "programs"):
        own = {
            config: tuple(row for row in rows if row["program_id"] == program["program_id"])
            for config, rows in others.items()
        }
        programs.append(ProgramRows(program, **own))
    return programs, context


def shortest(programs: list[ProgramRows], config: str) -> ProgramRows | None:
    """The program with the fewest steps that has rows of the config."""
    having = [rows for rows in programs if rows_of(rows, config)]
    return min(
        having, key=lambda rows: (sum(t["n_steps"] for t in rows.traces), str(rows)), default=None
    )


def rows_of(rows: ProgramRows, config: str) -> tuple[dict[str, Any], ...]:
    return (rows.program,) if config == "programs" else getattr(rows, config)


def with_first(rows: ProgramRows, config: str, row: dict[str, Any]) -> ProgramRows:
    if config == "programs":
        return replace(rows, program=row)
    return replace(rows, **{config: (row, *getattr(rows, config)[1:])})


def leaves(config: str) -> set[str]:
    """Every column, and every field of a struct."""
    return {
        name
        for column, kind in COLUMNS[config].items()
        for name in ([f"{column}.{part}" for part in kind] if isinstance(kind, dict) else [column])
    }


class RememberingRunner(Runner):
    """Runs each call and each test suite once, however often it is asked."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self.traces: dict[tuple[Program, Call], Trace] = {}
        self.outcomes: dict[tuple[Program, str], Outcome] = {}
        self.many: dict[tuple[tuple[Program, Call], ...], tuple[Outcome, ...]] = {}

    def run(self, program: Program, call: Call) -> Trace:
        key = (program, call)
        if key not in self.traces:
            self.traces[key] = super().run(program, call)
        return self.traces[key]

    def check(self, program: Program, tests: str) -> Outcome:
        key = (program, tests)
        if key not in self.outcomes:
            self.outcomes[key] = super().check(program, tests)
        return self.outcomes[key]

    def run_many(self, calls: Calls) -> tuple[Outcome, ...]:
        key = tuple(calls)
        if key not in self.many:
            self.many[key] = super().run_many(calls)
        return self.many[key]


@dataclass
class Published:
    """A dataset, and a runner that remembers what its programs did."""

    kind: str
    programs: list[ProgramRows]
    context: Context
    runner: Runner


@pytest.fixture(scope="module", params=["humaneval", "templates"])
def published(request: pytest.FixtureRequest) -> Iterator[Published]:
    programs, context = load_programs(request.getfixturevalue(request.param))
    with RememberingRunner(context.recipe.limits) as runner:
        yield Published(request.param, programs, context, runner)


def find(rows: ProgramRows, split: str, published: Published) -> list[Problem]:
    """What an audit finds in a shard that holds one program."""
    tables = {config: rows_of(rows, config) for config in CONFIGS}
    problems: list[Problem] = []
    programs = list(by_program(split, "{}/0.parquet".format, tables, problems, set()))
    with Judge() as judge, UnitTester() as tester:
        smith = Problemsmith(published.runner, tester, published.context.recipe)
        found = check_programs(programs, published.runner, smith, judge, published.context)
        return [*problems, *found]


@pytest.mark.parametrize("config", CONFIGS)
def test_any_one_changed_value_is_found_in_its_row(published: Published, config: str) -> None:
    rows = shortest(published.programs, config)
    if rows is None:
        assert published.kind != "templates", "there the configs all have rows"
        return
    row = rows_of(rows, config)[0]
    own_id = next(iter(COLUMNS[config]))
    tried = set()
    split = rows.program["split"]
    assert find(rows, split, published) == []
    for column, changed in changed_cells(row, config):
        problems = find(with_first(rows, config, changed), split, published)
        named = {(problem.config, problem.id) for problem in problems}
        assert named & {(config, row[own_id]), (config, changed[own_id])}, column
        tried.add(column)
    empty = {column for column in COLUMNS[config] if row[column] is None}
    assert {name.partition(".")[0] for name in tried} == set(COLUMNS[config])
    assert tried >= {name for name in leaves(config) if name.partition(".")[0] not in empty}


def test_changed_references_are_found(copied: Path) -> None:
    first = {config: next(read_rows(copied, config, "train")) for config in CONFIGS}
    question = first["questions"]["question_id"]
    edit_rows(copied, "traces", lambda rows: [{**rows[0], "trace_id": "0" * 16}, *rows[1:]])
    edit_rows(copied, "questions", lambda rows: [{**rows[0], "program_id": "1" * 16}, *rows[1:]])
    found = named(audit(copied))
    assert ("traces", "0" * 16) in found
    assert ("questions", question) in found


def test_missing_rows_are_found(copied: Path) -> None:
    lost = {config: list(read_rows(copied, config, "train"))[-1] for config in CONFIGS}
    for config in CONFIGS:
        edit_rows(copied, config, lambda rows: rows[:-1])
    report = audit(copied)
    assert ("manifest", "counts") in named(report)
    assert lost["programs"]["program_id"] not in str(named(report)), "it is gone altogether"
    orphans = {problem.config for problem in report.problems}
    assert orphans >= {"traces", "questions", "manifest"}


def test_repeated_rows_are_found(copied: Path) -> None:
    last = {config: list(read_rows(copied, config, "train"))[-1] for config in CONFIGS}
    for config in CONFIGS:
        edit_rows(copied, config, lambda rows: [*rows, rows[-1]])
    found = named(audit(copied))
    assert ("programs", last["programs"]["program_id"]) in found
    assert any(config == "traces" for config, _ in found)
    assert ("manifest", "counts") in found


def test_rows_in_another_order_are_found(copied: Path) -> None:
    edit_rows(copied, "questions", lambda rows: [rows[1], rows[0], *rows[2:]])
    report = audit(copied)
    assert [problem.config for problem in report.problems] == ["traces"]
    assert "order" in report.problems[0].detail


def test_changed_files_are_found_though_their_rows_are_right(copied: Path) -> None:
    name = "questions/train-00000.parquet"
    pq.write_table(pq.read_table(copied / name), copied / name, compression="snappy")
    report = audit(copied)
    assert [(problem.config, problem.id) for problem in report.problems] == [("file", name)]
    (copied / "questions" / "train-00001.parquet").write_bytes((copied / name).read_bytes())
    (copied / name).unlink()
    found = {problem.id: problem.detail for problem in audit(copied).problems}
    assert found[name] == "missing"
    assert "does not know it" in found["questions/train-00001.parquet"]


def test_a_wrong_manifest_is_found(copied: Path) -> None:
    edit_manifest(copied, ["counts", "programs", "by_level"], {"1": 3})
    edit_manifest(copied, ["drops"], {})
    edit_manifest(copied, ["grid", "filled"], 5)
    edit_manifest(copied, ["canary"], "none")
    report = audit(copied)
    assert named(report) == {("manifest", key) for key in ("counts", "drops", "grid", "canary")}
    edit_manifest(copied, ["recipe", "hash"], "0" * 16)
    assert ("manifest", "recipe") in named(audit(copied))


def test_a_lost_drop_is_found(copied: Path) -> None:
    lines = (copied / "drops.jsonl").read_text("ascii").splitlines(keepends=True)
    assert lines
    (copied / "drops.jsonl").write_text("".join(lines[1:]), encoding="ascii")
    assert named(audit(copied)) == {("file", "drops.jsonl"), ("manifest", "drops")}


def test_another_python_is_named_and_breaks_no_row(copied: Path) -> None:
    manifest = read_manifest(copied)
    for config in ("programs", "traces"):
        for split in ("train", "validation", "test"):
            path = copied / config / f"{split}-00000.parquet"
            rows = pq.read_table(path).to_pylist()
            for row in rows:
                place = row["provenance"] if config == "programs" else row
                place["python"] = "3.99"
            write_rows(path, config, rows)
            name = f"{config}/{split}-00000.parquet"
            edit_manifest(copied, ["checksums", name], file_sha256(path))
    edit_manifest(copied, ["environment", "versions", "python"], "3.99")
    report = audit(copied)
    assert report.ok
    assert len(report.differences) == 1
    assert "Python 3.99" in report.differences[0]
    edit_rows(copied, "traces", lambda rows: [{**rows[0], "stdout": "x"}, *rows[1:]])
    report = audit(copied)
    assert not report.ok
    assert report.problems == ()
    assert [problem.column for problem in report.changed] == ["stdout"]
    assert manifest["environment"]["versions"]["python"] != "3.99"


def test_another_schema_is_named_and_nothing_is_run(copied: Path) -> None:
    edit_manifest(copied, ["schema_version"], "0")
    report = audit(copied)
    assert not report.ok
    assert not report.comparable
    assert report.programs == 0
    assert report.problems == ()
    assert report.differences[0].startswith("schema 0, this release reads")


def test_what_is_no_dataset_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        audit(tmp_path / "gone")
    with pytest.raises(UserError, match=r"no manifest\.json here"):
        audit(tmp_path)
    (tmp_path / MANIFEST).write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be read"):
        audit(tmp_path)
    (tmp_path / MANIFEST).write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match="no key schema_version"):
        audit(tmp_path)
