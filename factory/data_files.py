"""Where DuckDB finds the files of a dataset: in a folder, or in a repository of the Hub."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from factory.errors import UserError
from factory.hub import Caller, Patience, Repository, pin, read_tree
from factory.views import PUBLISHED

if TYPE_CHECKING:
    from huggingface_hub import HfFileSystem

MANIFEST = "manifest.json"
DROPS = "drops.jsonl"
RUN = "run.yaml"
"""What the folder of a training run has."""


@dataclass(frozen=True, slots=True)
class DataFiles:
    """The files of a dataset, as DuckDB takes them."""

    place: str
    """For messages."""
    configs: Mapping[str, tuple[str, ...]]
    """Names or patterns of each config's files; the published configs first."""
    drops: str | None
    """The file of dropped rows, unless there is none or it is empty."""
    finished: bool
    """Whether the manifest is there."""
    logs: str | None = None
    """The state of a training run, which holds all that it logged."""
    filesystem: HfFileSystem | None = None
    """What reads the names, when it is not DuckDB itself."""


def local_files(folder: Path) -> DataFiles:
    """The files of a folder: a dataset, or a training run with its completions and logs.

    Raises:
        UserError: The folder is missing, or is neither.
    """
    if (folder / RUN).is_file():
        return _run_files(folder)
    drops = folder / DROPS
    return DataFiles(
        place=str(folder),
        configs={
            config: (str(_escape(folder) / config / "*.parquet"),)
            for config in find_configs(folder)
        },
        drops=str(_escape(drops)) if drops.is_file() and drops.stat().st_size else None,
        finished=(folder / MANIFEST).is_file(),
    )


def _run_files(folder: Path) -> DataFiles:
    """The completions and logs of a training run; those of the newest checkpoint until it ends."""
    configs = {}
    if any(folder.glob("completions/*.parquet")):
        configs["completions"] = (str(_escape(folder) / "completions" / "*.parquet"),)
    states = [folder / "trainer_state.json"]
    states += sorted(folder.glob("checkpoint-*/trainer_state.json"), key=_step, reverse=True)
    state = next((path for path in states if path.is_file()), None)
    if not configs and state is None:
        raise UserError(f"{folder}: a training run that has not logged anything yet")
    logs = None if state is None else str(_escape(state))
    return DataFiles(str(folder), configs, None, finished=True, logs=logs)


def _step(state: Path) -> int:
    number = state.parent.name.rpartition("-")[2]
    return int(number) if number.isdigit() else -1


def remote_files(repository: Repository, note: Callable[[str], None]) -> DataFiles:
    """The files of a repository, at the commit that its revision is now.

    They are read over the network, only the parts that a query needs; wrap queries in
    :func:`factory.hub.hub_session`.

    Args:
        repository: The dataset.
        note: Told of failures that are tried again.

    Raises:
        UserError: There is no such repository or revision, or no programs in it.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    from huggingface_hub import HfApi, HfFileSystem

    api, caller = HfApi(), Caller(Patience(), note)
    pinned = pin(repository, api, caller)
    files = caller.call(
        f"listing {repository}",
        lambda: read_tree(api, pinned.name, pinned.revision, "dataset"),
    )
    start = f"hf://datasets/{pinned}"
    configs: dict[str, list[str]] = {}
    for path in sorted(files):
        folder, name = str(PurePosixPath(path).parent), PurePosixPath(path).name
        if "/" not in folder and folder != "." and name.endswith(".parquet"):
            configs.setdefault(folder, []).append(f"{start}/{path}")
    if "programs" not in configs:
        raise UserError(f"{repository}: no dataset there (no programs/*.parquet)")
    filesystem = HfFileSystem()

    def remember() -> None:
        """DuckDB asks for every file's time again and again: this answers it from memory."""
        for config in configs:
            filesystem.ls(f"{start}/{config}", expand_info=True)

    caller.call(f"listing {repository}", remember)
    return DataFiles(
        place=str(repository),
        configs={config: tuple(configs[config]) for config in _in_order(configs)},
        drops=f"{start}/{DROPS}" if DROPS in files and files[DROPS].size else None,
        finished=MANIFEST in files,
        filesystem=filesystem,
    )


def find_configs(folder: Path) -> tuple[str, ...]:
    """Names of the folder's configs: its subfolders with Parquet files.

    Raises:
        UserError: The folder is missing, or has none.
    """
    if not folder.is_dir():
        what = "is a file, not a dataset folder" if folder.exists() else "no such folder"
        raise UserError(f"{folder}: {what}; give the folder that `tracefoundry build --out` made")
    found = [
        entry.name
        for entry in folder.iterdir()
        if entry.is_dir() and not entry.name.startswith(".") and any(entry.glob("*.parquet"))
    ]
    if "programs" not in found:
        raise UserError(
            f"{folder}: no dataset here (no programs/*.parquet); "
            f"make one with `tracefoundry build --out {folder}`"
        )
    return _in_order(found)


def _in_order(configs: Iterable[str]) -> tuple[str, ...]:
    names = set(configs)
    first = [name for name in PUBLISHED if name in names]
    return (*first, *sorted(names - set(first)))


def _escape(path: Path) -> Path:
    """The path as a glob that matches only itself."""
    return Path(re.sub(r"([\[*?])", r"[\1]", str(path.absolute())))
