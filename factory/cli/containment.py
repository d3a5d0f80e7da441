"""Says on standard error which layers of containment programs run without."""

from __future__ import annotations

import os
from typing import Any

from factory.cli.terminal import print_note
from factory.errors import UserError

RUNNING = frozenset({"audit", "build", "demo", "publish", "score", "trace"})
"""Commands that run programs."""


def check_switch(command: str) -> None:
    """Refuse a switch that names no layer; warn when ``command`` runs programs with some off.

    Raises:
        UserError: The environment names a layer that doesn't exist.
    """
    from tracer.inside.layers import SWITCH, layers_off

    try:
        names = layers_off(os.environ)
    except ValueError as error:
        raise UserError(str(error)) from None
    if names and command in RUNNING:
        print_note(f"warning: {SWITCH} leaves out {', '.join(sorted(names))}")


def warn_of_missing_layers(manifest: dict[str, Any]) -> None:
    """Name the layers that this machine lacked in a build; those switched off were named before."""
    from tracer.inside.layers import layers_off

    layers = manifest["environment"]["containment"]["layers"]
    off = layers_off(os.environ)
    missing = [
        f"{layer['name']} ({layer['reason']})"
        for layer in layers
        if not layer["active"] and layer["name"] not in off
    ]
    if missing:
        print_note(f"warning: the sandbox was without {', '.join(missing)}")
