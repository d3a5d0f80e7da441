"""A class of the program is instantiated, and methods run on its instances.

Example: ``account = Account(10)`` and ``account.add(5)``. A function that the entry point can reach
calls the class by its name, which nothing shadows, and calls one of its methods; in the traces of
one call methods other than ``__init__`` run at least twice.
Source: own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from factory.constraints.base import Check, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint

if TYPE_CHECKING:
    import libcst as cst

FEATURE = "classes"
_RUNS = 2
_BIRTH = frozenset(("__init__", "__post_init__", "__new__"))


def _methods(facts: Facts) -> set[str]:
    """Qualified names of the methods of classes that reachable functions instantiate."""
    from factory.constraints.outline import bound_names, read_outline

    outline = read_outline(facts.program)
    made: set[str] = set()
    for function in facts.reachable():
        local = bound_names(outline.functions[function.name])
        called = {site.method.removesuffix("()") for site in function.sites if site.callee is None}
        made |= (called & set(outline.classes)) - local
    for name in sorted(made):
        made |= _ancestors(name, outline.classes)
    return {
        name
        for name in outline.functions
        if name.rpartition(".")[0] in made and name.rpartition(".")[2] not in _BIRTH
    }


def _ancestors(name: str, classes: Mapping[str, cst.ClassDef]) -> set[str]:
    import libcst as cst

    found: set[str] = set()
    waiting = [name]
    while waiting:
        node = classes.get(waiting.pop())
        for base in node.bases if node is not None else ():
            if isinstance(base.value, cst.Name) and base.value.value not in found:
                found.add(base.value.value)
                waiting.append(base.value.value)
    return found


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why no instance can do anything."""
    if constraint.feature == FEATURE and not _methods(facts):
        yield "no class with methods is instantiated by its name"


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why no instance did anything."""
    if constraint.feature != FEATURE:
        return
    methods = _methods(facts)
    most = max(
        (
            sum(one.function in methods for one in execution.trace.activations)
            for execution in executions
        ),
        default=0,
    )
    if most < _RUNS:
        yield f"methods run at most {most} times in one call"


CHECK = Check(FEATURE, check_static, check_dynamic)
