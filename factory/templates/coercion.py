"""Turns an expression of one type into one of another, as a person would."""

from __future__ import annotations

from dataclasses import replace

from libcst import Call, Name  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import (
    ANY_LENGTH,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    ITERATORS,
    STR,
    VIEWS,
    Type,
    dict_of,
    list_of,
    set_of,
    tuple_of,
)
from factory.templates import nodes
from factory.templates.nodes import Expr
from factory.templates.nodes.forms import fill, is_known, read_form
from factory.templates.writer import Unwritable, Writer

LIST_STR = list_of(STR)
LIST_INT = list_of(INT)
SET_STR = set_of(STR)
SET_INT = set_of(INT)
TUPLE_STR = tuple_of(STR)
TUPLE_INT = tuple_of(INT)
TABLE = dict_of(STR, INT)
OWNERS = dict_of(STR, STR)
_SIZED = ("str", "bytes", "list", "tuple", "set", "dict")
_OF_LISTS = ("range", "deque")
_TO_DICT = ("Counter", "defaultdict", "OrderedDict")


def apply_form(text: str, expr: Expr) -> Expr:
    """A form whose only hole ``_`` is ``expr``."""
    return fill(read_form(text), {"_": expr})


def plain(expr: Expr) -> Expr:
    """``expr`` as a value of a type that parameters and results may have.

    Iterators and views become lists, sets stay, classes of the library become built-in ones, and
    what is not fully known is shown as text.
    """
    name = expr.type.name
    if name in ITERATORS or name in VIEWS or name in _OF_LISTS:
        expr = nodes.call("list", expr)
    elif name in _TO_DICT:
        expr = nodes.call("dict", expr)
    elif name == "frozenset":
        expr = nodes.call("sorted", expr)
    elif expr.type == COMPLEX:
        expr = apply_form("round(abs(_), 2)", expr)
    if _is_plain(expr.type):
        return expr
    if expr.type.name == "Pattern":
        return apply_form("_.pattern", expr)
    return nodes.call("str", expr)


_PLAIN = frozenset("int float bool str bytes list tuple dict set ...".split())


def _is_plain(type_: Type) -> bool:
    return is_known(type_) and type_.name in _PLAIN and all(map(_is_plain, type_.args))


def _is_pair(type_: Type, *items: Type) -> bool:
    return type_ == Type("tuple", items)


def unlisted(w: Writer, expr: Expr) -> Expr:
    """``list(x)`` as ``x``, for what reads it once; it stays where the cell asks for ``list()``."""
    node = expr.node
    if isinstance(node, Call) and nodes.is_call(expr, "list") and w.cell.method != "list()":
        return replace(expr, node=node.args[0].value)
    return expr


def to_int(w: Writer, expr: Expr) -> Expr:
    """A number that depends on ``expr``."""
    if expr.type == COMPLEX:
        return apply_form("round(abs(_))", expr)
    expr = plain(expr)
    type_ = expr.type
    if type_ == INT:
        return expr
    if type_ == BOOL:
        return nodes.call("int", expr)
    if type_ == FLOAT:
        return nodes.call(w.rng.choice(("int", "round")), expr)
    if _is_pair(type_, INT, INT):
        return nodes.item(expr, w.number(0, 1)) if w.chance(0.5) else nodes.call("sum", expr)
    if _is_pair(type_, STR, STR, STR):
        return nodes.call("len", nodes.item(expr, nodes.literal(w.rng.choice((0, 2)))))
    if type_ in (LIST_INT, TUPLE_INT, SET_INT) and w.chance(0.6):
        return nodes.call("sum", unlisted(w, expr))
    if type_.name == "tuple" and type_.args and ANY_LENGTH not in type_.args:
        return to_int(w, nodes.item(expr, nodes.literal(w.rng.randrange(len(type_.args)))))
    if type_.name in _SIZED:
        held = unlisted(w, expr)
        return nodes.call("len", held if isinstance(held.node, Name) else expr)
    raise Unwritable(f"no number from {type_}")


