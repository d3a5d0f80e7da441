from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253 - this is the test of the Parquet files
import pyarrow.parquet as pq  # noqa: TID253
import pytest

import factory.store
from factory.errors import UserError
from factory.execute import Work, execute
from factory.files import replacing, write_atomically
from factory.load import find_shards, read_file, read_rows, read_table, trace_of
from factory.problems.making import Problemsmith
from factory.questions import choose_questions, kind_names, source_of
from factory.recipe_records import QuestionPlan, Recipe, Shares, Source
from factory.records import Draft, Example, Origin
from factory.rows import Context, ExampleRows, Row, draft_of, example_rows, trace_row
from factory.stage1 import make_prompts
from factory.store import ShardWriter, text_size, write_rows
from factory.table import COLUMNS, CONFIGS, schema, to_table
from factory.versions import current_versions
from tracer.records import Call, Program
from tracer.runner import Runner
from tracer.unit_tests import UnitTester

SOURCE = """def f(n):
    seen = set()
    total = 0
    for i in range(n):
        total += g(i)
        seen.add(total)
    return total, seen


def g(i):
    return i * i
"""


ARGS = ("3", "0", "1", "2", "4", "5")


@pytest.fixture(scope="module")
def runner() -> Any:
    with Runner() as runner:
        yield runner


def make_example(runner: Runner, source: str = SOURCE, *args: str) -> Example:
    draft = Draft(
        Program(source, "f"),
        Origin("jsonl", file="rows.jsonl", row=1, name="one"),
        calls=tuple(Call(each) for each in args or ("3", "0")),
    )
    example = execute([Work(draft, "0", "rows.jsonl:1")], runner, RECIPE)[0].example
    assert example is not None
    return example


RECIPE = Recipe(Source("jsonl", path="rows.jsonl", shape="cruxeval"), shard_programs=2)
CONTEXT = Context(RECIPE, current_versions())


@pytest.fixture(scope="module")
def rows(runner: Runner) -> ExampleRows:
    return made_rows(runner, SOURCE)


def made_rows(runner: Runner, source: str) -> ExampleRows:
    """All that a build makes of a program."""
    example = make_example(runner, source, *ARGS)
    rows = with_prompts(example_rows(example, CONTEXT))
    with UnitTester() as tester:
        made = Problemsmith(runner, tester, RECIPE).make(rows.program, example.traces)
    assert made.rows
    return replace(rows, problems=made.rows)


def with_prompts(rows: ExampleRows) -> ExampleRows:
    return replace(
        rows, stage1=make_prompts(rows.program, rows.traces, rows.questions, RECIPE).rows
    )


def in_split(rows: ExampleRows, split: str, number: int) -> ExampleRows:
    """A copy that stands for another program of ``split``."""

    def moved(row: Row) -> Row:
        new = {**row, "split": split, "program_id": f"{row['program_id'][:8]}{number:08d}"}
        for key in ("trace_id", "question_id", "stage1_id", "sft_id", "crpl_id", "problem_id"):
            if key in new:
                new[key] = f"{row[key][:8]}{number:08d}"
        return new

    configs = [config for config in CONFIGS if config != "programs"]
    of_program = {config: tuple(map(moved, getattr(rows, config))) for config in configs}
    return ExampleRows(moved(rows.program), **of_program)


def test_rows_have_exactly_the_columns_of_the_schema(rows: ExampleRows) -> None:
    for config, row in (
        ("programs", rows.program),
        ("traces", rows.traces[0]),
        ("questions", rows.questions[0]),
        ("stage1", rows.stage1[0]),
        ("sft", rows.sft[0]),
        ("crpl", rows.crpl[0]),
        ("problems", rows.problems[0]),
    ):
        assert list(row) == list(COLUMNS[config]) == schema(config).names


def test_rows_survive_the_file(tmp_path: Path, rows: ExampleRows) -> None:
    writer = ShardWriter(tmp_path, 2)
    writer.add(rows)
    writer.close()
    split = rows.program["split"]
    assert list(read_rows(tmp_path, "programs")) == [rows.program]
    assert list(read_rows(tmp_path, "traces", split)) == list(rows.traces)
    assert list(read_rows(tmp_path, "questions")) == list(rows.questions)
    assert list(read_rows(tmp_path, "stage1")) == list(rows.stage1)
    assert list(read_rows(tmp_path, "sft")) == list(rows.sft)
    assert list(read_rows(tmp_path, "crpl")) == list(rows.crpl)
    assert list(read_rows(tmp_path, "problems")) == list(rows.problems)


