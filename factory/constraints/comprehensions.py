"""Comprehensions that choose or nest, and whose results matter.

Example: ``long_words = [word for word in words if len(word) > 4]``. The comprehension makes a list,
set or dict that a variable holds, and it has a condition, a second ``for`` or another comprehension
inside. In the traces it gives two elements or more, and not the same for every input.
Source: own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint
from tracer.values import NotFaithful, parse

FEATURE = "comprehensions"
_LEAST = 2


def _kept(facts: Facts) -> dict[int, str]:
    """Assignments of rich comprehensions: statement number to variable."""
    import libcst as cst

    from factory.constraints.outline import own_nodes, read_outline, walk

    kinds = (cst.ListComp, cst.SetComp, cst.DictComp)

    def rich(value: cst.CSTNode) -> bool:
        if not isinstance(value, kinds):
            return False
        clauses = [each for each in walk(value) if isinstance(each, cst.CompFor)]
        return len(clauses) > 1 or bool(clauses[0].ifs)

    outline = read_outline(facts.program)
    found: dict[int, str] = {}
    for function in facts.reachable():
        for node in own_nodes(outline.functions[function.name]):
            if isinstance(node, cst.Assign) and rich(node.value):
                target = node.targets[0].target
                if isinstance(target, cst.Name):
                    found[outline.number(node)] = target.value
    return found


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why there is no such comprehension."""
    if constraint.feature == FEATURE and not _kept(facts):
        yield "no variable holds a comprehension with a condition, a second for or another inside"


def _size(value: str) -> int:
    try:
        held = parse(value)
    except NotFaithful:
        return 0
    return len(held) if isinstance(held, list | set | dict) else 0


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why none of them matters."""
    if constraint.feature != FEATURE:
        return
    kept = _kept(facts)
    values: dict[int, set[str]] = {stmt: set() for stmt in kept}
    for execution in executions:
        for step in execution.trace.steps:
            for change in step.changes if step.stmt in kept else ():
                if change.name == kept[step.stmt] and change.value is not None:
                    values[step.stmt].add(change.value)
    large = [held for held in values.values() if any(_size(each) >= _LEAST for each in held)]
    if not large:
        yield f"no such comprehension gives {_LEAST} elements"
    elif all(len(held) < 2 for held in large):
        yield "the comprehension gives the same for every input"


CHECK = Check(FEATURE, check_static, check_dynamic)