def to_str(w: Writer, expr: Expr) -> Expr:
    """A string that depends on ``expr``."""
    expr = plain(expr)
    type_ = expr.type
    if type_ == STR:
        return expr
    if type_ in (INT, BOOL, FLOAT):
        return nodes.call("str", expr)
    if type_ == BYTES:
        return apply_form("_.hex()", expr) if w.allow_methods else nodes.call("str", expr)
    if _is_pair(type_, STR, STR, STR):
        return nodes.item(expr, nodes.literal(w.rng.choice((0, 2))))
    if w.allow_methods and type_ in (LIST_STR, TUPLE_STR, SET_STR):
        if type_ == SET_STR:
            expr = nodes.call("sorted", expr)
        separator = nodes.literal(w.rng.choice((" ", "-", ",", "+", "")))
        return w.method(separator, "join", unlisted(w, expr))
    if type_ in (LIST_INT, TUPLE_INT) and w.chance(0.5):
        return nodes.call("str", expr)
    return nodes.call("str", to_int(w, expr))


def to_bool(w: Writer, expr: Expr) -> Expr:
    """A truth value that depends on ``expr``."""
    expr = plain(expr)
    if expr.type == BOOL:
        return expr
    if expr.type == FLOAT:
        return nodes.compare(expr, w.rng.choice((">", ">=", "<")), w.number(2, 9))
    if expr.type == INT:
        if w.chance(0.4):
            return nodes.compare(nodes.binary(expr, "%", nodes.literal(2)), "==", w.number(0, 1))
        return nodes.compare(expr, w.rng.choice((">", ">=", "<")), w.number(2, 9))
    if expr.type == STR and w.chance(0.4):
        return nodes.compare(w.letter(), "in", expr)
    return nodes.compare(to_int(w, expr), w.rng.choice((">", ">=")), w.number(1, 4))


def to_list(w: Writer, expr: Expr, element: Type) -> Expr:
    """A list of ``element`` that depends on ``expr``."""
    if expr.type.name != "dict_keys":
        expr = plain(expr)
    type_, wanted = expr.type, list_of(element)
    if type_ == wanted:
        return expr
    if type_ == set_of(element):
        return nodes.call("sorted", expr)
    if type_ == tuple_of(element) or (
        type_.name == "tuple" and type_.args and set(type_.args) == {element}
    ):
        return nodes.call("list", expr)
    if type_ == STR == element and w.chance(0.4):
        return nodes.call("sorted", expr)
    if type_.name in ("dict", "dict_keys") and type_.args[:1] == (element,):
        return nodes.call("sorted", expr)
    return nodes.list_display(to(w, expr, element))


def to(w: Writer, expr: Expr, wanted: Type) -> Expr:
    """An expression of type ``wanted`` that depends on ``expr``.

    Raises:
        Unwritable: there is no natural way.
    """
    if expr.type == wanted:
        return expr
    if wanted == INT:
        return to_int(w, expr)
    if wanted == STR:
        return to_str(w, expr)
    if wanted == BOOL:
        return to_bool(w, expr)
    if wanted == FLOAT:
        return nodes.binary(to_int(w, expr), "/", w.number(2, 5))
    if wanted.name == "list":
        return to_list(w, expr, wanted.args[0])
    if wanted.name == "set":
        return nodes.call("set", to_list(w, expr, wanted.args[0])).retyped(wanted)
    if wanted.name == "tuple" and ANY_LENGTH in wanted.args:
        return nodes.call("tuple", to_list(w, expr, wanted.args[0])).retyped(wanted)
    raise Unwritable(f"no {wanted} from {expr.type}")


def returnable(w: Writer, expr: Expr) -> Expr:
    """``expr`` as something that a function may return: no view, no order that a hash decides."""
    if expr.type.name in VIEWS and all(arg in (INT, STR) for arg in expr.type.args):
        return nodes.call("sorted", expr)
    expr = plain(expr)
    if expr.type.name == "set" and w.chance(0.7):
        return nodes.call("sorted", expr)
    return expr


def from_anything(w: Writer, type_: Type) -> Expr:
    """An expression of ``type_`` made of a variable of another type.

    Raises:
        Unwritable: no variable in scope leads there.
    """
    kinds = ("int", "str", "list", "tuple") if type_ in (INT, STR, BOOL) else ("tuple", "set")
    sources = [each for each in w.readable() if each.type.name in kinds]
    if type_.name == "list":
        sources = [each for each in sources if each.type.args[:1] == type_.args]
    if type_ == LIST_STR and not sources:
        return nodes.call("list", w.get(STR))
    if not sources:
        raise Unwritable(f"nothing in scope leads to {type_}")
    return to(w, w.read(w.rng.choice(sources)), type_)


def unlike(w: Writer, left: Expr, right: Expr) -> Expr:
    """``right``, or something else where both would be the same text."""
    if not nodes.same(left, right):
        return right
    return w.word() if right.type == STR else w.number(2, 9)
