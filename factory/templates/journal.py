"""Writes a line of a journal for every step."""

from __future__ import annotations

from factory.constraints.types import INT, STR, list_of
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to
from factory.templates.expressions import express
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    lines: Variable

    def open(self, w: Writer) -> None:
        title = w.rng.choice(("lines", "journal", "events", "log_lines"))
        self.lines = w.bind(nodes.list_display(of=STR), title=title)

    def _add(self, w: Writer, line: Expr) -> None:
        lines = nodes.name(self.lines.name, list_of(STR))
        w.emit(nodes.evaluate(w.method(lines, "append", line)))

    def absorb(self, w: Writer, expr: Expr) -> None:
        shown = to(w, expr, w.rng.choice((INT, STR)))
        if shown.type == STR and w.chance(0.3):
            self._add(w, shown)
            return
        kept = w.read(w.bind(shown)) if not _is_name(shown) else shown
        parts: list[str | Expr] = [f"{w.theme.noun} ", kept]
        if w.chance(0.5):
            parts = [express(w, w.rng.choice((STR, INT)), 0), w.rng.choice((": ", "=", " ")), kept]
        self._add(w, nodes.fstring(parts))

    def minor(self, w: Writer) -> None:
        self._add(w, nodes.literal(w.rng.choice(("skip", "none", "-", "pause"))))

    def close(self, w: Writer) -> Expr:
        lines = w.read(self.lines)
        form = w.rng.randrange(3)
        if form == 0:
            return w.method(nodes.literal("; "), "join", lines)
        return nodes.part(lines, nodes.literal(-w.rng.randint(2, 4))) if form == 1 else lines


def _is_name(expr: Expr) -> bool:
    return type(expr.node).__name__ == "Name"


TEMPLATE = Template("journal", CONTROLLED, lambda w: controlled(w, _State()))
