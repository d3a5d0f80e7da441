"""The card of a dataset: the ``README.md`` beside its configs, and the plots that it shows."""

from __future__ import annotations

from cards import grid_map
from cards.header import SPLITS, Columns, Manifest, filled_configs, header, type_text
from cards.plots import levels_in_order, plots
from cards.rendering import render_template
from cards.reports import report_text

README = "README.md"
PLACE = "PATH_OR_REPO"
"""Stands for the dataset's own place in a card that does not know it."""


def render(
    manifest: Manifest, columns: Columns, repo: str | None = None, tag: str | None = None
) -> str:
    """The README of a dataset folder.

    Args:
        manifest: What ``manifest.json`` holds.
        columns: Type of every column, by config: ``str``, ``("list", type)`` or a dict of the
            fields of a struct.
        repo: Id of its repository on the Hub, for the examples.
        tag: The release's tag there, for the examples; ``None``: they read the newest state.

    Raises:
        jinja2.UndefinedError: The manifest lacks something that the card tells.
    """
    return render_template(
        "dataset",
        header=header(manifest, columns),
        columns={
            config: {name: type_text(kind) for name, kind in kinds.items()}
            for config, kinds in columns.items()
        },
        filled=filled_configs(manifest, columns),
        place=repo or PLACE,
        tag=tag,
        files="" if repo is None else f"hf://datasets/{repo}{f'@{tag}' if tag else ''}/",
        plots=plots(manifest),
        grid_map=grid_map.PATH,
        levels=tuple(levels_in_order(manifest["counts"]["programs"]["by_level"])),
        report=report_text,
        splits=SPLITS,
        **manifest,
    )


def card_files(
    manifest: Manifest, columns: Columns, repo: str | None = None, tag: str | None = None
) -> dict[str, bytes]:
    """Every file of the card by its path in the dataset folder: the README and its plots.

    Raises:
        jinja2.UndefinedError: The manifest lacks something that the card tells.
    """
    files = {README: render(manifest, columns, repo, tag).encode("utf-8")}
    for plot in plots(manifest):
        files[plot.path] = plot.as_file().encode("utf-8")
    if manifest["grid"].get("cells"):
        files[grid_map.PATH] = grid_map.draw_grid(manifest["grid"]).encode("utf-8")
    return files
