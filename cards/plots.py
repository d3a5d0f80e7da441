"""The card's plots: small SVG bar charts of what the manifest counts, the same bytes every time.

A plot is used twice: as a file beside the README, with colours of its own for light and dark, and
inside a page, whose style sheet colours the classes ``plot-bar``, ``plot-soft``, ``plot-text`` and
``plot-quiet``.

Source: own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

WIDTH = 420
"""Width of a plot in its own units; it is shown at any size."""
LABEL_WIDTH = 132
ROW_HEIGHT = 24
BAR_HEIGHT = 15
TITLE_HEIGHT = 34
NUMBER_WIDTH = 88
"""Room to the right of the longest bar for its number."""
LEGEND_HEIGHT = 24
LABEL_CHARS = 18
LEGEND_STEP = 110

COLOURS = """<style>
svg { font-family: system-ui, sans-serif; }
.plot-bar { fill: #3f77c9; } .plot-soft { fill: #c3cede; }
.plot-line { stroke: #d8dde5; } .plot-curve { stroke: #3f77c9; }
.plot-text { fill: #1b2330; } .plot-quiet { fill: #566072; }
@media (prefers-color-scheme: dark) {
  .plot-bar { fill: #6d9fe8; } .plot-soft { fill: #3a4658; }
  .plot-line { stroke: #333d4c; } .plot-curve { stroke: #6d9fe8; }
  .plot-text { fill: #e4e9f1; } .plot-quiet { fill: #a3aec0; }
}
</style>"""
"""For a plot that is a file of its own; an image has the system's scheme, not the page's."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a plot."""

    label: str
    parts: tuple[int, ...]
    """Lengths of its parts, from left to right."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A bar chart with one row a bar."""

    name: str
    """Name of its file, without the ending."""
    title: str
    bars: tuple[Bar, ...]
    legend: tuple[str, ...] = ()
    """What the parts of a bar are; empty when each bar has one."""

    @property
    def path(self) -> str:
        """Path of its file beside the README."""
        return f"plots/{self.name}.svg"

    def as_file(self) -> str:
        """The SVG file."""
        return self._svg(COLOURS)

    def as_element(self) -> str:
        """The ``svg`` element for a page that has the colours."""
        return self._svg("")

    def _svg(self, style: str) -> str:
        legend = LEGEND_HEIGHT if self.legend else 0
        height = TITLE_HEIGHT + ROW_HEIGHT * len(self.bars) + legend + 6
        longest = max((sum(bar.parts) for bar in self.bars), default=0) or 1
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" role="img" aria-label="{escape(self._spoken())}">',
            style,
            _text(0, 18, self.title, "plot-text", 'font-size="15" font-weight="600"'),
            *(
                piece
                for place, bar in enumerate(self.bars)
                for piece in _row(bar, TITLE_HEIGHT + place * ROW_HEIGHT, longest)
            ),
            *self._legend(TITLE_HEIGHT + ROW_HEIGHT * len(self.bars) + 4),
            "</svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    def _legend(self, top: int) -> list[str]:
        pieces = []
        for place, name in enumerate(self.legend):
            x = LABEL_WIDTH + LEGEND_STEP * place
            pieces.append(f'<rect class="{_KINDS[place]}" x="{x}" y="{top}" {_SWATCH}/>')
            pieces.append(_text(x + 18, top + 11, name, "plot-quiet", 'font-size="12"'))
        return pieces

    def _spoken(self) -> str:
        """The plot as a sentence."""
        rows = "; ".join(f"{bar.label}: {_numbers(bar)}" for bar in self.bars)
        parts = f" ({' and '.join(self.legend)})" if self.legend else ""
        return f"{self.title}{parts}: {rows}"


_FILLED = ("filled", "not filled")
_KINDS = ("plot-bar", "plot-soft")
_SWATCH = 'width="12" height="12" rx="2"'


def plots(manifest: Mapping[str, Any]) -> tuple[Plot, ...]:
    """The plots of a dataset: levels, question kinds, lengths of traces, coverage of the grid.

    One that the manifest has no numbers for is left out.
    """
    counts = manifest["counts"]
    found = [
        _counted("levels", "Programs by level", levels_in_order(counts["programs"]["by_level"])),
        _counted(
            "question_kinds", "Questions by kind", counts["questions"]["by_kind"], spaced=True
        ),
        _counted("trace_lengths", "Traces by number of steps", counts["traces"].get("by_length")),
        _grid(manifest["grid"]),
    ]
    return tuple(plot for plot in found if plot is not None and plot.bars)


def levels_in_order(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts by level from the lowest level up; ``none`` is last."""
    numbered = sorted((level for level in counts if level.isdecimal()), key=int)
    order = [*numbered, *sorted(set(counts) - set(numbered))]
    return {level: counts[level] for level in order}


def _counted(
    name: str, title: str, counts: Mapping[str, int] | None, *, spaced: bool = False
) -> Plot | None:
    bars = tuple(
        Bar(label.replace("_", " ") if spaced else label, (number,))
        for label, number in (counts or {}).items()
    )
    return Plot(name, title, bars)


def _grid(grid: Mapping[str, Any]) -> Plot | None:
    """Filled and empty cells by type."""
    if not grid["possible"]:
        return None
    bars = tuple(
        Bar(type_, (count["filled"], count["possible"] - count["filled"]))
        for type_, count in grid["by_type"].items()
    )
    return Plot("grid", "Cells of the grid with a program", bars, _FILLED)


def _row(bar: Bar, top: int, longest: int) -> Sequence[str]:
    middle = top + BAR_HEIGHT - 3
    label = bar.label if len(bar.label) <= LABEL_CHARS else bar.label[: LABEL_CHARS - 1] + "…"
    pieces = [
        _text(LABEL_WIDTH - 8, middle, label, "plot-quiet", 'font-size="13" text-anchor="end"')
    ]
    room = WIDTH - LABEL_WIDTH - NUMBER_WIDTH
    x = float(LABEL_WIDTH)
    for kind, part in zip(_KINDS, bar.parts, strict=False):
        width = round(room * part / longest, 1)
        if width:
            pieces.append(
                f'<rect class="{kind}" x="{round(x, 1)}" y="{top}" width="{width}" '
                f'height="{BAR_HEIGHT}" rx="2"/>'
            )
        x += width
    pieces.append(_text(round(x + 6, 1), middle, _numbers(bar), "plot-text", 'font-size="13"'))
    return pieces


def _numbers(bar: Bar) -> str:
    """``12``, or ``12 of 20`` where the bar has a second part."""
    first, *rest = bar.parts
    return f"{first:,} of {sum(bar.parts):,}" if rest else f"{first:,}"


def _text(x: float, y: float, text: str, kind: str, more: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" {more}>{escape(text)}</text>'
