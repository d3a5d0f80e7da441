"""Datasets on the command line: a folder, or a repository of the Hub."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factory.cli.terminal import print_note

if TYPE_CHECKING:
    from factory.recipe_records import Recipe

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


def fetch_source(recipe: Recipe) -> Recipe:
    """The recipe with the file of its repository, if it names one, on this machine.

    Raises:
        UserError: There is no such repository, revision or file.
        InfrastructureError: The Hub or the network failed in every attempt.
    """
    from factory.errors import UserError
    from factory.hub import fetch_file
    from factory.hub.places import parse_repository

    source = recipe.source
    if source.repo is None or source.path is None:
        return recipe
    place = parse_repository(source.repo)
    if place is None:
        raise UserError(f"source.repo: {source.repo!r} is not owner/name[@revision]")
    copy = fetch_file(place, source.path, print_note)
    return replace(recipe, source=replace(source, path=str(copy)))
