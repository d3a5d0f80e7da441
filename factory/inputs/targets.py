"""The call to be varied: entry point, parameters, and the arguments of a seed, read statically."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from factory.inputs.annotations import Annotations, unsupported_name
from factory.inputs.definitions import Definitions, Function
from factory.inputs.fitting import observe
from factory.inputs.limits import Bound, read_bounds
from factory.inputs.reading import Unreadable, read_value
from factory.inputs.shapes import (
    ANYTHING,
    Anything,
    Field,
    Record,
    Shape,
    Value,
    Variable,
)
from factory.inputs.usage import Usage
from factory.inputs.variation import Literals, read_literals
from tracer.records import Call, Program

_SYNTAX = (SyntaxError, ValueError, RecursionError, MemoryError)


class Unusable(Exception):
    """Why a program or a seed cannot be varied; its text is one clause for a person."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the entry point."""

    name: str
    declared: Shape
    required: bool
    keyword_only: bool = False
    used: Shape = ANYTHING
    """What its default is, or else what the body does with it; for what is not declared."""


@dataclass(frozen=True, slots=True)
class Target:
    """The entry point of a program."""

    annotations: Annotations
    parameters: tuple[Parameter, ...]
    rest: Parameter | None
    """``*args``"""
    words: Parameter | None
    """``**kwargs``"""
    bounds: Mapping[str, tuple[Bound, ...]]
    literals: Literals


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a seed call."""

    keyword: str | None
    parameter: Parameter
    text: str
    """As written, in the spelling of ``ast.unparse``."""
    value: Value
    readable: bool
    """Whether ``value`` holds the argument; otherwise it stays as it is."""


@dataclass(frozen=True, slots=True)
class Form:
    """A seed call taken apart."""

    arguments: tuple[Argument, ...]
    stdin: str


def read_target(program: Program) -> Target:
    """Return the entry point of a program.

    Raises:
        Unusable: the program does not parse or has no such entry point.
    """
    if program.entry_point is None:
        raise Unusable("the program has no entry point to call")
    try:
        tree = ast.parse(program.source)
        definitions = Definitions(tree)
        literals = read_literals(tree)
    except _SYNTAX as error:
        raise Unusable(f"the program does not parse: {_first_line(error)}") from None
    annotations = Annotations(definitions)
    name = program.entry_point
    if name in definitions.functions:
        return _function_target(definitions.functions[name], annotations, literals)
    if name in definitions.classes:
        shape = annotations.shape(name)
        fields: tuple[Field, ...] = shape.fields if isinstance(shape, Record) else ()
        parameters = tuple(Parameter(each.name, each.shape, each.required) for each in fields)
        return Target(annotations, parameters, None, None, {}, literals)
    if name in definitions.aliases or name in definitions.imports:
        return Target(annotations, (), None, None, {}, literals)
    raise Unusable(f"entry point {name!r} not found")


def _function_target(function: Function, annotations: Annotations, literals: Literals) -> Target:
    arguments = function.args
    local: dict[str, Variable] = {}
    for each in getattr(function, "type_params", ()):
        bound = getattr(each, "bound", None)
        options = bound.elts if isinstance(bound, ast.Tuple) else [bound] if bound else []
        shapes = tuple(annotations.resolve(option, {}) for option in options)
        local[each.name] = Variable(each.name, shapes)

    usage = Usage(function, annotations.definitions)

    def parameter(
        node: ast.arg, default: ast.expr | None, *, required: bool, keyword_only: bool = False
    ) -> Parameter:
        declared = annotations.resolve(node.annotation, local)
        used = _default_shape(default, annotations)
        used = usage.shape(node.arg) if isinstance(used, Anything) else used
        return Parameter(node.arg, declared, required, keyword_only, used)

    positional = [*arguments.posonlyargs, *arguments.args]
    without: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    defaults = zip(positional, [*without, *arguments.defaults], strict=True)
    parameters = [parameter(node, default, required=default is None) for node, default in defaults]
    for node, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parameters.append(parameter(node, default, required=default is None, keyword_only=True))
    bounds: dict[str, tuple[Bound, ...]] = {}
    for bound in read_bounds(function):
        bounds[bound.parameter] = (*bounds.get(bound.parameter, ()), bound)
    return Target(
        annotations=annotations,
        parameters=tuple(parameters),
        rest=_collector(arguments.vararg, annotations, local),
        words=_collector(arguments.kwarg, annotations, local),
        bounds=bounds,
        literals=literals,
    )


def _collector(
    node: ast.arg | None, annotations: Annotations, local: Mapping[str, Variable]
) -> Parameter | None:
    """``*args`` or ``**words``, whose annotation is that of each argument."""
    return Parameter(node.arg, annotations.resolve(node.annotation, local), False) if node else None


def _default_shape(default: ast.expr | None, annotations: Annotations) -> Shape:
    try:
        value = None if default is None else read_value(default, annotations.definitions)
    except Unreadable:
        return ANYTHING
    return ANYTHING if value is None else observe([value], annotations)


def read_form(target: Target, seed: Call) -> Form:
    """Take a seed call apart.

    Raises:
        Unusable: its text is not an argument list.
    """
    try:
        call = ast.parse(f"_(\n{seed.args}\n)", mode="eval").body
    except _SYNTAX as error:
        raise Unusable(f"the arguments do not parse: {_first_line(error)}") from None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        raise Unusable("the arguments are not an argument list")
    positional = [each for each in target.parameters if not each.keyword_only]
    by_name = {each.name: each for each in target.parameters}
    arguments = []
    for index, node in enumerate(call.args):
        unknown = Parameter(f"argument {index + 1}", ANYTHING, False)
        known = positional[index] if index < len(positional) else target.rest or unknown
        arguments.append(_argument(None, known, node, target))
    for word in call.keywords:
        name = word.arg or "**"
        fallback = target.words or Parameter(name, ANYTHING, False)
        known = by_name.get(name, fallback) if word.arg else Parameter(name, ANYTHING, False)
        arguments.append(_argument(name, known, word.value, target))
    return Form(tuple(arguments), seed.stdin)


def _argument(
    keyword: str | None, parameter: Parameter, node: ast.expr, target: Target
) -> Argument:
    text = ast.unparse(node)
    try:
        if keyword == "**":
            raise Unreadable("unpacking")
        value = read_value(node, target.annotations.definitions)
    except Unreadable:
        return Argument(keyword, parameter, text, None, readable=False)
    return Argument(keyword, parameter, text, value, readable=True)


def why_kept(argument: Argument, target: Target) -> str:
    """Return why an argument stays as it is, as one clause that names the parameter."""
    name = unsupported_name(argument.parameter.declared, target.annotations)
    if name is not None:
        return f"parameter {argument.parameter.name!r}: type not supported: {name}"
    return f"parameter {argument.parameter.name!r}: kept as it is, not a literal: {argument.text}"


def _first_line(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error) or type(error).__name__
    line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
    return f"{text}{line}"
