"""The card never contradicts the data: everything it counts is counted again from the files."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import built_dataset
import pytest
import yaml

import cards
from factory.manifest import read_manifest
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe import load_recipe
from factory.table import COLUMNS, CONFIGS, schema


@pytest.fixture(
    scope="module", params=["file", "templates", pytest.param("many", marks=pytest.mark.slow)]
)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "templates":
        return request.getfixturevalue("small_build")
    path = tmp_path_factory.mktemp(request.param)
    if request.param == "file":
        return built_dataset.build_dataset(path)
    build(load_recipe("tiny"), path, programs=30, progress=SilentProgress())
    return path


@pytest.fixture(scope="module")
def rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows with the split of their file, read without any code of ours."""
    import pyarrow.parquet as pq

    return {
        config: [
            {**row, "file": path.name.partition("-")[0]}
            for path in sorted((folder / config).glob("*.parquet"))
            for row in pq.read_table(path, partitioning=None).to_pylist()
        ]
        for config in CONFIGS
    }


@pytest.fixture(scope="module")
def card(folder: Path) -> str:
    return (folder / "README.md").read_text("utf-8")


def header_of(card: str) -> Any:
    return yaml.safe_load(card.split("---\n")[1])


def table(card: str, first_column: str) -> list[list[str]]:
    lines = card[card.index(f"\n| {first_column} |") + 1 :].splitlines()
    rows = []
    for line in lines[2:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip(" `") for cell in line.strip("|").split("|")])
    return rows


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_rows_by_config_and_split(card: str, rows: dict[str, list[dict[str, Any]]]) -> None:
    for config, *numbers in table(card, "config"):
        files = Counter(row["file"] for row in rows[config])
        expected = [files[split] for split in ("train", "validation", "test")]
        assert list(map(number, numbers)) == [*expected, len(rows[config])]
    header = header_of(card)
    for info in header["dataset_info"]:
        files = Counter(row["file"] for row in rows[info["config_name"]])
        assert {each["name"]: each["num_examples"] for each in info["splits"]} == files
    named = {
        (each["config_name"], file["split"])
        for each in header["configs"]
        for file in each["data_files"]
    }
    assert named == {(config, row["file"]) for config in CONFIGS for row in rows[config]}


def test_levels_kinds_and_lengths(card: str, rows: dict[str, list[dict[str, Any]]]) -> None:
    for level, *numbers in table(card, "level"):
        expected = [
            sum(("none" if row["level"] is None else str(row["level"])) == level for row in rows[c])
            for c in CONFIGS
        ]
        assert list(map(number, numbers)) == expected
    kinds = Counter(row["kind"] for row in rows["questions"])
    assert {kind: number(count) for kind, count in table(card, "question kind")} == kinds
    lengths = table(card, "steps of a trace")
    for steps, count in lengths:
        low, high = map(int, steps.split("-"))
        assert number(count) == sum(low <= row["n_steps"] <= high for row in rows["traces"])
    assert sum(number(count) for _, count in lengths) == len(rows["traces"])


def test_the_grid_and_the_drops(
    card: str, folder: Path, rows: dict[str, list[dict[str, Any]]]
) -> None:
    cells = {
        (row["constraint"]["type"], row["constraint"]["method"], row["constraint"]["level"])
        for row in rows["programs"]
        if row["constraint"]
    }
    if cells:
        assert f"of which {len(cells):,} are filled" in card
    lines = (folder / "drops.jsonl").read_text().splitlines()
    dropped = sum(number(row[2]) for row in table(card, "stage")) if lines else 0
    assert dropped == len(lines)


def test_programs_of_templates_fill_every_config(small_build: Path) -> None:
    header = header_of((small_build / "README.md").read_text("utf-8"))
    assert [info["config_name"] for info in header["dataset_info"]] == list(CONFIGS)


