"""The order of a release: check the files, compare, audit, send."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from factory.audit import AuditReport, audit
from factory.errors import UserError
from factory.hub.calls import Patience
from factory.hub.places import parse_repository
from factory.progress import Progress
from factory.publishing.bundle import Address, Bundle, collect
from factory.publishing.folder import FolderDestination
from factory.publishing.plan import Plan
from factory.publishing.repository import HubDestination
from factory.publishing.sent import Sent

FOLDER_PREFIX = "file:"
_TAG = re.compile(r"v\d+\.\d+\.\d+(?:[-+.][\w.+-]*\w)?")


@dataclass(frozen=True, slots=True)
class Wishes:
    """How to publish."""

    private: bool = False
    """Make the repository private; an existing public one is refused."""
    tag: str | None = None
    """``vX.Y.Z``, set when everything is there."""
    pull_request: bool = False
    """Open a pull request instead of committing to the main branch."""
    dry_run: bool = False
    sample: int | None = None
    """Programs to audit; ``None``: all."""
    allow_unlicensed: bool = False


class Destination(Protocol):
    """Where a release goes."""

    url: str
    address: Address
    """What the card says of it."""

    def look(self, bundle: Bundle) -> tuple[Plan, Sent | None]:
        """What is to be changed there; and, when nothing is left to do, what there is.

        Raises:
            UserError: The bundle cannot go there.
            InfrastructureError: The Hub or the network failed in every attempt.
        """

    def open(self) -> None:
        """See that sending is allowed, before the audit begins.

        Raises:
            UserError: There is no token, or the Hub does not know it.
            InfrastructureError: The Hub or the network failed in every attempt.
        """

    def send(self, bundle: Bundle) -> Sent:
        """Change it, all at once.

        Raises:
            UserError: The destination refuses.
            InfrastructureError: The Hub or the network failed in every attempt.
        """


@dataclass(frozen=True, slots=True)
class Release:
    """What publishing did, or (dry run) would do."""

    bundle: Bundle
    url: str
    plan: Plan
    audited: AuditReport | None
    """``None`` when nothing was sent, and for a model."""
    sent: Sent | None
    """``None`` when something is left to do: after a dry run, or a failed audit."""

    @property
    def ok(self) -> bool:
        """Whether the audit, where there was one, found nothing."""
        return self.audited is None or self.audited.ok


def publish(
    folder: Path,
    target: str,
    wishes: Wishes,
    *,
    audited: AuditReport | None = None,
    workers: int = 1,
    progress: Progress,
    note: Callable[[str], None],
    patience: Patience | None = None,
) -> Release:
    """Publish a folder that ``build`` or ``train`` made.

    Args:
        folder: The dataset or model.
        target: ``owner/name``, or ``file:DIR`` for a folder.
        wishes: How.
        audited: An audit of this folder that was just made; without one it is audited here.
        workers: Processes of the audit.
        progress: Told of audited programs and sent files.
        note: Told of failures that are tried again, one line each.
        patience: Bounds of the retries.

    Raises:
        UserError: The folder cannot be published, or the target refuses it.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    destination = _destination(target, wishes, progress, note, patience or Patience())
    bundle = collect(folder, destination.address, allow_unlicensed=wishes.allow_unlicensed)
    plan, there = destination.look(bundle)
    if there is not None or wishes.dry_run:
        return Release(bundle, destination.url, plan, None, there)
    destination.open()
    if bundle.kind == "dataset":
        if audited is None:
            audited = audit(folder, wishes.sample, progress, workers=workers)
        if not audited.ok:
            return Release(bundle, destination.url, plan, audited, None)
    return Release(bundle, destination.url, plan, audited, destination.send(bundle))


def _destination(
    target: str,
    wishes: Wishes,
    progress: Progress,
    note: Callable[[str], None],
    patience: Patience,
) -> Destination:
    if wishes.tag is not None and not _TAG.fullmatch(wishes.tag):
        raise UserError(f"--tag {wishes.tag}: not of the form vX.Y.Z")
    if wishes.tag is not None and wishes.pull_request:
        raise UserError("--tag and --pr: tag it when the pull request is merged")
    if target.startswith(FOLDER_PREFIX):
        if wishes.private or wishes.tag or wishes.pull_request:
            raise UserError(f"{target}: --private, --tag and --pr are for repositories of the Hub")
        return FolderDestination(Path(target.removeprefix(FOLDER_PREFIX)), progress)
    repository = parse_repository(target)
    if repository is None or repository.revision is not None:
        raise UserError(f"{target}: give owner/name of a Hub repository, or file:DIR for a folder")
    return HubDestination(
        repository.name,
        private=wishes.private,
        tag=wishes.tag,
        pull_request=wishes.pull_request,
        progress=progress,
        note=note,
        patience=patience,
    )
