"""The curves of a run as a PNG, a panel for each logged number; needs matplotlib.

Source: own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trainer.card import curve_of

FILE = "curves.png"
COLUMNS = 3
_WIDTH, _HEIGHT = 4.2, 2.6


def draw_curves(
    out: Path, title: str, logs: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> str:
    """Draw what was logged of some numbers into the folder of a run.

    Args:
        out: The folder.
        title: Of the picture.
        logs: What the trainer logged, in its order.
        names: Which numbers; those that were not logged are left out.

    Returns:
        A line for the user: where the picture is, or what it needs.
    """
    if find_spec("matplotlib") is None:
        return "no picture of the curves: pip install 'tracefoundry[plots]'"
    curves = [curve for name in names if (curve := curve_of(name, logs)).points]
    if not curves:
        return "no picture of the curves: nothing was logged"
    from matplotlib.figure import Figure

    rows = math.ceil(len(curves) / COLUMNS)
    figure = Figure(figsize=(COLUMNS * _WIDTH, rows * _HEIGHT), layout="constrained")
    for place, curve in enumerate(curves, 1):
        axis = figure.add_subplot(rows, COLUMNS, place)
        axis.plot(*zip(*curve.points, strict=True), color="#3f77c9", linewidth=1.2)
        axis.set_title(curve.name, fontsize=9)
        axis.tick_params(labelsize=8)
        axis.grid(alpha=0.3)
    figure.suptitle(title, fontsize=10)
    figure.savefig(out / FILE, dpi=100)
    return f"the curves are in {out / FILE}"
