"""Nests of ``str`` methods."""

from __future__ import annotations

from collections.abc import Callable

from factory.constraints.types import STR
from factory.templates import nodes
from factory.templates.coercion import LIST_STR
from factory.templates.nodes import Expr
from factory.templates.targets.wrapping import Builder
from factory.templates.writer import Writer

Arguments = Callable[[Writer], list[Expr]]

_SPLITTERS = (" ", "-", ",", "_", "e", "a")


def _between(w: Writer, expr: Expr, plain: float) -> Expr:
    """What stands between two calls of a chain."""
    if w.chance(plain):
        return expr
    form = w.rng.randrange(4)
    if form == 0:
        return nodes.part(expr, w.number(1, 2))
    if form == 1:
        return nodes.part(expr, None, w.number(3, 8))
    if form == 2:
        return nodes.binary(expr, "+", w.word() if w.chance(0.3) else w.get(STR))
    return nodes.part(expr, None, None, -1)


def _chain(label: str, args: Arguments, plain: float) -> Builder:
    """``text.label(…)….label(…)``."""

    def build(w: Writer, depth: int) -> Expr:
        expr = w.get(STR)
        for turn in range(depth):
            if turn:
                expr = _between(w, expr, plain)
            expr = nodes.method(expr, label, *args(w))
        return expr

    return build


def _either(*builders: Builder) -> Builder:
    return lambda w, depth: w.rng.choice(builders)(w, depth)


def _no_arguments(w: Writer) -> list[Expr]:
    return []


def _letters(w: Writer) -> list[Expr]:
    if w.chance(0.2):
        return []
    letters = "".join(w.rng.sample("aeiorstlnd", w.rng.randint(1, 3)))
    return [nodes.literal(letters)]


def _swap(w: Writer) -> list[Expr]:
    return [w.letter(), w.letter(common=False) if w.chance(0.7) else nodes.literal("-")]


def _padding(w: Writer) -> list[Expr]:
    width = w.number(8, 16)
    if w.chance(0.3):
        width = nodes.binary(nodes.call("len", w.get(STR)), "+", w.number(2, 5))
    if w.chance(0.3):
        return [width]
    return [width, nodes.literal(w.rng.choice("*-.=~"))]


def _width(w: Writer) -> list[Expr]:
    return [w.number(6, 14)]


def _affix(w: Writer) -> list[Expr]:
    if w.chance(0.5):
        return [nodes.literal(w.rng.choice(w.theme.words)[: w.rng.randint(1, 3)])]
    return [nodes.part(w.get(STR), None, w.number(1, 2))]


def _tail(w: Writer) -> list[Expr]:
    if w.chance(0.5):
        return [nodes.literal(w.rng.choice(w.theme.words)[-w.rng.randint(1, 2) :])]
    return [nodes.part(w.get(STR), nodes.literal(-w.rng.randint(1, 2)))]


def _replace_inside(w: Writer, depth: int) -> Expr:
    inner = nodes.part(w.get(STR), None, nodes.literal(2))
    for _ in range(depth - 1):
        inner = nodes.method(inner, "replace", *_swap(w))
    return nodes.method(w.get(STR), "replace", w.letter(), inner)


def _search(label: str) -> Builder:
    def build(w: Writer, depth: int) -> Expr:
        text = w.pick(STR)
        expr = nodes.method(w.read(text), label, w.letter())
        for _ in range(depth - 1):
            if label == "find":
                start = nodes.binary(expr, "+", nodes.literal(1)) if w.chance(0.7) else expr
                expr = nodes.method(w.read(text), label, w.letter(), start)
            else:
                expr = nodes.method(w.read(text), label, w.letter(), nodes.literal(0), expr)
        return expr

    return build


def _join(w: Writer, depth: int) -> Expr:
    separators = ["-", ", ", " ", "+", "/", ""]
    w.rng.shuffle(separators)
    result = nodes.method(nodes.literal(separators[0]), "join", w.get(LIST_STR))
    for turn in range(depth - 1):
        parts = [result, w.get(STR)] if w.chance(0.6) else [w.word(), result]
        joined = nodes.literal(separators[turn + 1])
        result = nodes.method(joined, "join", nodes.list_display(*parts))
    return result


def _split(w: Writer, depth: int) -> Expr:
    expr = w.get(STR)
    for turn in range(depth):
        if turn:
            expr = nodes.item(expr, nodes.literal(w.rng.choice((0, -1))))
        expr = nodes.method(expr, "split", nodes.literal(w.rng.choice(_SPLITTERS)))
    return expr


def _partition(w: Writer, depth: int) -> Expr:
    expr = w.get(STR)
    for turn in range(depth):
        if turn:
            expr = nodes.item(expr, nodes.literal(w.rng.choice((0, 2, 2))))
        expr = nodes.method(expr, "partition", nodes.literal(w.rng.choice(_SPLITTERS)))
    return expr


BUILDERS: dict[str, Builder] = {
    "capitalize": _chain("capitalize", _no_arguments, 0.0),
    "center": _chain("center", _padding, 0.8),
    "find": _search("find"),
    "join": _join,
    "ljust": _chain("ljust", _padding, 0.8),
    "lower": _chain("lower", _no_arguments, 0.0),
    "lstrip": _chain("lstrip", _letters, 0.4),
    "partition": _partition,
    "removeprefix": _chain("removeprefix", _affix, 0.6),
    "removesuffix": _chain("removesuffix", _tail, 0.6),
    "replace": _either(_chain("replace", _swap, 0.8), _replace_inside),
    "rfind": _search("rfind"),
    "rjust": _chain("rjust", _padding, 0.8),
    "rstrip": _chain("rstrip", _letters, 0.4),
    "split": _split,
    "strip": _chain("strip", _letters, 0.4),
    "swapcase": _chain("swapcase", _no_arguments, 0.0),
    "title": _chain("title", _no_arguments, 0.0),
    "upper": _chain("upper", _no_arguments, 0.0),
    "zfill": _chain("zfill", _width, 0.5),
}
