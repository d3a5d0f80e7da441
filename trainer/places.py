"""Where the data are: a built folder, or a dataset repository of the Hub."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cards.model import TrainingData
from trainer.errors import HubError, TrainingError

if TYPE_CHECKING:
    from datasets import Dataset

MANIFEST = "manifest.json"
T = TypeVar("T")
_REPOSITORY = re.compile(
    r"(?:hf://(?:datasets/)?)?(?P<name>[\w][\w.-]*/[\w][\w.-]*)(?:@(?P<revision>[\w./+-]+))?"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Some data; exactly one of ``folder`` and ``repository``."""

    text: str
    folder: Path | None = None
    repository: str | None = None
    revision: str | None = None


def find_place(text: str) -> Place:
    """The folder of this name, or else ``owner/name[@revision]`` of the Hub.

    A folder that exists always wins, unless the text begins with ``hf://``.

    Raises:
        TrainingError: It is neither.
    """
    path = Path(text)
    if text and not text.startswith("hf://") and path.is_dir():
        return Place(text, folder=path)
    match = _REPOSITORY.fullmatch(text)
    if match is None or (not text.startswith("hf://") and path.exists()):
        raise TrainingError(
            f"--data {text}: no such folder (make one with `tracefoundry build --out DIR`), "
            "and not owner/name[@revision] of a Hub repository"
        )
    return Place(text, repository=match["name"], revision=match["revision"])


def find_files(folder: Path, config: str, split: str = "train") -> list[Path]:
    """The files of one config and split in a built folder.

    Raises:
        TrainingError: There are none.
    """
    files = sorted(folder.glob(f"{config}/{split}-*.parquet"))
    if not files:
        there = sorted({path.parent.name for path in folder.glob("*/*.parquet")})
        raise TrainingError(
            f"--data {folder}: no {config}/{split}-*.parquet there, so no config {config!r} to "
            f"train on; there are: {', '.join(there) or 'none'}"
        )
    return files


def load_rows(place: Place, config: str, split: str = "train") -> Dataset:
    """The rows of one config and split, in their published order.

    Args:
        place: A folder with ``<config>/<split>-*.parquet``, or a repository.
        config: Which config.
        split: Which split.

    Raises:
        HubError: The Hub or the network failed.
        TrainingError: There is no such repository, config or split, or it can't be read.
    """
    from datasets import load_dataset
    from datasets.exceptions import DatasetNotFoundError

    how: dict[str, Any]
    if place.folder is not None:
        files = find_files(place.folder, config, split)
        how = {"path": "parquet", "data_files": {split: [str(file) for file in files]}}
    else:
        how = {"path": place.repository, "name": config, "revision": place.revision}
    try:
        rows = load_dataset(**how, split=split)
    except DatasetNotFoundError as error:
        raise TrainingError(
            f"--data {place.text}: no such repository or revision, or not for this token "
            "(set HF_TOKEN, or run `hf auth login`)"
        ) from error
    except ConnectionError as error:
        raise HubError(f"--data {place.text}: the Hub can't be reached: {error}") from error
    except (ValueError, KeyError, OSError) as error:
        raise TrainingError(f"--data {place.text}: config {config!r}: {error}") from error
    except Exception as error:
        if type(error).__name__ != "DatasetGenerationError":
            raise
        reason = error.__cause__ or error
        raise TrainingError(f"--data {place.text}: config {config!r}: {reason}") from error
    return rows


def pin(place: Place) -> Place:
    """The place at the commit that its revision is now; a folder stays what it is.

    Without a network (``HF_HUB_OFFLINE``) the revision stays as it was written.

    Raises:
        HubError: The Hub or the network failed.
        TrainingError: There is no such repository or revision.
    """
    if place.repository is None:
        return place
    from huggingface_hub import HfApi
    from huggingface_hub.errors import OfflineModeIsEnabled

    name = place.repository
    try:
        found = _ask(place, lambda: HfApi().dataset_info(name, revision=place.revision))
    except OfflineModeIsEnabled:
        return place
    return replace(place, revision=found.sha)


def describe_data(place: Place, rows: int, condition: str | None) -> TrainingData:
    """What a card says of the data: name, revision, and the recipe of their manifest.

    Raises:
        HubError: The Hub or the network failed.
        TrainingError: There is no such repository or revision.
    """
    manifest = _read_manifest(place)
    recipe = manifest.get("recipe", {})
    return TrainingData(
        place.repository or Path(place.text).resolve().name,
        place.revision,
        recipe.get("hash"),
        manifest.get("seed"),
        rows,
        condition,
        on_hub=place.repository is not None,
    )


def _read_manifest(place: Place) -> dict[str, Any]:
    """The manifest of the data; empty when they have none."""
    if place.folder is not None:
        path = place.folder / MANIFEST
    else:
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import EntryNotFoundError

        name = place.repository or ""
        try:
            path = Path(
                _ask(
                    place,
                    lambda: hf_hub_download(
                        name, MANIFEST, repo_type="dataset", revision=place.revision
                    ),
                )
            )
        except EntryNotFoundError:
            return {}
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _ask(place: Place, work: Callable[[], T]) -> T:
    """Ask the Hub; offline mode and a file that is not there are told as they are.

    Raises:
        HubError: The Hub or the network failed.
        TrainingError: There is no such repository or revision.
    """
    import httpx2
    from huggingface_hub.errors import (
        EntryNotFoundError,
        HfHubHTTPError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    try:
        return work()
    except (EntryNotFoundError, OfflineModeIsEnabled):
        raise
    except (RepositoryNotFoundError, RevisionNotFoundError) as error:
        raise TrainingError(
            f"--data {place.text}: no such repository or revision, or not for this token "
            "(set HF_TOKEN, or run `hf auth login`)"
        ) from error
    except (HfHubHTTPError, httpx2.HTTPError, ConnectionError, TimeoutError) as error:
        raise HubError(f"--data {place.text}: the Hub can't be reached: {error}") from error