def test_its_sentences_hold(card: str, folder: Path, rows: dict[str, list[dict[str, Any]]]) -> None:
    manifest = read_manifest(folder)
    programs, traces, questions = rows["programs"], rows["traces"], rows["questions"]
    lead = (
        f"{len(programs):,} programs, {len(traces):,} traced calls and {len(questions):,} questions"
    )
    assert lead in card
    assert {row["provenance"]["python"] for row in programs} == set(
        re.findall(r"these are of Python (.+?)\.\n", card)
    )
    assert {row["provenance"]["seed"] for row in programs} == {
        int(number) for number in re.findall(r"Recipe `.+?`, seed (\d+)", card)
    }
    assert {row["provenance"]["recipe_hash"] for row in programs} == set(
        re.findall(r"Recipe `(.+?)`, seed", card)
    )
    licences = {row["licence"] or "unknown" for row in programs}
    assert licences == set(re.findall(r"Licence of the programs: (.+)", card))
    families: dict[str, set[str]] = {}
    for row in programs:
        families.setdefault(row["family_id"], set()).add(row["file"])
    assert all(len(files) == 1 for files in families.values()), "no family stands in two splits"
    for config in CONFIGS:
        assert all(row["split"] == row["file"] for row in rows[config])
    (steps,) = re.findall(r"A trace holds at most ([\d,]+) steps", card)
    assert all(row["n_steps"] <= number(steps) for row in traces)
    assert "Only calls that return are in it" in card
    assert {row["outcome"] for row in traces} == {"returned"}
    measured = sum(row["difficulty"] is not None for row in questions)
    told = re.findall(r"Difficulty: ([\d,]+) questions were answered", card)
    assert measured == sum(map(number, told))
    assert manifest["canary"] in card
    known = {row["question_id"] for row in questions} | {None}
    asked = {each for row in rows["stage1"] for each in row["question_ids"]}
    assert asked <= known


def test_plots_show_the_same_numbers(
    folder: Path, card: str, rows: dict[str, list[dict[str, Any]]]
) -> None:
    named = re.findall(r"!\[.+\]\((plots/.+\.svg)\)", card)
    assert sorted(named) == sorted(
        str(path.relative_to(folder)) for path in (folder / "plots").iterdir()
    )
    kinds = Counter(row["kind"].replace("_", " ") for row in rows["questions"])
    plot = (folder / "plots" / "question_kinds.svg").read_text("utf-8")
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", plot)[1:]
    assert {texts[i]: number(texts[i + 1]) for i in range(0, len(texts), 2)} == kinds


def test_types_are_those_that_datasets_reads(card: str) -> None:
    import datasets

    for info in header_of(card)["dataset_info"]:
        expected = datasets.Features.from_arrow_schema(schema(info["config_name"]))
        assert info["features"] == expected._to_yaml_list()


def test_files_are_rendered_from_the_manifest_alone(folder: Path) -> None:
    files = cards.card_files(read_manifest(folder), COLUMNS)
    for path, content in files.items():
        assert (folder / path).read_bytes() == content


def test_the_python_example_runs_and_a_lost_row_is_found(
    folder: Path, card: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets
    import pyarrow.parquet as pq

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    datasets.disable_progress_bars()
    code = re.findall(r"```python\n(.+?)```", card, re.DOTALL)[0]
    names: dict[str, Any] = {}
    exec(code.replace("PATH_OR_REPO", str(folder)), names)
    for config in CONFIGS:
        total = sum(read_manifest(folder)["counts"][config]["by_split"].values())
        assert sum(names[config].num_rows.values()) == total
    copied = Path(shutil.copytree(folder, tmp_path / "copy"))
    file = max((copied / "questions").iterdir(), key=lambda path: path.stat().st_size)
    pq.write_table(pq.read_table(file).slice(1), file)
    with pytest.raises(datasets.exceptions.NonMatchingSplitsSizesError):
        datasets.load_dataset(str(copied), "questions")


def test_the_sql_examples_run(folder: Path, card: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    monkeypatch.chdir(folder)
    sql = re.findall(r"```sql\n(.+?)```", card, re.DOTALL)[0]
    statements = [each for each in sql.split(";") if each.strip()]
    assert len(statements) == 3
    for statement in statements:
        assert duckdb.sql(statement).fetchall()
