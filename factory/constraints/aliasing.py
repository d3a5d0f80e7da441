"""One mutable object under two names: changed through one, seen through the other.

Example: ``shown = rows`` and then ``rows.append(3)``; a helper that changes its argument; a row
that stands in a list twice. In the traces some step changes in place a variable that its statement
does not change by its own name.
Source: own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.constraints.base import Check, Facts
from factory.constraints.execution import Execution
from factory.records import Constraint

FEATURE = "aliasing"
_CHANGERS = frozenset(
    "add append appendleft clear discard extend insert pop popitem popleft remove reverse rotate "
    "setdefault sort update difference_update intersection_update "
    "symmetric_difference_update".split()
)


def _changed(facts: Facts) -> dict[int, set[str]]:
    """Names that each statement of the reachable functions changes in place, by its number."""
    import libcst as cst

    from factory.constraints.outline import own_nodes, read_outline

    outline = read_outline(facts.program)
    found: dict[int, set[str]] = {}
    for function in facts.reachable():
        number = -1
        for node in own_nodes(outline.functions[function.name]):
            number = outline.numbers.get(id(node), number)
            names = found.setdefault(number, set())
            if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
                if node.func.attr.value in _CHANGERS:
                    names |= _root(node.func.value)
            elif isinstance(node, cst.AugAssign) or (
                isinstance(node, cst.AssignTarget | cst.Del)
                and isinstance(node.target, cst.Subscript)
            ):
                names |= _root(node.target)
    return found


def _root(node: object) -> set[str]:
    """The variable of ``a``, ``a[0]`` or ``a[0][1]``."""
    import libcst as cst

    while isinstance(node, cst.Subscript):
        node = node.value
    return {node.value} if isinstance(node, cst.Name) else set()


def _shared(facts: Facts) -> set[str]:
    """Names of the reachable functions that may share their object with another name."""
    import libcst as cst

    from factory.constraints.outline import own_nodes, parameters, read_outline

    outline = read_outline(facts.program)
    found: set[str] = set()
    for function in facts.reachable():
        for node in own_nodes(outline.functions[function.name]):
            if isinstance(node, cst.Assign) and isinstance(node.targets[0].target, cst.Name):
                held = _held_names(node.value)
                found |= {node.targets[0].target.value, *held} if held else set()
            elif isinstance(node, cst.For) and isinstance(node.target, cst.Name):
                found.add(node.target.value)
            elif isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
                callee = outline.functions.get(node.func.value)
                if callee is not None and any(isinstance(a.value, cst.Name) for a in node.args):
                    found |= set(parameters(callee))
    return found


def _held_names(value: object) -> set[str]:
    """Variables whose object the value is, or holds: ``a``, ``a[0]``, ``[a, b]``, ``{k: a}``."""
    import libcst as cst

    match value:
        case cst.Name(value=name):
            return set() if name in ("None", "True", "False") else {name}
        case cst.Subscript(value=cst.Name(value=name), slice=[cst.SubscriptElement(cst.Index())]):
            return {name}
        case cst.List() | cst.Tuple() | cst.Dict() | cst.BinaryOperation():
            return {
                name
                for child in value.children
                for part in (child, getattr(child, "value", None))
                for name in _held_names(part)
            }
    return set()


def check_static(facts: Facts, constraint: Constraint) -> Iterator[str]:
    """Reasons why no object can be changed through another name."""
    if constraint.feature != FEATURE:
        return
    changed = {name for names in _changed(facts).values() for name in names}
    if not changed:
        yield "no object is changed in place"
    elif not changed & _shared(facts):
        yield f"{min(changed)} is changed in place, but no other name can refer to its object"


def check_dynamic(
    facts: Facts, executions: Sequence[Execution], constraint: Constraint
) -> Iterator[str]:
    """Reasons why no change was seen through another name."""
    if constraint.feature != FEATURE:
        return
    changed = _changed(facts)
    for execution in executions:
        for step in execution.trace.steps:
            own = changed.get(step.stmt, set())
            if any(each.op == "mutate" and each.name not in own for each in step.changes):
                return
    yield "no step changes an object through another name"


CHECK = Check(FEATURE, check_static, check_dynamic)
