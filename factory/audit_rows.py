"""Runs one published program again and compares every value of its rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice

from factory.constraints import check_dynamic, check_static
from factory.execute import run_calls, run_tests
from factory.identity import canonical_json
from factory.questions import choose_questions
from factory.records import Draft
from factory.rows import Context, Row, draft_of, program_row, question_row, trace_row
from tracer.records import Call, Trace
from tracer.runner import Runner


@dataclass(frozen=True, slots=True)
class Problem:
    """One row (or file) that is not what it should be."""

    config: str
    """``programs``, ``traces``, ``questions``, ``file`` or ``manifest``."""
    id: str
    """Id of the row, path of the file, or key of the manifest."""
    column: str
    """The column that differs; empty when the row as a whole is the problem."""
    detail: str


@dataclass(frozen=True, slots=True)
class ProgramRows:
    """A published program with its published traces and questions."""

    program: Row
    traces: tuple[Row, ...]
    questions: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class AuditJob:
    """Checks batches of programs; a worker keeps its sandboxes from batch to batch."""

    context: Context
    """Recipe and versions that the manifest names."""

    @contextmanager
    def open(self) -> Iterator[Callable[[Sequence[ProgramRows]], bytes]]:
        """Start the sandboxes."""
        with Runner(self.context.recipe.limits) as runner:
            yield partial(check_batch, runner=runner, context=self.context)


def check_batch(batch: Sequence[ProgramRows], runner: Runner, context: Context) -> bytes:
    """The problems of some programs, as :func:`read_problems` takes them."""
    problems = [asdict(problem) for problem in check_programs(batch, runner, context)]
    return json.dumps(problems).encode("ascii")


def read_problems(content: bytes) -> tuple[Problem, ...]:
    """The problems that :func:`check_batch` wrote."""
    return tuple(Problem(**problem) for problem in json.loads(content))


def check_programs(
    batch: Sequence[ProgramRows], runner: Runner, context: Context
) -> Iterator[Problem]:
    """Run programs again on every published input and compare all of their rows."""
    drafts = [draft_of(rows.program) for rows in batch]
    calls = [
        (draft.program, Call(row["args"], row["stdin"]))
        for draft, rows in zip(drafts, batch, strict=True)
        for row in rows.traces
    ]
    traces = iter(run_calls(calls, runner))
    for draft, rows in zip(drafts, batch, strict=True):
        own = tuple(islice(traces, len(rows.traces)))
        yield from _check_program(rows, draft, own, runner, context)


def _check_program(
    rows: ProgramRows, draft: Draft, traces: Sequence[Trace], runner: Runner, context: Context
) -> Iterator[Problem]:
    """Compare all rows of a program with what its runs on the published inputs gave."""
    published = rows.program
    own_id = published["program_id"]
    if not traces:
        yield Problem("programs", own_id, "", "no trace of it is in the data")
        return
    try:
        expected = program_row(draft, traces[0].statements, context)
    except (SyntaxError, ValueError) as error:
        yield Problem("programs", own_id, "source", f"does not compile: {error}")
        return
    yield from compare("programs", own_id, published, expected)
    if draft.tests is not None:
        outcome = run_tests(draft.program, draft.tests, runner)
        if outcome.kind != "returned":
            yield Problem("programs", own_id, "tests", f"they end as {outcome.kind}")
    if draft.origin.constraint is not None:
        for violation in (
            *check_static(draft.program, draft.origin.constraint),
            *check_dynamic(traces, draft.origin.constraint),
        ):
            yield Problem("programs", own_id, "constraint", violation.reason)
    parent = {**expected, "program_id": own_id}
    yield from _check_traces(rows, traces, parent, context)


def _check_traces(
    rows: ProgramRows, traces: Sequence[Trace], parent: Row, context: Context
) -> Iterator[Problem]:
    asked: dict[str, list[Row]] = {row["trace_id"]: [] for row in rows.traces}
    if len(asked) < len(rows.traces):
        yield Problem("traces", rows.traces[0]["trace_id"], "trace_id", "two rows share an id")
    for question in rows.questions:
        asked[question["trace_id"]].append(question)
    for published, trace in zip(rows.traces, traces, strict=True):
        own_id = published["trace_id"]
        expected = trace_row(trace, parent, published["stdin"])
        expected["python"] = context.versions.python
        yield from compare("traces", own_id, published, expected)
        questions = choose_questions(trace, context.recipe.questions)
        yield from compare_questions(
            own_id,
            asked[own_id],
            [question_row(question, {**expected, "trace_id": own_id}) for question in questions],
        )


def compare(config: str, own_id: str, published: Row, expected: Row) -> Iterator[Problem]:
    """A problem for each column whose published value is not the expected one."""
    for column, value in expected.items():
        if not same(published[column], value):
            detail = f"published {_short(published[column])}, found {_short(value)}"
            yield Problem(config, own_id, column, detail)


def compare_questions(
    trace: str, published: Sequence[Row], expected: Sequence[Row]
) -> Iterator[Problem]:
    """Problems of the questions of one trace: missing, invented, changed, out of order."""
    wanted = {row["question_id"]: row for row in expected}
    there = [row["question_id"] for row in published]
    for row in published:
        own_id = row["question_id"]
        if own_id in wanted:
            yield from compare("questions", own_id, row, wanted[own_id])
        else:
            yield Problem("questions", own_id, "", f"does not follow from trace {trace}")
    for own_id in wanted:
        if own_id not in there:
            yield Problem("questions", own_id, "", f"of trace {trace}: not in the data")
    if set(there) == set(wanted) and there != list(wanted):
        yield Problem("traces", trace, "", "its questions are repeated or out of order")


def same(one: object, other: object) -> bool:
    """Equality of two cells, in which ``1``, ``1.0`` and ``True`` are three values."""
    return canonical_json(one) == canonical_json(other)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:110]}… ({len(text)} characters)"
