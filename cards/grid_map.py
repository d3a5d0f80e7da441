"""The map of the grid: one square for each cell of type, method and level, as SVG.

Source: own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

PATH = "plots/grid_map.svg"
"""Path of its file beside the README."""
_WORDS = {"-": "impossible", ".": "left out"}
_SIDE, _STEP, _GAP, _LABEL, _TOP = 6, 7, 12, 112, 34
_COLOURS = {
    "unfilled": "#d64545",
    "one": "#b7dfb0",
    "two": "#66b266",
    "more": "#1f7a3a",
    "impossible": "#d8d8d8",
    "left out": "none",
}


def draw_grid(grid: Mapping[str, Any]) -> str:
    """The plot as SVG: a block a type, a column a method, a row a level.

    Args:
        grid: The manifest's ``grid``, with its ``cells``.
    """
    squares: dict[str, list[str]] = {name: [] for name in _COLOURS}
    texts: list[str] = []
    top, width = _TOP, _LABEL
    for type_, methods in grid["cells"].items():
        count = grid["by_type"][type_]
        label = f"{type_} {count['filled']}/{count['possible']}"
        texts.append(f'<text x="4" y="{top + 24}">{label}</text>')
        levels = 0
        for column, row in enumerate(methods.values()):
            words = row.split(" ")
            levels = len(words)
            for level, word in enumerate(words):
                place = f"M{_LABEL + column * _STEP} {top + level * _STEP}"
                squares[_kind(word)].append(f"{place}h{_SIDE}v{_SIDE}h-{_SIDE}z")
        width = max(width, _LABEL + len(methods) * _STEP)
        top += levels * _STEP + _GAP
    paths = [f'<path fill="{_COLOURS[kind]}" d="{"".join(squares[kind])}"/>' for kind in squares]
    size = f'width="{width + 8}" height="{top}" viewBox="0 0 {width + 8} {top}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            "<style>text{font:10px sans-serif;fill:#333}"
            "@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>",
            f"<title>{grid['filled']} of {grid['possible']} possible cells filled</title>",
            *_legend(),
            *texts,
            *[path for path in paths if 'd=""' not in path],
            "</svg>\n",
        ]
    )


def _kind(word: str) -> str:
    if word in _WORDS:
        return _WORDS[word]
    return ("unfilled", "one", "two", "more")[min(int(word), 3)]


def _legend() -> Iterator[str]:
    names = {
        "unfilled": "unfilled",
        "one": "1 program",
        "two": "2",
        "more": "3 or more",
        "impossible": "impossible",
    }
    left = _LABEL
    for kind, text in names.items():
        yield f'<rect x="{left}" y="8" width="9" height="9" fill="{_COLOURS[kind]}"/>'
        yield f'<text x="{left + 13}" y="16">{text}</text>'
        left += 90
