"""``tracefoundry explain``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factory.cli.places import Place
from factory.cli.query import open_files
from factory.cli.terminal import open_console, print_json, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from factory.explanation import Explanation

AROUND = 3
"""Steps that are shown before and after each one that matters."""


def explain(
    place: Place,
    name: Annotated[
        str,
        typer.Argument(metavar="ID", help="Id of a program, trace or question, or its beginning."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show one program, trace or question: source, steps, and why this answer key.

    Of a question the steps that show its answer are found again in the trace, apart from what made
    the key.

    Example: tracefoundry explain data 3f2a
    """
    from factory.explanation import explain as look_up

    with open_files(place) as files:
        found = look_up(files, name)
    if as_json:
        print_json(describe_explanation(found))
    else:
        print_explanation(open_console(), found)


def describe_explanation(found: Explanation) -> dict[str, Any]:
    """An explanation as JSON-able data; rows have the columns of the data."""
    return {
        "config": found.config,
        "id": found.id,
        "program": found.program,
        "trace": found.trace,
        "question": found.question,
        "evidence": asdict(found.evidence) if found.evidence else None,
        "traces": list(found.traces),
        "questions": list(found.questions),
    }


def print_explanation(console: Console, found: Explanation) -> None:
    """Print what an id names."""
    from factory.load import trace_of
    from factory.trace_view import print_outcome, print_steps

    program, trace = found.program, found.trace
    steps = found.evidence.steps if found.evidence else ()
    _print_line(console, f"{found.config[:-1]} {found.id}", "bold")
    _print_facts(console, program)
    record = trace_of(trace, program) if trace else None
    lines = {record.steps[step].line for step in steps} if record else set()
    if found.question and found.question["line"]:
        lines.add(found.question["line"])
    _print_source(console, program["source"], lines)
    if record is not None:
        _print_line(console, f"call: {program['entry_point'] or '<module>'}({record.args})", "bold")
        near = {at + by for at in steps for by in range(-AROUND, AROUND + 1)}
        print_steps(console, record, near if found.question else None)
        if not found.question:
            print_outcome(console, record)
    if found.question and found.evidence:
        _print_question(console, found)
    if found.traces:
        columns = ("trace_id", "args", "outcome", "output_value", "n_steps", "questions")
        print_table(console, "traces", columns, [[t[c] for c in columns] for t in found.traces])
    if found.questions:
        shown = ("question_id", "kind", "step", "line", "variable", "key")
        print_table(console, "questions", shown, [[q[c] for c in shown] for q in found.questions])


def _print_line(console: Console, text: str, style: str = "") -> None:
    from rich.text import Text

    console.print(Text(text, style=style), soft_wrap=True)


def _print_facts(console: Console, program: dict[str, Any]) -> None:
    constraint = program["constraint"]
    target = f"{constraint['type']}.{constraint['method']}" if constraint else None
    facts = {
        "program": program["program_id"],
        "level": program["level"],
        "target": target,
        "feature": constraint["feature"] if constraint else None,
        "template": program["template"],
        "split": program["split"],
        "licence": program["licence"],
    }
    _print_line(console, "  ".join(f"{name} {value}" for name, value in facts.items() if value))


def _print_source(console: Console, source: str, marked: set[int]) -> None:
    from rich.text import Text

    from tracer.questions.base import source_lines

    lines = source_lines(source.removesuffix("\n"))
    for number, line in enumerate(lines, 1):
        sign, style = (">", "bold") if number in marked else (" ", "")
        console.print(Text(f"{sign} {number:>3} {line}", style=style), soft_wrap=True)


def _print_question(console: Console, found: Explanation) -> None:
    question, evidence = found.question, found.evidence
    assert question is not None
    assert evidence is not None
    _print_line(console, f"question ({question['kind']}): {question['text']}")
    _print_line(console, f"answer key: {question['key']}", "green")
    for text in question["valid"]:
        _print_line(console, f"also right: {text}", "green")
    _print_line(console, f"why: {evidence.because}")
    if evidence.answer is not None and evidence.answer != question["key"]:
        answer = f"the trace gives {evidence.answer} instead: run `tracefoundry audit`"
        _print_line(console, answer, "red")
