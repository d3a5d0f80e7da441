"""What happens in a run, in the order in which a person would tell it.

A step of the trace becomes an event when it *ends*, since only then its effect is known; the steps
of a function that it calls come before it. Told are calls, what is bound, how conditions turn out,
the passes of loops and what calls return.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tracer.records import Activation, Step, Trace
from tracer.structure import Structure, following_steps, structure_of

EventKind: TypeAlias = Literal[
    "start", "effect", "decision", "pass", "loop_end", "call", "return", "answer"
]
"""All happen in a run, save the answer to a question about one of its steps."""
Bindings: TypeAlias = tuple[tuple[str, str], ...]
"""Names with the canonical text of their values."""

_TOLD_OPS = ("bind", "rebind", "mutate")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens."""

    kind: EventKind
    step: int
    """Index of the step that it belongs to."""
    activation: int
    line: int
    bindings: Bindings = ()
    """Arguments of a call, targets of a pass, effects of a statement."""
    reasons: Bindings = ()
    """The variables that a condition is about, as they are when it is evaluated."""
    condition: str = ""
    holds: bool = False
    number: int = 0
    """Which pass of its loop, from 1; at the end of a loop how many there were."""
    function: str = ""
    value: str = ""
    """What a call returns, or the answer."""
    state: Bindings = ()
    """The variables of the activation after the event, sorted by name."""


def events_of(trace: Trace) -> tuple[Event, ...] | None:
    """The events of a run, in order.

    Returns:
        ``None`` for a run that is not told: it is incomplete or did not return, or it holds a
        generator, a class body, a deletion, an exception or a value that is not known.
    """
    structure = structure_of(trace)
    if structure is None or not trace.complete or not trace.steps:
        return None
    if trace.outcome.kind != "returned":
        return None
    if any(a.end != "returned" or a.value is None for a in trace.activations):
        return None
    if any(not _is_told(trace, step, structure) for step in trace.steps):
        return None
    ran = {step.stmt for step in trace.steps}
    if any(map(_is_suspended, (structure.nodes[stmt] for stmt in ran))):
        return None
    if any(v.value.startswith(("<", "too_large")) for a in trace.activations for v in a.entry):
        return None
    return tuple(_Teller(trace, structure).tell())


def _is_told(trace: Trace, step: Step, structure: Structure) -> bool:
    node = structure.nodes[step.stmt]
    if isinstance(
        node, ast.Raise | ast.With | ast.Match | ast.match_case | ast.ClassDef | ast.Delete
    ):
        return False
    if isinstance(node, ast.ExceptHandler):
        return False
    if not step.completed and not isinstance(node, ast.Return):
        return False
    return all(
        change.op in _TOLD_OPS and not (change.value or "<").startswith(("<", "too_large"))
        for change in step.changes
    )


def _is_suspended(node: ast.AST) -> bool:
    """Whether a statement can leave its function to be resumed later."""
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))


def _named(node: ast.AST) -> frozenset[str]:
    """The variables that a statement sets, or calls a method of, whether or not that changes them.

    A statement that sets a variable to the value it has is told like any other.
    """
    if isinstance(node, ast.Expr):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            found = _base(call.func.value)
            return frozenset() if found is None else frozenset({found})
        return frozenset()
    if isinstance(node, ast.Assign):
        targets: list[ast.expr] = node.targets
    elif isinstance(node, ast.AugAssign):
        targets = [node.target]
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        targets = [node.target]
    else:
        return frozenset()
    parts = [p for t in targets for p in (t.elts if isinstance(t, ast.Tuple | ast.List) else [t])]
    return frozenset(name for name in map(_base, parts) if name is not None)


