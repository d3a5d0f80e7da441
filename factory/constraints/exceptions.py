"""An exception is handled by some input, and the same ``try`` passes without one by some input.

Example: ``try: total += stock[name]`` and ``except KeyError: missing += 1``. The handler names an
exception class (built-in, or of the program and derived from one) that nothing shadows. In the
traces its body is entered, and the ``try`` body is also left without any handler being tried.
Source: own.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from factory.constraints.base import Check, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint

if TYPE_CHECKING:
    import libcst as cst

    from factory.constraints.outline import Outline

FEATURE = "exceptions"


@dataclass(frozen=True, slots=True)
class _Guard:
    """Statement numbers of a ``try`` statement."""

    body: range
    handlers: tuple[range, ...]
    """Each begins with the number of its header."""


def _is_exception(name: str, outline: Outline, owner: cst.FunctionDef) -> bool:
    import libcst as cst

    from factory.constraints.outline import bound_names

    if name in bound_names(owner):
        return False
    seen: set[str] = set()
    while name in outline.classes and name not in seen:
        seen.add(name)
        bases = [each.value for each in outline.classes[name].bases]
        name = bases[0].value if bases and isinstance(bases[0], cst.Name) else "object"
    known = getattr(builtins, name, None)
    return isinstance(known, type) and issubclass(known, Exception)


def _guards(facts: Facts) -> list[_Guard]:
    import libcst as cst

    from factory.constraints.outline import own_nodes, read_outline
    from factory.constraints.syntax import statements

    outline = read_outline(facts.program)
    found = []
    for function in facts.reachable():
        owner = outline.functions[function.name]
        for node in own_nodes(owner):
            if not isinstance(node, cst.Try):
                continue
            named = [
                each
                for each in node.handlers
                if isinstance(each.type, cst.Name)
                and _is_exception(each.type.value, outline, owner)
            ]
            if named:
                first = outline.number(node) + 1
                last = max(outline.last_number(each) for each in statements(node.body))
                handlers = tuple(
                    range(outline.number(each), outline.last_number(each) + 1) for each in named
                )
                found.append(_Guard(range(first, last + 1), handlers))
    return found


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why no exception can be handled."""
    if constraint.feature == FEATURE and not _guards(facts):
        yield "no try statement that the entry point can reach handles a known exception"


def _outcomes(guard: _Guard, path: Sequence[int]) -> set[str]:
    """``entered`` and ``passed``, as far as one activation shows them."""
    found = set()
    within = False
    for place, here in enumerate(path):
        header = next((each for each in guard.handlers if here == each.start), None)
        if header is not None:
            within = False
            if place + 1 < len(path) and path[place + 1] in header[1:]:
                found.add("entered")
        elif here in guard.body:
            within = True
        elif within:
            found.add("passed")
            within = False
    return found


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why the handlers do not matter; those of the best ``try``."""
    if constraint.feature != FEATURE:
        return
    best: set[str] = set()
    for guard in _guards(facts):
        seen = {
            outcome
            for execution in executions
            for path in execution.paths
            for outcome in _outcomes(guard, path)
        }
        best = max(best, seen, key=len)
    if "entered" not in best:
        yield "no handler is ever entered"
    elif "passed" not in best:
        yield "the try statement never passes without an exception"


CHECK = Check(FEATURE, check_static, check_dynamic)
