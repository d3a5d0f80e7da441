"""Mixes every result into a checksum."""

from __future__ import annotations

from factory.constraints.types import INT
from factory.templates import nodes
from factory.templates.base import CONTROLLED, Template, controlled
from factory.templates.coercion import to_int
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer

_MODULI = (97, 101, 211, 499, 997)


class _State:
    code: Variable
    modulus: int
    factor: int

    def open(self, w: Writer) -> None:
        self.modulus = w.rng.choice(_MODULI)
        self.factor = w.rng.choice((3, 7, 13, 31))
        title = w.rng.choice(("checksum", "digest", "stamp_code", "key_code"))
        self.code = w.bind(w.number(1, 40), title=title)

    def absorb(self, w: Writer, expr: Expr) -> None:
        scaled = nodes.binary(nodes.name(self.code.name, INT), "*", nodes.literal(self.factor))
        mixed = nodes.binary(scaled, "+", to_int(w, expr))
        w.emit(nodes.assign(self.code.name, nodes.binary(mixed, "%", nodes.literal(self.modulus))))

    def minor(self, w: Writer) -> None:
        w.emit(nodes.augment(self.code.name, w.rng.choice("^+"), w.number(1, 15)))

    def close(self, w: Writer) -> Expr:
        code = w.read(self.code)
        if w.chance(0.3):
            return nodes.fstring([w.theme.noun, w.rng.choice("-#:"), code])
        return code


TEMPLATE = Template("checksum", CONTROLLED, lambda w: controlled(w, _State()))
