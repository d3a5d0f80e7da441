"""Expressions and statements written as text with holes, read once and filled many times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.expressions import Expressions
from factory.constraints.library import CLASSES, MODULES
from factory.constraints.scope import Scope
from factory.constraints.syntax import OPERATORS
from factory.constraints.types import UNKNOWN, Type
from factory.templates.nodes.expr import Expr, inside

_HOLE = re.compile(r"_(full|ints|small)?|[A-Z]{1,12}\d?")
_NO_HOLES = frozenset(name for names in CLASSES.values() for name in names)
_ATOM = 20
_BINDINGS = {
    "**": 15, "*": 13, "/": 13, "//": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "&": 10,
    "^": 9, "|": 8,
}  # fmt: skip
_UNARY = 14
_COMPARE = 7
_NOT = 6
_AND = 5
_OR = 4
_CONDITIONAL = 3
_FUNCTIONS = {
    "asdict": "dataclasses",
    "astuple": "dataclasses",
    "replace": "dataclasses",
    "make_dataclass": "dataclasses",
    **{name: module for module, names in CLASSES.items() for name in names},
}
"""Where names that stand alone in a form come from."""

Path = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Hole:
    """A place in a form that an expression fills."""

    name: str
    path: Path
    """Attributes (with an index where they are sequences) from the root to the place."""
    binding: int
    """How tightly the expression must bind to go without parentheses."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form that was read."""

    text: str
    node: cst.CSTNode
    holes: tuple[Hole, ...]
    modules: frozenset[str]
    """Modules that it names."""
    imports: frozenset[tuple[str, str]]
    """Module and name of everything else that it needs."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the holes, each once, in order of appearance."""
        return tuple(dict.fromkeys(hole.name for hole in self.holes))


@cache
def read_form(text: str) -> Form:
    """Reads a form: an expression, or a simple statement."""
    node: cst.CSTNode
    try:
        node = cst.parse_expression(text)
    except cst.ParserSyntaxError:
        line = cst.parse_statement(text)
        assert isinstance(line, cst.SimpleStatementLine)
        node = line
    names = list(_names(node, ()))
    holes = tuple(
        Hole(name.value, path, binding)
        for name, path, binding in names
        if _HOLE.fullmatch(name.value) and name.value not in _NO_HOLES
    )
    plain = {name.value for name, _, _ in names} - {hole.name for hole in holes}
    return Form(
        text,
        node,
        holes,
        frozenset(plain & MODULES),
        frozenset((_FUNCTIONS[name], name) for name in plain if name in _FUNCTIONS),
    )


def _names(node: cst.CSTNode, path: Path, binding: int = 0) -> Iterator[tuple[cst.Name, Path, int]]:
    if isinstance(node, cst.Name):
        yield node, path, binding
        return
    for field in node.__dataclass_fields__:
        if field in ("keyword", "attr", "lpar", "rpar", "params"):
            continue
        value = getattr(node, field)
        if isinstance(value, cst.CSTNode):
            yield from _names(value, (*path, (field, None)), _needed(node, field))
        elif isinstance(value, Sequence) and not isinstance(value, str):
            for place, each in enumerate(value):
                if isinstance(each, cst.CSTNode):
                    yield from _names(each, (*path, (field, place)), _needed(node, field))


def _needed(parent: cst.CSTNode, field: str) -> int:
    """How tightly what stands in ``field`` of ``parent`` must bind."""
    if isinstance(parent, cst.BinaryOperation):
        symbol = OPERATORS[type(parent.operator).__name__]
        own = _BINDINGS[symbol]
        return _ATOM if symbol == "**" else own + (field == "right")
    if isinstance(parent, cst.Comparison | cst.ComparisonTarget | cst.StarredElement):
        return _COMPARE + 1
    if isinstance(parent, cst.UnaryOperation):
        return _NOT if isinstance(parent.operator, cst.Not) else _UNARY
    if isinstance(parent, cst.Attribute | cst.Subscript | cst.Call) and field in ("value", "func"):
        return _ATOM
    if isinstance(parent, cst.IfExp | cst.BooleanOperation | cst.CompFor | cst.CompIf):
        return _COMPARE
    return 0


def _binding(node: cst.CSTNode) -> int:
    """How tightly an expression binds."""
    if getattr(node, "lpar", ()):
        return _ATOM
    match node:
        case cst.BinaryOperation():
            return _BINDINGS[OPERATORS[type(node.operator).__name__]]
        case cst.Comparison():
            return _COMPARE
        case cst.UnaryOperation():
            return _NOT if isinstance(node.operator, cst.Not) else _UNARY
        case cst.BooleanOperation():
            return _AND if isinstance(node.operator, cst.And) else _OR
        case cst.IfExp() | cst.Lambda():
            return _CONDITIONAL
        case _:
            return _ATOM


def _put(node: cst.CSTNode, path: Path, new: cst.CSTNode) -> cst.CSTNode:
    if not path:
        return new
    (field, place), rest = path[0], path[1:]
    old = getattr(node, field)
    if place is None:
        return node.with_changes(**{field: _put(old, rest, new)})
    changed = [*old[:place], _put(old[place], rest, new), *old[place + 1 :]]
    return node.with_changes(**{field: changed})


def _filled(form: Form, fillings: Mapping[str, Expr]) -> cst.CSTNode:
    node = form.node
    for hole in form.holes:
        expr = fillings[hole.name]
        new = inside(expr, hole.binding)
        if hole.binding == _ATOM and isinstance(new, cst.Integer) and not new.lpar:
            new = new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        node = _put(node, hole.path, new)
    return node


@lru_cache(maxsize=16384)
def _result(text: str, types: tuple[tuple[str, Type], ...]) -> Type:
    """What the checker takes the filled form for."""
    form = read_form(text)
    scope = Scope("", None, {}, frozenset())
    for module in form.modules:
        scope.bind(module, Type("module", (Type(module),)))
    for module, name in form.imports:
        known = name in CLASSES.get(module, ())
        kind = Type("class", (Type(name),)) if known else Type("function", (_dotted(module, name),))
        scope.bind(name, kind)
    for name, type_ in types:
        scope.bind(name, type_)
    return Expressions(scope).infer(form.node)


def _dotted(module: str, name: str) -> Type:
    return Type(f"{module}.{name}")


def fill(form: Form, fillings: Mapping[str, Expr]) -> Expr:
    """The form with an expression in every hole; typed as the checker will type it."""
    node = _filled(form, fillings)
    assert isinstance(node, cst.BaseExpression)
    types = tuple((name, fillings[name].type) for name in form.names)
    constant = bool(form.holes) and all(fillings[name].constant for name in form.names)
    return Expr(node, _result(form.text, types), _binding(node), constant=constant)


def fill_statement(form: Form, fillings: Mapping[str, Expr]) -> cst.SimpleStatementLine:
    """A form that is a statement, or an expression as one."""
    node = _filled(form, fillings)
    if isinstance(node, cst.BaseExpression):
        return cst.SimpleStatementLine([cst.Expr(node)])
    assert isinstance(node, cst.SimpleStatementLine)
    return node


def is_known(type_: Type) -> bool:
    """Whether nothing about a type is unknown."""
    return type_ != UNKNOWN and all(map(is_known, type_.args))
