"""The helper chain: the entry point calls a helper, which calls another one."""

from __future__ import annotations

from collections.abc import Sequence

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.base import Template
from factory.templates.coercion import LIST_INT, LIST_STR, to
from factory.templates.expressions import express
from factory.templates.nest import gather
from factory.templates.nodes import Expr
from factory.templates.writer import Variable, Writer, Written


def write_plain(w: Writer, template: Template, title: str) -> tuple[Variable, ...]:
    """A program of one function; returns its parameters."""
    w.begin(title)
    return w.finish(gather(w, template.write(w))).parameters


def write_chain(w: Writer, template: Template, titles: Sequence[str]) -> tuple[Variable, ...]:
    """A program of three functions, the entry point ``titles[0]`` last; returns its parameters.

    The template writes the entry point or the helper that it calls.
    """
    last = _small(w, titles[2], None)
    if w.chance(0.6):
        w.helper = _small(w, titles[1], last)
        return write_plain(w, template, titles[0])
    w.helper = last
    w.begin(titles[1])
    core = w.finish(gather(w, template.write(w)))
    return _front(w, titles[0], core)


def _small(w: Writer, title: str, helper: Written | None) -> Written:
    """A helper of two or three lines."""
    w.begin(title)
    w.helper = helper
    type_ = w.rng.choice((INT, INT, STR))
    if helper is None:
        if w.chance(0.15):
            w.bind(express(w, w.rng.choice((INT, STR)), 1))
        result = express(w, type_, 2)
    else:
        kept = w.read(w.bind(w.call_helper()))
        result = _combined(w, to(w, kept, type_))
    result = _with_unread(w, result)
    return w.finish(result)


def _combined(w: Writer, value: Expr) -> Expr:
    other = express(w, value.type, 1)
    if value.type == INT and w.chance(0.3):
        return nodes.call(w.rng.choice(("max", "min")), value, other)
    return nodes.binary(value, "+", other)


def _with_unread(w: Writer, result: Expr) -> Expr:
    for variable in [each for each in w.visible() if each.unread]:
        result = nodes.binary(result, "+", to(w, w.read(variable), result.type))
    return result


def _front(w: Writer, title: str, core: Written) -> tuple[Variable, ...]:
    """An entry point that prepares the arguments of ``core`` and passes its result on."""
    w.begin(title)
    arguments: list[Expr] = []
    for each in core.parameters:
        w.frame.names.add(each.name)
        mine = Variable(each.name, each.type, each.samples, is_parameter=True, unread=False)
        w.frame.blocks[0].variables.append(mine)
        value = nodes.name(each.name, each.type)
        if each.type in (LIST_STR, LIST_INT) and w.chance(0.4):
            value = nodes.call("sorted", value)
        elif each.type == INT and w.chance(0.3):
            value = nodes.binary(value, "+", w.number(1, 3))
        arguments.append(value)
    result = nodes.call(core.title, *arguments, returns=core.returns)
    if core.returns in (INT, STR) and w.chance(0.6):
        kept = w.read(w.bind(result))
        return w.finish(_combined(w, kept)).parameters
    if w.chance(0.5):
        return w.finish(w.read(w.bind(result))).parameters
    return w.finish(result).parameters
