"""Reads a program with libcst: statements, control structure, functions and typed call sites."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Sequence
from functools import lru_cache

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

from factory.constraints.base import Branch, Control, Facts, Function
from factory.constraints.inference import infer_body, read_signature
from factory.constraints.scope import Scope
from factory.constraints.syntax import statements
from factory.constraints.types import UNKNOWN, Type
from tracer.records import Program

_OTHER_NAMES = {"Del": "Delete", "MatchCase": "match_case"}
_NO_STEP = -2
_DEEPEST = 200
_SURELY_SHALLOW = 1_000
"""Characters below which text cannot nest deeply enough to hurt."""


class NotReadable(Exception):
    """The checker's parser cannot read the program; the message says why."""


class _Reader:
    """Numbers statements as ``ast`` would in preorder; collects functions and control trees."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.kinds: list[str] = []
        self.definitions: list[tuple[str, cst.FunctionDef]] = []
        self.classes: list[tuple[str, cst.ClassDef]] = []
        self.controls: dict[str, tuple[Control, ...]] = {}
        self.shared: set[str] = set()

    def read_body(self, body: Sequence[cst.CSTNode], owner: str) -> tuple[Control, ...]:
        found: list[Control] = []
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                for small in node.body:
                    self.read_simple(small)
            elif isinstance(node, cst.BaseSmallStatement):
                self.read_simple(node)
            else:
                found += self.read_compound(node, owner)
        return tuple(found)

    def number(self, node: cst.CSTNode) -> int:
        kind = type(node).__name__
        if getattr(node, "asynchronous", None) is not None:
            kind = f"Async{kind}"
        self.numbers[id(node)] = len(self.kinds)
        self.kinds.append(_OTHER_NAMES.get(kind, kind))
        return len(self.kinds) - 1

    def read_simple(self, node: cst.CSTNode) -> None:
        self.number(node)
        if isinstance(node, cst.Global | cst.Nonlocal):
            self.shared.update(item.name.value for item in node.names)

    def read_compound(self, node: cst.CSTNode, owner: str) -> tuple[Control, ...]:
        number = self.number(node)
        if isinstance(node, cst.If):
            return (self.read_if(node, owner),)
        if isinstance(node, cst.For | cst.While):
            inner = self.read_body(statements(node.body), owner)
            last = len(self.kinds) - 1
            inner += self.read_body(statements(node.orelse), owner)
            branch = Branch(number, self.first_step(statements(node.body)), last)
            return (Control(type(node).__name__.lower(), (branch,), inner),)
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            name = f"{owner}.{node.name.value}" if owner else node.name.value
            if isinstance(node, cst.FunctionDef):
                self.definitions.append((name, node))
            else:
                self.classes.append((name, node))
            self.controls[name] = self.read_body(statements(node.body), name)
            return ()
        if isinstance(node, cst.Try | cst.TryStar):
            inner = self.read_body(statements(node.body), owner)
            for handler in node.handlers:
                self.numbers[id(handler)] = len(self.kinds)
                self.kinds.append("ExceptHandler")
                inner += self.read_body(statements(handler.body), owner)
            inner += self.read_body(statements(node.orelse), owner)
            return inner + self.read_body(statements(node.finalbody), owner)
        if isinstance(node, cst.Match):
            inner = ()
            for case in node.cases:
                self.number(case)
                inner += self.read_body(statements(case.body), owner)
            return inner
        return self.read_body(statements(getattr(node, "body", None)), owner)

    def read_if(self, node: cst.If, owner: str) -> Control:
        branches: list[Branch] = []
        inner: tuple[Control, ...] = ()
        part: cst.CSTNode | None = node
        while isinstance(part, cst.If):
            header = self.numbers[id(part)] if part is node else self.number(part)
            inner += self.read_body(statements(part.body), owner)
            first = self.first_step(statements(part.body))
            branches.append(Branch(header, first, len(self.kinds) - 1))
            part = part.orelse
        inner += self.read_body(statements(part), owner)
        return Control("if" if len(branches) == 1 else "if-elif", tuple(branches), inner)

    def first_step(self, body: Sequence[cst.CSTNode]) -> int:
        for node in body:
            parts = node.body if isinstance(node, cst.SimpleStatementLine) else [node]
            for part in parts:
                if isinstance(part, cst.Try | cst.TryStar):
                    return self.first_step(statements(part.body))
                silent = isinstance(part, cst.AnnAssign) and part.value is None
                if not silent and not isinstance(part, cst.Global | cst.Nonlocal):
                    return self.numbers[id(part)]
        return _NO_STEP


def _depth(tree: ast.AST) -> int:
    deepest, level = 0, [tree]
    while level:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        deepest += 1
    return deepest


@lru_cache(maxsize=4)
def parse(source: str) -> cst.Module:
    """Parses ``source``.

    Python's own parser goes first: what the running Python refuses is no program, and libcst kills
    the process on nesting of some thousand levels.

    Raises:
        NotReadable: Python refuses the text, it is nested too deeply, or libcst fails on it (among
            such text is some that Python accepts, as a ``lambda`` glued to ``else``).
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise NotReadable(f"Python {version} refuses it: {error}") from None
    if len(source) > _SURELY_SHALLOW and _depth(tree) > _DEEPEST:
        raise NotReadable(f"it is nested more than {_DEEPEST} levels deep")
    try:
        return cst.parse_module(source)
    except Exception as error:
        raise NotReadable(f"libcst fails with {type(error).__name__}") from None


def number_statements(
    module: cst.Module,
) -> tuple[dict[int, int], dict[str, cst.FunctionDef], dict[str, cst.ClassDef]]:
    """The number of every statement by ``id``, and functions and classes by qualified name."""
    reader = _Reader()
    reader.read_body(module.body, "")
    return reader.numbers, dict(reader.definitions), dict(reader.classes)


@lru_cache(maxsize=32)
def analyse(program: Program) -> Facts:
    """Everything the constraint checks need to know of ``program``.

    Raises:
        NotReadable: the text cannot be parsed or walked.
    """
    module = parse(program.source)
    try:
        return _collect(module, program)
    except RecursionError:
        raise NotReadable("an expression is nested too deeply for libcst") from None


def _collect(module: cst.Module, program: Program) -> Facts:
    reader = _Reader()
    reader.read_body(module.body, "")
    definitions = dict(reader.definitions)
    signatures = {name: read_signature(node) for name, node in reader.definitions}
    returns: dict[str, Type] = {
        name: UNKNOWN if definitions[name].decorators else signature.returns
        for name, signature in signatures.items()
    }
    top = Scope("", None, returns, frozenset(reader.shared))
    infer_body(module.body, top, reader.numbers)
    scopes: dict[str, Scope] = {"": top}
    functions: list[Function] = []
    for name, node in definitions.items():
        outer = scopes.get(name.rpartition(".")[0], top)
        scope = Scope(name, outer, returns, frozenset(reader.shared))
        for parameter, type_ in signatures[name].parameters:
            scope.bind(parameter, type_)
        sites = infer_body(statements(node.body), scope, reader.numbers)
        scopes[name] = scope
        functions.append(Function(name, sites, reader.controls[name]))
    return Facts(program.entry_point, tuple(functions), tuple(reader.kinds), program)
