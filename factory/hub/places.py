"""Where a dataset is: a folder of this machine, or a repository of the Hub."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from factory.errors import UserError

_NAME = r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9_])?"
_REPOSITORY = re.compile(
    rf"(?:hf://(?:datasets/)?)?(?P<name>{_NAME}/{_NAME})(?:@(?P<revision>[\w./+-]+))?"
)


@dataclass(frozen=True, slots=True)
class Repository:
    """A dataset repository, at its newest state or at one revision."""

    name: str
    """``owner/name``."""
    revision: str | None = None
    """A branch, tag, ``refs/pr/N`` or commit; ``None``: the main branch."""

    def __str__(self) -> str:
        return self.name if self.revision is None else f"{self.name}@{self.revision}"


def parse_repository(text: str) -> Repository | None:
    """The repository that ``owner/name``, ``owner/name@revision`` or an ``hf://`` URL names."""
    match = _REPOSITORY.fullmatch(text)
    return Repository(match["name"], match["revision"]) if match else None


def find_place(text: str) -> Path | Repository:
    """The folder or file of this name, or else the repository.

    A path that exists always wins; ``hf://datasets/owner/name`` is never a path.  A path whose
    parent exists is taken for a misspelt one, and not looked for on the network.

    Raises:
        UserError: It is neither.
    """
    path = Path(text)
    explicit = text.startswith("hf://")
    if not explicit and path.exists():
        return path
    repository = parse_repository(text)
    if repository is None:
        raise UserError(
            f"{text}: no such folder (make one with `tracefoundry build --out {text}`), "
            "and not owner/name[@revision] of a Hub repository"
        )
    if not explicit and path.parent.exists():
        raise UserError(
            f"{text}: no such folder (make one with `tracefoundry build --out {text}`); "
            f"a Hub repository of this name is hf://datasets/{text}"
        )
    return repository
