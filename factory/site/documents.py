"""Traces, questions and programs as the JSON that the pages read; ``assets/states.js`` names it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from factory.trace_view import statement_texts
from tracer.questions.base import source_lines
from tracer.records import Question, Statement, Trace

Document: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """One call of a program as a page shows it."""

    trace: Trace
    questions: tuple[tuple[str, Question], ...]
    """Ids and questions."""


def program_document(
    program_id: str, title: str, facts: Sequence[str], calls: Sequence[Shown], steps: int
) -> Document:
    """A program with its calls.

    Args:
        program_id: Names it in the address.
        title: Heading of its page.
        facts: Short texts about it, for a person.
        calls: At least one; they are of one program.
        steps: Most steps of a call that are taken; ``total`` says how many it has.
    """
    program = calls[0].trace.program
    statements = calls[0].trace.statements
    texts = statement_texts(program.source, statements)
    forms: dict[str, int] = {}
    return {
        "id": program_id,
        "title": title,
        "facts": list(facts),
        "source": program.source,
        "entry": program.entry_point,
        "statements": [
            [each.line, last, each.kind, texts[each.stmt]]
            for each, last in zip(statements, _last_lines(program.source, statements), strict=True)
        ],
        "traces": [_trace(call, steps, forms) for call in calls],
        "forms": list(forms),
    }


def _trace(call: Shown, limit: int, forms: dict[str, int]) -> Document:
    trace = call.trace
    steps = trace.steps[:limit]
    activations = 1 + max((step.activation for step in steps), default=-1)
    outcome = trace.outcome
    return {
        "args": trace.args,
        "outcome": {
            "kind": outcome.kind,
            "type": outcome.type,
            "value": outcome.value,
            "message": outcome.message,
        },
        "stdout": trace.stdout,
        "complete": trace.complete,
        "total": len(trace.steps),
        "stmts": [step.stmt for step in steps],
        "activations": [step.activation for step in steps],
        "depths": [step.depth for step in steps],
        "occurrences": [step.occurrence for step in steps],
        "completed": [step.completed for step in steps],
        "changes": [
            [step.index, change.name, change.op, change.type, change.value]
            for step in steps
            for change in step.changes
        ],
        "frames": [
            {
                "function": each.function,
                "end": each.end,
                "type": each.type,
                "value": each.value,
                "entry": [[v.name, v.type, v.value] for v in each.entry],
            }
            for each in trace.activations[:activations]
        ],
        "questions": [_question(*each, limit, forms) for each in call.questions],
    }


def _question(question_id: str, question: Question, limit: int, forms: dict[str, int]) -> list[Any]:
    """A question; the part of its text that tells how to answer is shared by many."""
    asked, _, form = question.text.partition("\n")
    step = question.step if question.step is not None and question.step < limit else None
    number = forms.setdefault(form.strip(), len(forms))
    valid = list(question.valid)
    return [question_id, question.kind, asked, number, question.key, valid, step]


def _last_lines(source: str, statements: Sequence[Statement]) -> list[int]:
    """Last line of each statement itself, which for a compound one is that of its header."""
    lines = source_lines(source)
    found = []
    for place, statement in enumerate(statements):
        last = statement.end_line
        if place + 1 < len(statements) and statements[place + 1].line <= last:
            last = max(statement.line, statements[place + 1].line - 1)
            while last > statement.line and lines[last - 1].strip()[:1] in ("", "#"):
                last -= 1
        found.append(last)
    return found
