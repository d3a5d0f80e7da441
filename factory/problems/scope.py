"""What the wording of an expression depends on: its size, and what its names stand for.

Source: own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from string import ascii_uppercase

from factory.problems.vocabulary import SET_METHODS, VERBS
from factory.reasoning.claims import code

SHORT_LEVELS, SHORT_CHARS = 2, 32
"""The largest code that is quoted as it is."""
_SETS = frozenset({"set", "frozenset"})
_TYPES = frozenset({"str", "bytes", "dict", "int", "float"})


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of a program."""

    names: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()
    """Variables that hold sets."""
    modules: frozenset[str] = frozenset()
    """Modules that are imported, and types whose methods are called like a module's functions."""

    def is_set(self, node: ast.expr) -> bool:
        """Whether an expression is known to give a set."""
        if isinstance(node, ast.Name):
            return node.id in self.sets
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr in SET_METHODS
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id in _SETS
        return isinstance(node, ast.Set | ast.SetComp)

    def function_name(self, function: ast.expr) -> str:
        """The name of a function that is called, that of a module's with its module."""
        if isinstance(function, ast.Name):
            return function.id
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            if function.value.id in self.modules:
                return ast.unparse(function)
        return ""

    def letters(self) -> Iterator[str]:
        """Capital letters, then letters with numbers, that are no names of the program."""
        every = (f"{letter}{number or ''}" for number in count() for letter in ascii_uppercase)
        return (letter for letter in every if letter not in self.names)


def scope_of(tree: ast.Module) -> Scope:
    """The names of a program."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    modules = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    modules |= _TYPES - bound - {node.arg for node in nodes if isinstance(node, ast.arg)}
    sets = {node.arg for node in nodes if isinstance(node, ast.arg) and _is_kind(node.annotation)}
    sets |= {
        node.target.id
        for node in nodes
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and _is_kind(node.annotation)
    }
    found = Scope(frozenset(names), frozenset(sets), frozenset(modules))
    sets |= {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and found.is_set(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return Scope(found.names, frozenset(sets), found.modules)


def _is_kind(annotation: ast.expr | None) -> bool:
    """Whether an annotation is of a set."""
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    return isinstance(annotation, ast.Name) and annotation.id in _SETS


def is_plain(node: ast.expr) -> bool:
    """Whether an expression is a name, a number or another constant, and needs no words."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return is_plain(node.operand)
    if isinstance(node, ast.Attribute):
        return is_plain(node.value)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return bool(node.elts) and all(isinstance(each, ast.Constant) for each in node.elts)
    return isinstance(node, ast.Name | ast.Constant)


def depth_of(node: ast.AST) -> int:
    """How many expressions stand in one another."""
    if isinstance(node, ast.expr) and is_plain(node):
        return 0
    inner = max(map(depth_of, ast.iter_child_nodes(node)), default=0)
    return inner + (isinstance(node, ast.expr) and not isinstance(node, ast.Starred))


def is_short(node: ast.expr) -> bool:
    """Whether code can be quoted as it is."""
    return depth_of(node) <= SHORT_LEVELS and len(ast.unparse(node)) <= SHORT_CHARS


def is_simple(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> bool:
    """Whether a comprehension has one loop and at most one condition."""
    return len(node.generators) == 1 and len(node.generators[0].ifs) <= 1


def is_starred(nodes: Sequence[ast.expr]) -> bool:
    """Whether one of some expressions is unpacked."""
    return any(isinstance(node, ast.Starred) for node in nodes)


def is_display(node: ast.expr) -> bool:
    """Whether an expression writes a container down."""
    return isinstance(node, ast.List | ast.Dict | ast.Set)


def is_clause(node: ast.expr) -> bool:
    """Whether an expression says that something is so."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1
    return isinstance(node, ast.BoolOp) or bool(verb_of(node))


def verb_of(node: ast.expr) -> str:
    """The words for a method that says whether something is so; none for what is not one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if len(node.args) == 1 and not node.keywords:
            return VERBS.get(node.func.attr, "")
    return ""


def size_of(bound: ast.expr | None) -> int | None:
    """The number that a bound of a slice is, if it is one and not zero."""
    sign = -1 if isinstance(bound, ast.UnaryOp) and isinstance(bound.op, ast.USub) else 1
    inner = bound.operand if isinstance(bound, ast.UnaryOp) else bound
    if isinstance(inner, ast.Constant) and type(inner.value) is int:
        return sign * inner.value or None
    return None


def counted(number: int) -> str:
    """So many elements, in words."""
    return "element" if number == 1 else f"{number} elements"


def quote(node: ast.AST) -> str:
    """An expression as code between backticks."""
    return code(ast.unparse(node))
