"""What a traced call went through, by construct: seen in its trace, not in its text alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

from tracer.records import Trace

OPTIMIZED = 0x1
"""Flag of a function's code; a class body's has it not."""


def constructs_of(trace: Trace) -> frozenset[str]:
    """Return the constructs that ran at least once in ``trace``.

    ``match``: a subject was matched; ``except``, ``except*``, ``finally``: a statement of such a
    block began; ``with``: one was entered; ``class body``, ``closure`` (it has free variables),
    ``generator``: one ran; ``generator closed early``: one ended at a yield; ``recursion``: a
    function ran below itself; ``aliasing``: one step changed the object of two variables;
    ``raise``: an activation ended by an exception.
    """
    tree = ast.parse(trace.program.source)
    blocks, closures, classes, generators = _blocks(tree), set(), set(), set()
    for code in _codes(compile(tree, "program", "exec")):
        name = code.co_qualname.replace("<locals>.", "")
        if not code.co_flags & OPTIMIZED:
            classes.add(name)
        elif code.co_freevars:
            closures.add(name)
        if code.co_flags & 0x20:
            generators.add(name)
    found: set[str] = set()
    for step in trace.steps:
        found |= blocks[step.stmt]
        if sum(change.op == "mutate" for change in step.changes) > 1:
            found.add("aliasing")
    for activation in trace.activations:
        name = activation.function
        kinds = {"closure": closures, "class body": classes, "generator": generators}
        found.update(kind for kind, names in kinds.items() if name in names)
        if activation.end in ("closed", "raised"):
            found.add("raise" if activation.end == "raised" else "generator closed early")
        if name in _callers(trace, activation.activation):
            found.add("recursion")
    return frozenset(found)


def _callers(trace: Trace, number: int) -> Iterator[str]:
    """Yield the functions of the activations above one."""
    while (step := trace.activations[number].parent_step) is not None:
        number = trace.steps[step].activation
        yield trace.activations[number].function


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _blocks(tree: ast.Module) -> list[set[str]]:
    """Return, for each numbered statement, the constructs that it belongs to."""
    found: list[set[str]] = []

    def visit(node: ast.AST, around: frozenset[str]) -> None:
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            found.append({*around, *_own(node)})
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            around = frozenset()
        if isinstance(node, ast.Try | ast.TryStar):
            star = "except*" if isinstance(node, ast.TryStar) else "except"
            for child in node.body:
                visit(child, around)
            for handler in node.handlers:
                found.append({*around})
                for child in handler.body:
                    visit(child, around | {star})
            for child in node.orelse:
                visit(child, around)
            for child in node.finalbody:
                visit(child, around | {"finally"})
        else:
            for child in ast.iter_child_nodes(node):
                visit(child, around)

    visit(tree, frozenset())
    return found


def _own(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Match):
        yield "match"
    elif isinstance(node, ast.With):
        yield "with"
