"""``tracefoundry diff``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from factory.cli.places import open_folder
from factory.cli.terminal import open_console, print_json, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from factory.difference import Difference

EXAMPLES = 5


def diff(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A dataset folder, or a repository of the Hub.")
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    rows: Annotated[
        int,
        typer.Option("--rows", min=0, metavar="N", help="Most ids named of each sort of change."),
    ] = EXAMPLES,
) -> None:
    """Show what differs between two builds: rows, recipe, seed, versions, numbers.

    Rows are matched by id and compared column by column. That builds differ is a good result: exit
    code 0.

    Example: tracefoundry diff old new
    """
    from factory.difference import compare_datasets

    one, other = (open_folder(place) for place in (first, second))
    found = compare_datasets(one, other, rows)
    if as_json:
        print_json({"first": first, "second": second, "same": found.same, **asdict(found)})
    else:
        print_difference(open_console(), found)


def print_difference(console: Console, found: Difference) -> None:
    """Print the numbers of each config, ids, columns and settings."""
    from rich.text import Text

    if found.same:
        console.print(Text("the same rows, recipe and versions", style="green"))
    columns = ("config", "rows in A", "rows in B", "added", "gone", "changed")
    table = [(c.config, *c.rows, c.added, c.gone, c.changed) for c in found.configs]
    print_table(console, "rows", columns, table)
    for config in found.configs:
        for name, ids in config.examples:
            total = getattr(config, name)
            more = f" and {total - len(ids)} more" if total > len(ids) else ""
            console.print(f"{config.config} {name}: {', '.join(ids)}{more}", soft_wrap=True)
        for sort, names in (("new", config.new_columns), ("lost", config.lost_columns)):
            if names:
                console.print(f"{config.config}, {sort} columns: {', '.join(names)}")
    changed = [(c.config, name, number) for c in found.configs for name, number in c.columns]
    if changed:
        print_table(console, "changed columns", ("config", "column", "rows"), changed)
    if found.settings:
        settings = [(each.key, each.first, each.second) for each in found.settings]
        print_table(console, "settings", ("key", "A", "B"), settings)
