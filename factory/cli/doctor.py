"""``tracefoundry doctor``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from factory.cli.terminal import open_console, print_json


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show what this machine offers and what each lack costs.

    Looked at are Python, packages, extras, GPU, sandbox layers, other interpreters, disk space
    and whether there is a Hub token (which is never shown).
    """
    from factory.doctor import examine

    checks = examine()
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
        return

    from rich.text import Text

    signs = {
        "ok": ("ok     ", "green"),
        "warning": ("warning", "yellow"),
        "missing": ("missing", "red"),
    }
    console = open_console()
    area = ""
    for check in checks:
        if check.area != area:
            area = check.area
            console.print(Text(area, style="bold"))
        console.print(Text.assemble("  ", signs[check.status], f" {check.name}: {check.found}"))
        if check.cost:
            console.print(Text(f"            costs: {check.cost}", style="dim"))
        if check.mend:
            console.print(Text(f"            mend: {check.mend}", style="dim"))
