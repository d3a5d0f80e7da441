"""Shows a trace on a terminal, as a debugger would: statement by statement, with what changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from tracer.records import Activation, Change, Question, Statement, Step, Trace

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

SHOWN_CHARS = 72
"""Longest piece of text of a cell; the JSON form holds everything."""
SHOWN_STEPS = 400
"""Most steps of a table; beyond, the middle is left out."""
LAST_STEPS = 100
OP_STYLES = {
    "bind": "green",
    "rebind": "yellow",
    "mutate": "magenta",
    "delete": "red",
    "implicit_delete": "red",
}
OP_SIGNS = {"bind": "=", "rebind": "=", "mutate": "~", "delete": "deleted"}


def statement_texts(source: str, statements: Sequence[Statement]) -> dict[int, str]:
    """Text of each statement in one line; of a compound statement its header only.

    Args:
        source: The program's text.
        statements: All its statements, in preorder.
    """
    lines = [line.encode() for line in _split_lines(source)]
    texts = {}
    for place, statement in enumerate(statements):
        after = statements[place + 1] if place + 1 < len(statements) else None
        start = (statement.line - 1, statement.col)
        end = (statement.end_line - 1, len(lines[statement.end_line - 1]))
        if after is not None:
            end = min(end, (after.line - 1, after.col))
        texts[statement.stmt] = _cut(lines, start, end, statement.kind)
    return texts


def print_trace(console: Console, trace: Trace) -> None:
    """Print steps, outcome and output of ``trace``."""
    print_steps(console, trace)
    print_outcome(console, trace)


def print_steps(console: Console, trace: Trace, shown: Collection[int] | None = None) -> None:
    """Print the steps with these indexes, or all but the middle of a long trace."""
    if shown is None:
        hidden = range(SHOWN_STEPS - LAST_STEPS, len(trace.steps) - LAST_STEPS)
        shown = [step.index for step in trace.steps if step.index not in hidden]
    if trace.steps and shown:
        console.print(_step_table(trace, frozenset(shown)))


def print_outcome(console: Console, trace: Trace) -> None:
    """Print how the call ended, and what it printed."""
    from rich.text import Text

    console.print(_outcome_line(trace))
    if not trace.complete:
        console.print(Text("the trace does not hold every step of the call", style="yellow"))
    if trace.stdout:
        console.print(Text("printed:", style="bold"))
        console.print(Text(trace.stdout.removesuffix("\n")))


def print_questions(
    console: Console, questions: Sequence[Question], shown: int | None = None
) -> None:
    """Print ``shown`` questions (all for ``None``) with their answers.

    Only the question itself is shown, which is the first line of its text; how to write the
    answer is left out.
    """
    from rich.text import Text

    listed = questions if shown is None else _spread(questions, shown)
    console.print(Text(f"\n{len(questions)} questions", style="bold"))
    for question in listed:
        asked = question.text.partition("\n")[0]
        console.print(Text.assemble((f"{question.kind}: ", "cyan"), asked))
        answer = Text.assemble("    → ", (shorten(question.key), "green"))
        console.print(answer)
    if len(listed) < len(questions):
        rest = len(questions) - len(listed)
        console.print(Text(f"… and {rest} more (--questions shows all)", style="dim"))


def shorten(text: str, limit: int = SHOWN_CHARS) -> str:
    """At most ``limit`` characters of a text, on one line."""
    line = text.replace("\n", "⏎")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _spread(questions: Sequence[Question], shown: int) -> Sequence[Question]:
    """Take questions kind by kind in turn, so that every kind is seen; order is kept."""
    kinds: dict[str, list[int]] = {}
    for place, question in enumerate(questions):
        kinds.setdefault(question.kind, []).append(place)
    rounds = max((len(places) for places in kinds.values()), default=0)
    taken = [p[turn] for turn in range(rounds) for p in kinds.values() if turn < len(p)]
    return [questions[place] for place in sorted(taken[:shown])]


def _step_table(trace: Trace, shown: frozenset[int]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    texts = statement_texts(trace.program.source, trace.statements)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("step", justify="right", style="dim")
    table.add_column("line", justify="right", style="cyan")
    table.add_column("statement", overflow="fold")
    table.add_column("changes", overflow="fold")
    firsts = {step.activation: step.index for step in reversed(trace.steps)}
    lasts = {step.activation: step.index for step in trace.steps}
    hidden = 0
    for step in trace.steps:
        if step.index not in shown:
            hidden += 1
            if step.index + 1 in shown or step.index + 1 == len(trace.steps):
                table.add_row("…", "", Text(f"… {hidden} steps (--json has all)", "dim"), "")
                hidden = 0
            continue
        activation = trace.activations[step.activation]
        if firsts[step.activation] == step.index:
            table.add_row("", "", _entry_line(activation, step.depth), "")
        statement = Text("│ " * step.depth, style="dim")
        statement.append(shorten(texts[step.stmt]), style="" if step.completed else "red")
        changes = _changes(step, trace)
        if lasts[step.activation] == step.index and activation.value is not None:
            changes.append("  " if changes else "").append(f"→ {shorten(activation.value)}", "bold")
        table.add_row(str(step.index), str(step.line), statement, changes)
    return table


def _entry_line(activation: Activation, depth: int) -> Text:
    """Function and visible variables at the begin of an activation."""
    from rich.text import Text

    variables = ", ".join(f"{v.name} = {shorten(v.value, 40)}" for v in activation.entry)
    return Text.assemble(
        ("│ " * depth, "dim"), (activation.function, "bold"), (f"  {variables}", "dim")
    )


def _changes(step: Step, trace: Trace) -> Text:
    from rich.text import Text

    text = Text()
    for change in step.changes:
        if text:
            text.append("  ")
        text.append(_show_change(change), style=OP_STYLES[change.op])
    opened = [a for a in trace.activations if a.parent_step == step.index]
    if not step.completed and not opened:
        text.append("  " if text else "").append("not completed", style="red")
    return text


def _show_change(change: Change) -> str:
    if change.value is None:
        return f"{change.name} deleted"
    return f"{change.name} {OP_SIGNS[change.op]} {shorten(change.value)}"


def _outcome_line(trace: Trace) -> Text:
    from rich.text import Text

    outcome = trace.outcome
    good = outcome.kind == "returned"
    text = Text(outcome.kind.replace("_", " "), style="bold green" if good else "bold red")
    if outcome.value is not None:
        text.append(f" {shorten(outcome.value, 400)}", style="")
    if outcome.type is not None:
        text.append(f" ({outcome.type})", style="dim")
    if outcome.message:
        text.append(f": {shorten(outcome.message, 400)}", style="")
    text.append(f"  {len(trace.steps)} steps, Python {trace.python}", style="dim")
    return text


def _cut(lines: list[bytes], start: tuple[int, int], end: tuple[int, int], kind: str) -> str:
    parts = []
    for number in range(start[0], end[0] + 1):
        line = lines[number]
        left = start[1] if number == start[0] else 0
        right = end[1] if number == end[0] else len(line)
        part = line[left:right].decode(errors="replace").strip()
        if part and not part.startswith(("#", "@")):
            parts.append(part)
    text = " ".join(parts).rstrip(" ;")
    if kind == "match_case":
        text = f"case {text}"
    return text


def _split_lines(source: str) -> list[str]:
    """Lines as Python counts them."""
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
