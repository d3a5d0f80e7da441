"""Whether two names refer to one mutable object.

Program (lines 1 to 5)::

    def f(xs):
        ys = xs
        zs = xs[:]
        xs.append(1)
        return ys, zs

call ``f([])``: "While `f([])` runs, do `xs` and `ys` refer to the same object right after the 1st
execution of line 4 (`xs.append(1)`)?", key ``yes``; about ``xs`` and ``zs`` the key is ``no``.

A trace holds no identities, so only what a change in place proves is asked. The statement is a
method call of a name, an item of a name set or deleted, or an augmented assignment, where the name
holds a built-in mutable container and every other operand is a literal or a name of a faithful
value, so that no code of the program runs and no other object changes. Then a second name whose
value changed in the same step, to the same value, is the same object (a container that holds the
object has a longer text), and a second name of the same type whose value did not change, or changed
to another value, is not. Left out are steps in which a name was bound or unbound as well, and
statements inside ``with``: what its exit changes belongs to the last of them. A trace gives as many
questions answered yes as answered no, of those answered no rather such as looked equal before the
step.

Source: own.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from typing import NamedTuple

from tracer.inside.sites import Numbered
from tracer.questions.base import (
    COUNTING,
    ENDED,
    Context,
    QuestionKind,
    balance,
    check_yes_no,
    line_text,
    ordinal,
    run_text,
    runs_elsewhere,
    shared_lines,
)
from tracer.records import Question, Step, Trace, Verdict
from tracer.structure import Structure, structure_of
from tracer.values import is_faithful, parse
from tracer.wording import NO, YES, YES_NO_FORM

_MUTABLE = frozenset(
    (
        *("list", "dict", "set", "bytearray", "collections.deque"),
        *("collections.Counter", "collections.OrderedDict", "collections.defaultdict"),
    )
)
_OPERANDS = (
    *(ast.Constant, ast.Name, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Slice),
    *(ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Subscript),
    *(ast.JoinedStr, ast.FormattedValue),
    *(ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context),
)
_State = dict[str, tuple[str, str]]
"""Name to type text and value text."""


class _Pair(NamedTuple):
    """Two names right after a step."""

    step: Step
    names: tuple[str, str]
    same: bool
    looked_equal: bool
    """Whether their values were equal before the step."""


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """Up to ``limit`` questions, half of them answered no."""
    structure = structure_of(trace)
    if structure is None:
        return ()
    shared = shared_lines(trace)
    groups: dict[bool, dict[tuple[int, tuple[str, str]], list[_Pair]]] = {True: {}, False: {}}
    likely: dict[tuple[int, tuple[str, str]], list[_Pair]] = {}
    for step, before, after in _states(trace):
        statement = trace.statements[step.stmt]
        if step.line in shared or runs_elsewhere(trace, statement):
            continue
        for pair in _pairs(structure, step, before, after):
            place = (step.stmt, pair.names)
            groups[pair.same].setdefault(place, []).append(pair)
            if pair.looked_equal and not pair.same:
                likely.setdefault(place, []).append(pair)
    yes, no = (list(groups[same].values()) for same in (True, False))
    if len(likely) >= min(len(yes), (limit + 1) // 2):
        no = list(likely.values())
    chosen = balance(yes, no, limit, rng)
    chosen.sort(key=lambda pair: (pair.step.index, pair.names))
    return tuple(_ask(trace, pair) for pair in chosen)


def _states(trace: Trace) -> Iterator[tuple[Step, _State, _State]]:
    """Each step with the state of its activation before and after it."""
    states: list[_State] = [
        {each.name: (each.type, each.value) for each in activation.entry}
        for activation in trace.activations
    ]
    for step in trace.steps:
        before = states[step.activation]
        after = before
        if step.changes:
            after = dict(before)
            for change in step.changes:
                if change.type is None or change.value is None:
                    after.pop(change.name, None)
                else:
                    after[change.name] = (change.type, change.value)
            states[step.activation] = after
        yield step, before, after


def _pairs(structure: Structure, step: Step, before: _State, after: _State) -> Iterator[_Pair]:
    """The pairs about which the step proves something."""
    changed = {change.name for change in step.changes if change.op == "mutate"}
    if not step.completed or not changed:
        return
    name = _changed_name(structure.nodes[step.stmt], before)
    if name not in changed or not _is_held(before, name) or not _is_held(after, name):
        return
    if any(isinstance(structure.nodes[each], ast.With) for each in structure.around(step.stmt)):
        return
    if any(change.name not in changed for change in step.changes):
        return
    for other in after:
        if other == name or not _is_held(before, other) or not _is_held(after, other):
            continue
        if after[other][0] == after[name][0]:
            same = other in changed and after[other] == after[name]
            first, second = sorted((name, other))
            yield _Pair(step, (first, second), same, before[other] == before[name])


def _is_held(state: _State, name: str) -> bool:
    """Whether the name holds a whole built-in mutable container."""
    return name in state and state[name][0] in _MUTABLE and is_faithful(state[name][1])


def _changed_name(node: Numbered, state: _State) -> str | None:
    """The name of the only object that the statement can change, if there is one."""
    target: ast.expr | None = None
    operands: list[ast.expr] = []
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        if isinstance(call.func, ast.Attribute):
            target = call.func.value
            operands = [*call.args, *(each.value for each in call.keywords)]
            if not all(isinstance(each.value, ast.Constant) for each in call.keywords):
                return None
    elif isinstance(node, ast.Assign | ast.Delete) and len(node.targets) == 1:
        item = node.targets[0]
        if isinstance(item, ast.Subscript):
            target = item.value
            operands = [item.slice, *([node.value] if isinstance(node, ast.Assign) else [])]
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        target, operands = node.target, [node.value]
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
        target, operands = node.target.value, [node.target.slice, node.value]
        if not _is_flat(target, state):
            return None
    if not isinstance(target, ast.Name):
        return None
    return target.id if all(_is_harmless(each, state) for each in operands) else None


def _is_flat(target: ast.expr, state: _State) -> bool:
    """Whether a name holds a container of values none of which can be changed in place."""
    if not isinstance(target, ast.Name) or not _is_held(state, target.id):
        return False
    held = parse(state[target.id][1])
    members = held.values() if isinstance(held, dict) else held
    return all(map(_is_hashable, members))


def _is_hashable(member: object) -> bool:
    try:
        hash(member)
    except TypeError:
        return False
    return True


def _is_harmless(operand: ast.expr, state: _State) -> bool:
    """Whether evaluating it runs no code of the program and changes nothing."""
    for node in ast.walk(operand):
        if not isinstance(node, _OPERANDS):
            return False
        if isinstance(node, ast.Name):
            held = state.get(node.id)
            if held is None or not is_faithful(held[1]):
                return False
            if held[0] == "collections.defaultdict":  # reading an item may add it
                return False
    return True


def _ask(trace: Trace, pair: _Pair) -> Question:
    step = pair.step
    one, other = (f"`{name}`" for name in pair.names)
    text = (
        f"While {run_text(trace)} runs, do {one} and {other} refer to the same object right after "
        f"the {ordinal(step.occurrence)} execution of {line_text(trace, step.line)}?\n"
        f"The same object means that `{pair.names[0]} is {pair.names[1]}` would be true: a change "
        f"made through one name is seen through the other. Equal values alone are not enough. "
        f"{COUNTING} {YES_NO_FORM}"
    )
    return Question(
        kind=KIND.name,
        text=text,
        key=YES if pair.same else NO,
        valid=(),
        stmt=step.stmt,
        line=step.line,
        occurrence=step.occurrence,
        variable=", ".join(pair.names),
        step=step.index,
    )


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Compare yes or no."""
    return check_yes_no(question, answer)


KIND = QuestionKind("alias", derive, check, ENDED)
