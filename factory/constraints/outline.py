"""The definitions of a program as libcst nodes, with the number of every statement in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

from factory.constraints.analysis import number_statements, parse
from factory.constraints.syntax import statements
from tracer.records import Program

Definition = cst.FunctionDef | cst.ClassDef
_LAYOUT = frozenset(
    "lpar rpar leading_lines lines_after_decorators header footer trailing_whitespace comma "
    "semicolon lbracket rbracket lbrace rbrace equal indent".split()
)


@dataclass(frozen=True, slots=True)
class Outline:
    """Functions and classes by qualified name (without ``<locals>.``)."""

    functions: Mapping[str, cst.FunctionDef]
    classes: Mapping[str, cst.ClassDef]
    numbers: Mapping[int, int]
    """Statement number of each statement and handler node, by ``id``."""

    def number(self, node: cst.CSTNode) -> int:
        """Number of a statement, header or handler."""
        return self.numbers[id(node)]

    def last_number(self, node: cst.CSTNode) -> int:
        """Greatest statement number at or inside ``node``."""
        inside = [self.numbers[id(each)] for each in walk(node) if id(each) in self.numbers]
        return max(inside)


@lru_cache(maxsize=4)
def read_outline(program: Program) -> Outline:
    """The outline of a program that :func:`factory.constraints.analysis.analyse` could read."""
    module = parse(program.source)
    numbers, functions, classes = number_statements(module)
    return Outline(functions, classes, numbers)


@lru_cache(maxsize=256)
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """Fields of a kind of node that hold more than layout."""
    return tuple(
        name
        for name in kind.__dataclass_fields__
        if name not in _LAYOUT and not name.startswith("whitespace")
    )


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Direct parts of a node, layout left out; libcst's own attribute copies every node."""
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, list | tuple):
            yield from (each for each in value if isinstance(each, cst.CSTNode))


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """``node`` and everything in it."""
    yield node
    for child in children(node):
        yield from walk(child)


@lru_cache(maxsize=64)
def own_nodes(definition: cst.FunctionDef) -> tuple[cst.CSTNode, ...]:
    """Nodes of the function's body that belong to no definition inside it, in preorder."""
    found: list[cst.CSTNode] = []
    for statement in statements(definition.body):
        _collect(statement, found)
    return tuple(found)


def _collect(node: cst.CSTNode, found: list[cst.CSTNode]) -> None:
    found.append(node)
    if not isinstance(node, Definition):
        for child in children(node):
            _collect(child, found)


def parameters(definition: cst.FunctionDef) -> tuple[str, ...]:
    """Names of all parameters, in order."""
    params = definition.params
    found = [*params.posonly_params, *params.params]
    if isinstance(params.star_arg, cst.Param):
        found.append(params.star_arg)
    found += params.kwonly_params
    if params.star_kwarg is not None:
        found.append(params.star_kwarg)
    return tuple(each.name.value for each in found)


@lru_cache(maxsize=64)
def bound_names(definition: cst.FunctionDef) -> frozenset[str]:
    """Names that are local to the function; ``global`` and ``nonlocal`` ones are not."""
    found = set(parameters(definition))
    elsewhere: set[str] = set()
    for node in own_nodes(definition):
        if isinstance(node, cst.Global | cst.Nonlocal):
            elsewhere |= {item.name.value for item in node.names}
        elif isinstance(node, cst.AssignTarget | cst.AnnAssign | cst.AugAssign | cst.NamedExpr):
            found |= set(_target_names(node.target))
        elif isinstance(node, cst.For):
            found |= set(_target_names(node.target))
        elif isinstance(node, cst.AsName):
            found |= set(_target_names(node.name))
        elif isinstance(node, Definition):
            found.add(node.name.value)
        elif isinstance(node, cst.ImportAlias) and node.asname is None:
            found.add(_first_name(node.name))
    return frozenset(found - elsewhere)


def inner_targets(definition: cst.FunctionDef) -> frozenset[str]:
    """Names that only a comprehension or a lambda of the function binds."""
    found: set[str] = set()
    for node in own_nodes(definition):
        if isinstance(node, cst.CompFor):
            found |= set(_target_names(node.target))
        elif isinstance(node, cst.Param):
            found.add(node.name.value)
    return frozenset(found)


def _target_names(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _target_names(element.value)


def _first_name(node: cst.CSTNode) -> str:
    while isinstance(node, cst.Attribute):
        node = node.value
    assert isinstance(node, cst.Name)
    return node.value


def read_names(node: cst.CSTNode) -> frozenset[str]:
    """Names that an expression, statement or function reads, its nested parts included."""
    return frozenset(_read(node))


def _read(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Attribute):
        yield from _read(node.value)
    elif isinstance(node, cst.Arg):
        yield from _read(node.value)
    elif isinstance(node, cst.AssignTarget) and isinstance(node.target, cst.Name):
        return
    elif not isinstance(node, cst.Annotation):
        for child in children(node):
            yield from _read(child)
