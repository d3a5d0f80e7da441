"""The model card's curves: small SVG line charts of what training logged.

Source: own.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from cards.plots import COLOURS
from cards.rendering import number_text

WIDTH, HEIGHT = 420, 220
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 34, 34
"""Margins around the lines."""


def curve_svg(title: str, points: Sequence[tuple[int, float]]) -> str:
    """A line chart as an SVG file.

    Args:
        title: Shown above it.
        points: Steps and finite values, in the order of the steps; at least one.

    Raises:
        ValueError: There are no points.
    """
    if not points:
        raise ValueError(f"the curve {title!r} has no points")
    first, last = points[0][0], points[-1][0]
    values = [value for _, value in points]
    low, high = min(values), max(values)

    def place(step: int, value: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * (step - first) / ((last - first) or 1)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / ((high - low) or 1)
        return f"{x:.1f},{y:.1f}"

    line = " ".join(place(*point) for point in points)
    spoken = (
        f"{title}: from {number_text(values[0])} at step {first} to {number_text(values[-1])} "
        f"at step {last}"
    )
    base = HEIGHT - BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{escape(spoken)}">',
        COLOURS,
        _text(0, 18, title, "plot-text", 'font-size="15" font-weight="600"'),
        f'<path class="plot-line" fill="none" d="M{LEFT} {TOP}V{base}H{WIDTH - RIGHT}"/>',
        f'<polyline class="plot-curve" fill="none" stroke-width="2" points="{line}"/>',
        _text(LEFT - 8, TOP + 10, number_text(high), "plot-quiet", _END),
        _text(LEFT - 8, base, number_text(low), "plot-quiet", _END),
        _text(LEFT, base + 18, str(first), "plot-quiet", 'font-size="12"'),
        _text(WIDTH - RIGHT, base + 18, f"step {last}", "plot-quiet", _END),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


_END = 'font-size="12" text-anchor="end"'


def _text(x: float, y: float, text: str, kind: str, more: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" {more}>{escape(text)}</text>'
