"""Where the data are: a built folder, or a dataset repository of the Hub."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainer.errors import HubError, TrainingError

if TYPE_CHECKING:
    from datasets import Dataset

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
        files = sorted(place.folder.glob(f"{config}/{split}-*.parquet"))
        if not files:
            there = sorted({path.parent.name for path in place.folder.glob("*/*.parquet")})
            raise TrainingError(
                f"--data {place.text}: no {config}/{split}-*.parquet there, so no config "
                f"{config!r} to train on; there are: {', '.join(there) or 'none'}"
            )
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