def test_a_trace_and_a_draft_come_back_from_their_rows(runner: Runner, rows: ExampleRows) -> None:
    example = make_example(runner, SOURCE, *ARGS)
    for trace, row in zip(example.traces, rows.traces, strict=True):
        again = trace_of(row, rows.program)
        assert again == replace(trace, untracked_lines=frozenset())
        assert trace_row(again, rows.program) == row
    assert draft_of(rows.program) == replace(example.draft, calls=())


def test_ids_are_hashes_of_what_a_row_is_about(runner: Runner, rows: ExampleRows) -> None:
    assert made_rows(runner, SOURCE) == rows
    other = made_rows(runner, SOURCE.replace("i * i", "i + i"))
    for config in CONFIGS:
        key = f"{config.removesuffix('s')}_id"
        mine = [rows.program] if config == "programs" else getattr(rows, config)
        theirs = [other.program] if config == "programs" else getattr(other, config)
        ids = [row[key] for row in mine]
        assert len(set(ids)) == len(ids)
        assert not set(ids) & {row[key] for row in theirs}
        assert all(len(each) == 16 and int(each, 16) >= 0 for each in ids)


def test_shards_hold_a_fixed_number_of_programs_of_a_split(
    tmp_path: Path, rows: ExampleRows
) -> None:
    writer = ShardWriter(tmp_path, 2)
    order = ["train", "test", "train", "train", "train", "train"]
    for number, split in enumerate(order):
        writer.add(in_split(rows, split, number))
    writer.close()
    sizes = {
        f"{shard.split}-{shard.number}": pq.read_metadata(
            tmp_path / shard.path("programs")
        ).num_rows
        for shard in find_shards(tmp_path)
    }
    assert sizes == {"train-0": 2, "train-1": 2, "train-2": 1, "validation-0": 0, "test-0": 1}
    for config in CONFIGS:
        table = read_table(tmp_path, config)
        assert table.schema.equals(schema(config))
    numbers = [row["program_id"][8:] for row in read_rows(tmp_path, "programs", "train")]
    assert numbers == [f"{number:08d}" for number in (0, 2, 3, 4, 5)]
    traces = [row["program_id"] for row in read_rows(tmp_path, "traces", "train")]
    assert len(traces) == 5 * len(rows.traces)


def test_a_larger_build_has_the_full_shards_as_they_are(tmp_path: Path, rows: ExampleRows) -> None:
    for folder, number in (("small", 3), ("large", 6)):
        writer = ShardWriter(tmp_path / folder, 2)
        for each in range(number):
            writer.add(in_split(rows, "train", each))
        writer.close()
    for config in CONFIGS:
        small = tmp_path / "small" / config
        large = tmp_path / "large" / config
        first, second = "train-00000.parquet", "train-00001.parquet"
        assert (small / first).read_bytes() == (large / first).read_bytes()
        short = pq.read_table(small / second)
        assert pq.read_table(large / second).slice(0, len(short)).equals(short)


def test_files_are_compressed_and_indexed(tmp_path: Path, rows: ExampleRows) -> None:
    write_rows(tmp_path / "traces.parquet", "traces", rows.traces)
    column = pq.read_metadata(tmp_path / "traces.parquet").row_group(0).column(0)
    assert column.compression == "ZSTD"
    assert column.has_offset_index
    assert column.has_column_index


def test_numbers_that_rise_are_kept_as_differences(tmp_path: Path, rows: ExampleRows) -> None:
    write_rows(tmp_path / "traces.parquet", "traces", rows.traces)
    write_rows(tmp_path / "programs.parquet", "programs", [rows.program])
    group = pq.read_metadata(tmp_path / "traces.parquet").row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    encoded = {column.path_in_schema.partition(".")[0]: column.encodings for column in columns}
    assert "DELTA_BINARY_PACKED" in encoded.pop("change_step")
    assert "RLE_DICTIONARY" not in encoded.pop("change_value")
    plain = {name for name, kinds in encoded.items() if "RLE_DICTIONARY" not in kinds}
    assert plain <= {"complete", "completed"}  # truth values have no dictionaries
    programs = pq.read_metadata(tmp_path / "programs.parquet").row_group(0)
    assert "RLE_DICTIONARY" in programs.column(0).encodings


