"""Data to train on: folders, repositories of the Hub, and what is neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hub import TestHub
from hub.client import Client
from published import SEND

from factory.load import read_rows
from trainer.errors import TrainingError
from trainer.grpo import in_order
from trainer.places import Place, find_place, load_rows

ORDER = ("phase", "place", "stage1_id")
LOAD = """
import json, sys
from trainer.errors import TrainingError
from trainer.places import find_place, load_rows
try:
    rows = load_rows(find_place(sys.argv[1]), sys.argv[2], sys.argv[3])
except TrainingError as error:
    print("error: " + error.message)
    raise SystemExit(error.exit_code)
print(json.dumps(rows["stage1_id"][:]))
"""


def test_folders_win_and_repositories_may_have_a_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "owner" / "name").mkdir(parents=True)
    assert find_place("owner/name") == Place("owner/name", folder=Path("owner/name"))
    for text, name, revision in (
        ("owner/other", "owner/other", None),
        ("owner/other@v1.0.0", "owner/other", "v1.0.0"),
        ("owner/other@refs/pr/1", "owner/other", "refs/pr/1"),
        ("hf://datasets/owner/name@main", "owner/name", "main"),
        ("hf://owner/name", "owner/name", None),
    ):
        assert find_place(text) == Place(text, repository=name, revision=revision)
    (tmp_path / "owner" / "file").write_text("")
    for text in ("nothing", "a/b/c", "owner/file", "", "owner/name x", "-/"):
        with pytest.raises(TrainingError, match="no such folder"):
            find_place(text)


def test_rows_of_a_folder_in_their_published_order(drawn_dataset: Path) -> None:
    rows = load_rows(find_place(str(drawn_dataset)), "stage1")
    published = [row for row in read_rows(drawn_dataset, "stage1") if row["split"] == "train"]
    assert rows.to_list() == published
    ordered = in_order(rows, ORDER)
    expected = sorted(published, key=lambda row: tuple(row[name] for name in ORDER))
    assert ordered.to_list() == expected != published
    assert in_order(rows.remove_columns("place"), ORDER).num_rows == len(published)


def test_a_config_that_is_not_there_is_one_line(drawn_dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"no config 'sft2' .*there are: .*programs.*stage1"):
        load_rows(find_place(str(drawn_dataset)), "sft2")
    (tmp_path / "stage1").mkdir()
    (tmp_path / "stage1" / "train-00000.parquet").write_bytes(b"PAR1 broken")
    with pytest.raises(TrainingError, match="config 'stage1'"):
        load_rows(find_place(str(tmp_path)), "stage1")


@pytest.mark.hub
def test_rows_of_a_repository_are_those_of_its_folder(drawn_dataset: Path, tmp_path: Path) -> None:
    with TestHub() as hub, Client(hub.environment, tmp_path / "home") as client:
        sent = client.python(SEND, drawn_dataset, "owner/data", "v1.0.0")
        assert sent.returncode == 0, sent.stderr
        for place in ("owner/data", "owner/data@v1.0.0"):
            done = client.python(LOAD, place, "stage1", "train")
            assert done.returncode == 0, done.stderr
            local = load_rows(find_place(str(drawn_dataset)), "stage1")
            assert json.loads(done.stdout.splitlines()[-1]) == local["stage1_id"][:]
        for place, config, split, message in (
            ("owner/none", "stage1", "train", "no such repository"),
            ("owner/data@v9", "stage1", "train", "v9"),
            ("owner/data", "sft2", "train", "sft2"),
            ("owner/data", "stage1", "tests", "tests"),
        ):
            done = client.python(LOAD, place, config, split)
            assert (done.returncode, done.stdout.count("\n")) == (2, 1), done
            assert done.stdout.startswith("error: ")
            assert message in done.stdout
