"""Traces written so short that a person can check them."""

from __future__ import annotations

from tracer.records import Change, Step, Trace


def show_changes(changes: tuple[Change, ...]) -> str:
    """Return ``x=1 -y ys~[1]``: bound or rebound, deleted (``--`` implicitly), mutated."""
    parts = []
    for change in changes:
        if change.op in ("bind", "rebind"):
            parts.append(f"{change.name}={change.value}")
        elif change.op == "mutate":
            parts.append(f"{change.name}~{change.value}")
        else:
            parts.append(("--" if change.op == "implicit_delete" else "-") + change.name)
    return " ".join(parts)


def show_step(step: Step) -> str:
    """Return ``a1 7! x=1``: activation, line, ``!`` when not completed, changes."""
    mark = "" if step.completed else "!"
    text = f"a{step.activation} {step.line}{mark} {show_changes(step.changes)}"
    return text.strip()


def show(trace: Trace) -> list[str]:
    """Return the steps of ``trace``, one text each."""
    return [show_step(step) for step in trace.steps]


def show_ends(trace: Trace) -> list[str]:
    """Return how each activation ended: ``f@3 returned int 5``, the line of its last statement."""
    ends = []
    for activation in trace.activations:
        line = None
        if activation.end_stmt is not None:
            line = trace.statements[activation.end_stmt].line
        words = [f"{activation.function}@{line}", activation.end]
        words += [word for word in (activation.type, activation.value) if word is not None]
        ends.append(" ".join(words))
    return ends