def test_the_schema_does_not_depend_on_the_rows(tmp_path: Path, rows: ExampleRows) -> None:
    """A column that is null in all early rows is text all the same (huggingface/datasets#7222)."""
    row = rows.traces[0]
    without = [{**row, "message": None, "change_value": [None] * len(row["change_value"])}] * 3000
    write_rows(tmp_path / "a.parquet", "traces", [*without, {**row, "message": "late"}])
    write_rows(tmp_path / "b.parquet", "traces", without)
    write_rows(tmp_path / "c.parquet", "traces", [])
    one, other, empty = (pq.read_table(tmp_path / f"{name}.parquet") for name in "abc")
    assert one.schema.equals(other.schema)
    assert one.schema.equals(empty.schema)
    assert one.column("message").to_pylist()[-1] == "late"
    assert one.column("message").null_count == 3000


def test_values_of_all_types_are_text(runner: Runner) -> None:
    """Numbers beyond 64 bits, None, and lone surrogates (pandas-dev/pandas#22610)."""
    source = "def f(k):\n    v = [2**70, None, True, 1.0, '1', chr(0xdfff)][k]\n    return v"
    example = make_example(runner, source, *map(str, range(6)))
    rows = example_rows(example, CONTEXT)
    values = to_table("traces", rows.traces).column("output_value").to_pylist()
    assert values == ["1180591620717411303424", "None", "True", "1.0", "'1'", r"'\udfff'"]


def test_large_rows_make_row_groups_of_bounded_size(
    tmp_path: Path, rows: ExampleRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty rows of a megabyte (PrimeIntellect-ai/verifiers#230)."""
    large = [{**rows.traces[0], "stdout": "x" * 2**20, "n_steps": number} for number in range(40)]
    write_rows(tmp_path / "a.parquet", "traces", large)
    file = pq.ParquetFile(tmp_path / "a.parquet")
    assert file.num_row_groups >= 3
    assert file.read(["n_steps"]).column(0).to_pylist() == list(range(40))
    assert text_size(large[0]) > 2**20
    monkeypatch.setattr(factory.store, "GROUP_BYTES", 10)
    assert written_groups(tmp_path, large[:3]) == [1, 1, 1]
    monkeypatch.setattr(factory.store, "GROUP_ROWS", 2)
    monkeypatch.setattr(factory.store, "GROUP_BYTES", 2**40)
    assert written_groups(tmp_path, large[:5]) == [2, 2, 1]


def written_groups(folder: Path, rows: list[Row]) -> list[int]:
    write_rows(folder / "groups.parquet", "traces", rows)
    file = pq.ParquetFile(folder / "groups.parquet").metadata
    return [file.row_group(number).num_rows for number in range(file.num_row_groups)]


def counted(value: Any) -> int:
    """What :func:`text_size` says, value by value."""
    if isinstance(value, str):
        return len(value) + 8
    if isinstance(value, list | dict):
        inner = value.values() if isinstance(value, dict) else value
        return sum(map(counted, inner))
    return 8


def test_sizes_are_those_of_every_single_value(rows: ExampleRows) -> None:
    of_program = (rows.traces, rows.questions, rows.stage1, rows.sft, rows.crpl)
    every = [rows.program, *(row for some in of_program for row in some)]
    assert [text_size(row) for row in every] == [counted(row) for row in every]
    mixed = ["", None, "ab", [1.5, True, ["c"]], {"d": [], "e": "é"}, []]
    assert text_size(mixed) == counted(mixed) == 8 + 8 + 10 + 16 + 9 + 9


def test_rows_that_wait_as_tables_change_no_byte(
    tmp_path: Path, rows: ExampleRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [{**row, "stdout": f"{number}"} for number in range(300) for row in rows.traces]
    write_rows(tmp_path / "one.parquet", "traces", many)
    monkeypatch.setattr(factory.store, "LOOSE_BYTES", 10_000)
    write_rows(tmp_path / "several.parquet", "traces", many)
    one = (tmp_path / "one.parquet").read_bytes()
    assert (tmp_path / "several.parquet").read_bytes() == one


def write_programs(folder: Path, programs: list[ExampleRows]) -> None:
    with ShardWriter(folder, 1) as writer:
        for each in programs:
            writer.add(each)


def test_a_build_that_fails_leaves_no_half_of_a_file(tmp_path: Path, rows: ExampleRows) -> None:
    broken = replace(rows, program={**rows.program, "split": "train", "level": "none"})
    with pytest.raises(pa.ArrowInvalid):
        write_programs(tmp_path, [in_split(rows, "test", 1), broken])
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert left == ["test-00000.parquet"] * len(CONFIGS)


def write_half(path: Path) -> None:
    with replacing(path) as temporary:
        temporary.write_bytes(b"half")
        raise RuntimeError("killed")


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a" / "file"
    write_atomically(path, b"old")
    with pytest.raises(RuntimeError, match="killed"):
        write_half(path)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda table: table.drop_columns(["args"]), r"columns lacking: \['args'\]"),
        (lambda table: table.append_column("new", pa.nulls(len(table))), r"unknown: \['new'\]"),
        (
            lambda table: table.set_column(
                table.schema.get_field_index("n_steps"),
                "n_steps",
                table.column("n_steps").cast(pa.int64()),
            ),
            "column n_steps is int64, not int32",
        ),
        (lambda table: table.select(table.schema.names[::-1]), "another order"),
    ],
)
def test_a_file_with_other_columns_is_named(
    tmp_path: Path, rows: ExampleRows, change: Any, words: str
) -> None:
    path = tmp_path / "traces.parquet"
    pq.write_table(change(to_table("traces", rows.traces)), path)
    with pytest.raises(UserError, match=words) as caught:
        read_file(path, "traces")
    assert str(path) in caught.value.message


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(UserError, match=r"a\.parquet: cannot be read"):
        read_file(tmp_path / "a.parquet", "traces")


