"""Builds a string piece by piece; a long one keeps its tail only."""

from __future__ import annotations

from factory.constraints.types import STR
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to_str
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer


class _State:
    line: Variable
    joint: str

    def open(self, w: Writer) -> None:
        self.joint = w.rng.choice(("", "-", " ", "/", "|"))
        start = nodes.literal("") if w.chance(0.6) else w.word()
        self.line = w.bind(start, title=w.rng.choice(("line", "text_out", "message", "banner")))

    def _line(self) -> Expr:
        return nodes.name(self.line.name, STR)

    def absorb(self, w: Writer, expr: Expr) -> None:
        piece = to_str(w, expr)
        if self.joint and w.chance(0.5):
            piece = nodes.binary(piece, "+", nodes.literal(self.joint))
        if len(w.blueprint) > 2 or w.chance(0.2):
            joined = nodes.binary(self._line(), "+", piece)
            kept = nodes.part(joined, nodes.literal(-w.rng.randint(12, 30)))
            w.emit(nodes.assign(self.line.name, kept))
        else:
            w.emit(nodes.augment(self.line.name, "+", piece))

    def minor(self, w: Writer) -> None:
        if w.chance(0.4):
            w.emit(nodes.assign(self.line.name, nodes.part(self._line(), w.number(1, 2))))
        else:
            w.emit(nodes.augment(self.line.name, "+", nodes.literal(w.rng.choice("#.~+"))))

    def close(self, w: Writer) -> Expr:
        line = w.read(self.line)
        form = w.rng.randrange(4)
        if form == 0:
            return w.method(line, "strip")
        if form == 1:
            return nodes.tuple_display(line, nodes.call("len", self._line()))
        return line


TEMPLATE = Template("compose", CONTROLLED, lambda w: controlled(w, _State()))