def _base(node: ast.expr) -> str | None:
    """The variable that an expression is a part of."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


class _Teller:
    """Goes through a trace once, keeping the variables of every activation."""

    def __init__(self, trace: Trace, structure: Structure) -> None:
        self.trace = trace
        self.structure = structure
        self.following = following_steps(trace)
        self.states: dict[int, dict[str, str]] = {}
        self.passes: dict[tuple[int, int], int] = {}
        """Passes so far of the loop that runs, by activation and header."""
        self.previous: dict[int, Step] = {}
        """The step that ended last in each activation."""

    def tell(self) -> Iterator[Event]:
        steps = self.trace.steps
        yield self._begin(0, steps[0].line, 0)
        waiting: list[Step] = []
        """Steps under way, outermost first: each called the next one's function."""
        for step in steps:
            known = step.activation in self.states
            above = None if known else self.trace.activations[step.activation].parent_step
            while waiting and waiting[-1].index != above:
                ended = waiting.pop()
                yield from self._end(ended)
                if known and ended.activation == step.activation:
                    break
            if not known:
                yield self._begin(step.activation, waiting[-1].line, waiting[-1].index)
            waiting.append(step)
        while waiting:
            yield from self._end(waiting.pop())

    def _begin(self, number: int, line: int, step: int) -> Event:
        activation = self.trace.activations[number]
        bindings = tuple((v.name, v.value) for v in activation.entry)
        self.states[number] = dict(bindings)
        kind: EventKind = "call" if number else "start"
        return Event(
            kind, step, number, line, bindings, function=self._name_of(activation), state=bindings
        )

    def _end(self, step: Step) -> Iterator[Event]:
        """The events of a step that ends, and of its activation when it was the last one."""
        state = self.states[step.activation]
        node = self.structure.nodes[step.stmt]
        if isinstance(node, ast.If | ast.While):
            yield self._decide(step, node.test)
        state.update((change.name, change.value or "") for change in step.changes)
        now = tuple(sorted(state.items()))
        told = {change.name for change in step.changes} | _named(node)
        bindings = tuple((name, value) for name, value in now if name in told)
        following = self.following[step.index]
        if isinstance(node, ast.For):
            yield self._pass(step, now)
        elif bindings:
            yield Event("effect", step.index, step.activation, step.line, bindings, state=now)
        self.previous[step.activation] = step
        if following is None:
            activation = self.trace.activations[step.activation]
            yield Event(
                "return",
                step.index,
                step.activation,
                step.line,
                function=self._name_of(activation),
                value=activation.value or "",
                state=now,
            )

    def _name_of(self, activation: Activation) -> str:
        """The name of a function; one inside the entry point goes by its own name alone."""
        return activation.function.removeprefix(f"{self.trace.program.entry_point}.")

    def _entered(self, step: Step) -> bool:
        following = self.following[step.index]
        body = self.structure.body(step.stmt)
        return following is not None and body is not None and following.stmt in body

    def _decide(self, step: Step, test: ast.expr) -> Event:
        state = self.states[step.activation]
        names = sorted({node.id for node in ast.walk(test) if isinstance(node, ast.Name)})
        reasons = tuple((name, state[name]) for name in names if name in state)
        return Event(
            "decision",
            step.index,
            step.activation,
            step.line,
            reasons=reasons,
            condition=ast.unparse(test),
            holds=self._entered(step),
            state=tuple(sorted(state.items())),
        )

    def _pass(self, step: Step, now: Bindings) -> Event:
        key = (step.activation, step.stmt)
        before, body = self.previous.get(step.activation), self.structure.body(step.stmt)
        if before is None or body is None or before.stmt not in body:
            self.passes.pop(key, None)
        if self._entered(step):
            number = self.passes[key] = self.passes.get(key, 0) + 1
            targets = self._targets(step)
            shown = tuple((name, value) for name, value in now if name in targets)
            return Event(
                "pass", step.index, step.activation, step.line, shown, number=number, state=now
            )
        number = self.passes.pop(key, 0)
        return Event("loop_end", step.index, step.activation, step.line, number=number, state=now)

    def _targets(self, step: Step) -> frozenset[str]:
        node = self.structure.nodes[step.stmt]
        assert isinstance(node, ast.For)
        return frozenset(n.id for n in ast.walk(node.target) if isinstance(n, ast.Name))