def test_plans_bound_the_questions(runner: Runner) -> None:
    trace = make_example(runner, SOURCE, "9").traces[0]
    for most in (0, 1, 3):
        plan = QuestionPlan(control_flow=most, data_flow=most)
        kinds = [question.kind for question in choose_questions(trace, plan)]
        assert kinds.count("next_statement") == most
        assert kinds.count("variable_state") == most
        assert kinds.count("output") == 1
    every = choose_questions(trace, QuestionPlan(control_flow=None, data_flow=None))
    assert len(every) > 12
    assert choose_questions(trace, QuestionPlan(kinds=("output",)))[0].kind == "output"
    assert len(choose_questions(trace, QuestionPlan(kinds=("output",)))) == 1
    assert choose_questions(trace, QuestionPlan()) == choose_questions(trace, QuestionPlan())


def test_every_kind_names_its_source() -> None:
    for kind in kind_names():
        assert source_of(kind) == "own" or source_of(kind).startswith("https://")


LOAD = """
import json, sys
from datasets import load_dataset
found = {}
for config in ("programs", "traces", "questions", "stage1", "sft", "crpl", "problems"):
    data = load_dataset(sys.argv[1], config)
    found[config] = {split: [len(rows), rows.column_names] for split, rows in data.items()}
print(json.dumps(found))
"""


def load_with_datasets(folder: Path, cache: Path) -> dict[str, Any]:
    """What ``datasets.load_dataset`` makes of a folder, offline and in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(folder)],
        env={"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_load_dataset_reads_every_config_and_split(tmp_path: Path, rows: ExampleRows) -> None:
    """Offline, from the files and the card; a split without rows is not offered."""
    import cards
    from factory.manifest import NOT_RUN, make_manifest
    from factory.tally import Tally

    writer, tally = ShardWriter(tmp_path / "data", 2), Tally()
    for number, split in enumerate(["train", "train", "train", "test"]):
        copy = in_split(rows, split, number)
        writer.add(copy)
        tally.add(copy)
    writer.close()
    environment = {
        "versions": current_versions().as_dict(),
        "containment": {"level": "full", "layers": []},
    }
    recipe = replace(RECIPE, source=Source("templates"), splits=Shares())
    manifest = make_manifest(recipe, tally, {}, NOT_RUN, {}, environment)
    (tmp_path / "data" / "README.md").write_text(cards.render(manifest, COLUMNS), "utf-8")
    found = load_with_datasets(tmp_path / "data", tmp_path / "cache")
    for config in CONFIGS:
        number = 1 if config == "programs" else len(getattr(rows, config))
        assert found[config] == {
            "train": [3 * number, list(COLUMNS[config])],
            "test": [number, list(COLUMNS[config])],
        }
