"""`tracefoundry diff`: rows added, gone and changed, and settings."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import built_dataset
import command_line
import pytest

from factory.difference import Setting, compare_datasets
from factory.load import find_shards, read_file
from factory.store import write_rows


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_dataset.build_dataset(tmp_path_factory.mktemp("built"))


@pytest.fixture
def copied(dataset: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(dataset, tmp_path / "copy"))


def edit(folder: Path, config: str, change: Any) -> None:
    """Rewrite the largest file of a config with `change(rows)`."""
    paths = [folder / shard.path(config) for shard in find_shards(folder)]
    path = max(paths, key=lambda each: each.stat().st_size)
    rows = read_file(path, config).to_pylist()
    write_rows(path, config, change(rows))


def edit_manifest(folder: Path, change: Any) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


def test_a_copy_is_the_same(
    dataset: Path, copied: Path, tracefoundry: command_line.Command
) -> None:
    assert compare_datasets(dataset, copied).same
    done = tracefoundry("diff", dataset, copied)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("the same rows")
    assert json.loads(tracefoundry("diff", dataset, copied, "--json").stdout)["same"]


def test_rows_added_gone_and_changed_are_named(
    dataset: Path, copied: Path, tracefoundry: command_line.Command
) -> None:
    gone: list[str] = []
    changed: list[str] = []

    def change(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        gone.append(rows[0]["question_id"])
        changed.append(rows[1]["question_id"])
        rows[1]["key"] = "another"
        rows[1]["valid"] = ["x"]
        return [*rows[1:], {**rows[2], "question_id": "new"}]

    edit(copied, "questions", change)
    found = compare_datasets(dataset, copied)
    (questions,) = (each for each in found.configs if each.config == "questions")
    assert (questions.added, questions.gone, questions.changed) == (1, 1, 1)
    assert dict(questions.columns) == {"key": 1, "valid": 1}
    assert dict(questions.examples) == {
        "added": ("new",),
        "gone": tuple(gone),
        "changed": tuple(changed),
    }
    back = compare_datasets(copied, dataset)
    (questions,) = (each for each in back.configs if each.config == "questions")
    assert dict(questions.examples) == {
        "added": tuple(gone),
        "gone": ("new",),
        "changed": tuple(changed),
    }
    done = tracefoundry("diff", dataset, copied)
    assert done.returncode == 0
    for text in ("questions added: new", f"questions gone: {gone[0]}", "key"):
        assert text in done.stdout


@pytest.mark.parametrize(
    ("config", "column", "value"),
    [
        ("programs", "metrics", {"lines": 1, "statements": 1, "max_nesting": 1, "calls": 99}),
        ("programs", "licence", "MIT"),
        ("traces", "change_value", ["1"]),
        ("traces", "completed", []),
        ("traces", "output_value", None),
        ("questions", "difficulty", {"n": 1, "passes": 0, "model": "m"}),
    ],
)
def test_any_value_counts(
    config: str, column: str, value: Any, dataset: Path, copied: Path
) -> None:
    def change(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**rows[0], column: value}, *rows[1:]]

    edit(copied, config, change)
    found = compare_datasets(dataset, copied)
    assert {(each.config, each.changed) for each in found.configs if each.changed} == {(config, 1)}
    assert [each.columns for each in found.configs if each.columns] == [((column, 1),)]


def test_settings_that_differ_are_named(
    dataset: Path, copied: Path, tracefoundry: command_line.Command
) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["seed"] = 99
        manifest["recipe"]["inputs"]["mutants"] = 7
        manifest["environment"]["versions"]["python"] = "3.99"
        manifest["environment"]["seconds"] = 1e9
        del manifest["recipe"]["dedupe"]

    edit_manifest(copied, change)
    found = compare_datasets(dataset, copied)
    assert set(found.settings) == {
        Setting("seed", 3, 99),
        Setting("recipe.inputs.mutants", 1, 7),
        Setting("recipe.dedupe", found.settings[1].first, None),
        Setting("environment.versions.python", found.settings[-1].first, "3.99"),
    }
    assert "recipe.inputs.mutants" in tracefoundry("diff", dataset, copied).stdout


def test_configs_and_columns_that_one_lacks(dataset: Path, copied: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    (copied / "extra").mkdir()
    pq.write_table(pa.table({"id": ["a", "b"], "n": [1, 2]}), copied / "extra" / "x.parquet")
    for shard in find_shards(copied):
        path = copied / shard.path("programs")
        table = read_file(path, "programs")
        pq.write_table(table.drop_columns(["licence"]).append_column("more", table["split"]), path)
    found = {each.config: each for each in compare_datasets(dataset, copied).configs}
    assert found["extra"].rows == (0, 2)
    assert found["extra"].added == 2
    assert found["programs"].lost_columns == ("licence",)
    assert found["programs"].new_columns == ("more",)
    assert found["programs"].changed == 0


@pytest.mark.parametrize("folders", [("nowhere", "."), (".", "nowhere")])
def test_mistakes_are_one_clear_line(
    folders: tuple[str, str],
    dataset: Path,
    tracefoundry: command_line.Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(dataset)
    done = tracefoundry("diff", *folders)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "nowhere" in done.stderr
