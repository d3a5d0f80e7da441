"""Datasets on the command line: a folder, or a repository of the Hub."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from factory.cli.terminal import print_note

Place = Annotated[
    str,
    typer.Argument(
        metavar="DIR|REPO", help="A dataset folder, or owner/name[@revision] on the Hub."
    ),
]


def open_folder(place: str) -> Path:
    """The folder (or file) of this name, or a copy of the repository.

    Raises:
        UserError: It is neither, or there is no dataset in the repository.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    from factory.hub import fetch, find_place

    return fetch(find_place(place), print_note)
