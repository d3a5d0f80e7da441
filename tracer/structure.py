"""The statements of a program as a tree: where each stands, and what can ever be a step.

Read from the program's text with :mod:`ast`; the numbers are those of the trace's statements.
Questions use it to prove what a trace alone does not say: that a statement which has no step was
not executed, and which way a header went.

Source: own (DESIGN, section 3, "Statement").
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from tracer.inside.sites import DEFINITIONS, FUNCTIONS, Numbered, number_statements
from tracer.literals import NotFaithful, module
from tracer.records import Step, Trace

_NEVER = (ast.Try, ast.TryStar, ast.Global, ast.Nonlocal)
_YIELDS = (ast.Yield, ast.YieldFrom)
_SCOPES = (*DEFINITIONS, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Structure:
    """Static facts of a program; every tuple is indexed by statement number."""

    nodes: tuple[Numbered, ...]
    """The syntax tree's node of each number; not to be changed."""
    last: tuple[int, ...]
    """Number of the last statement inside it, itself when there is none."""
    parents: tuple[int | None, ...]
    """Nearest statement around it; ``None`` at the top of the module."""
    owners: tuple[int | None, ...]
    """Nearest ``def`` or ``class`` around it; ``None`` in module code."""
    steps: tuple[bool, ...]
    """Whether an execution of it is a step."""
    generators: frozenset[int]
    """Numbers of the ``def`` statements of generators."""

    def around(self, stmt: int) -> tuple[int, ...]:
        """Statements around ``stmt`` inside its own function or class, innermost first."""
        found = []
        parent = self.parents[stmt]
        while parent is not None and parent != self.owners[stmt]:
            found.append(parent)
            parent = self.parents[parent]
        return tuple(found)

    def function_of(self, stmt: int) -> int | None:
        """Nearest ``def`` around ``stmt``, classes between them skipped."""
        owner = self.owners[stmt]
        while owner is not None and not isinstance(self.nodes[owner], FUNCTIONS):
            owner = self.owners[owner]
        return owner

    def body(self, stmt: int) -> range | None:
        """Numbers of the statements inside the body of a header.

        Returns:
            ``None`` when entering the body does not always begin a step there, so that a trace
            can't tell whether it was entered.
        """
        body: list[ast.stmt] = getattr(self.nodes[stmt], "body", [])
        first = stmt + 1
        if isinstance(self.nodes[stmt], ast.Match):
            return None
        following = first
        surely = False
        for node in body:
            surely = surely or self._surely_begins(following, node)
            following = self.last[following] + 1
        return range(first, following) if surely else None

    def _surely_begins(self, stmt: int, node: ast.stmt) -> bool:
        if self.steps[stmt]:
            return True
        return isinstance(node, ast.Try | ast.TryStar) and self.body(stmt) is not None


def structure_of(trace: Trace) -> Structure | None:
    """The structure of a trace's program; ``None`` when this Python numbers it otherwise."""
    structure = _read(trace.program.source)
    if structure is None or len(structure.nodes) != len(trace.statements):
        return None
    kinds = (type(node).__name__ for node in structure.nodes)
    same = all(kind == each.kind for kind, each in zip(kinds, trace.statements, strict=True))
    return structure if same else None


def following_steps(trace: Trace) -> list[Step | None]:
    """For each step the next one of the same activation; ``None`` where it was the last."""
    following: list[Step | None] = [None] * len(trace.steps)
    seen: dict[int, Step] = {}
    for step in reversed(trace.steps):
        following[step.index] = seen.get(step.activation)
        seen[step.activation] = step
    return following


def runs_on(trace: Trace, structure: Structure) -> bool:
    """Whether code of the program may run after the call, when its variables are dropped.

    That is code of a generator which stands inside a ``try`` or ``with``, and finalizers.
    """
    if "__del__" in trace.program.source or "weakref" in trace.program.source:
        return True
    return any(
        isinstance(structure.nodes[each], ast.Try | ast.TryStar | ast.With)
        for activation in trace.activations
        if activation.end == "suspended" and activation.end_stmt is not None
        for each in structure.around(activation.end_stmt)
    )


@lru_cache(maxsize=16)
def _read(source: str) -> Structure | None:
    try:
        tree = module(source)
    except NotFaithful:
        return None
    numbering = number_statements(tree)
    parents: list[int | None] = []
    owners: list[int | None] = []

    def visit(node: ast.AST, parent: int | None, owner: int | None) -> None:
        if isinstance(node, Numbered):
            parents.append(parent)
            owners.append(owner)
            parent = numbering.of[id(node)]
            owner = parent if isinstance(node, DEFINITIONS) else owner
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr):
                visit(child, parent, owner)

    visit(tree, None, None)
    docstrings = _docstrings(tree)
    nodes = numbering.nodes
    steps = [
        id(node) not in docstrings
        and not isinstance(node, _NEVER)
        and not _is_bare_annotation(node, None if owner is None else nodes[owner])
        for node, owner in zip(nodes, owners, strict=True)
    ]
    generators = frozenset(
        number for number, node in enumerate(nodes) if isinstance(node, FUNCTIONS) and _yields(node)
    )
    return Structure(nodes, numbering.last, tuple(parents), tuple(owners), tuple(steps), generators)


def _docstrings(tree: ast.Module) -> frozenset[int]:
    """Identities of the statements that are docstrings."""
    scopes = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, *DEFINITIONS))]
    return frozenset(
        id(scope.body[0])
        for scope in scopes
        if scope.body and ast.get_docstring(scope, clean=False) is not None
    )


def _is_bare_annotation(node: Numbered, owner: Numbered | None) -> bool:
    """Whether it is an annotation without a value inside a function."""
    return isinstance(node, ast.AnnAssign) and node.value is None and isinstance(owner, FUNCTIONS)


def _yields(function: ast.AST) -> bool:
    """Whether a function's own code holds a ``yield``."""
    waiting = list(getattr(function, "body", ()))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _YIELDS):
            return True
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))
    return False
