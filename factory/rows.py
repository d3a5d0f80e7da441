"""Examples -> rows of the published configs, with their ids.

An id is the hash of what a row is *about*: a program of its text, entry point, tests and origin;
a trace of program and call; a question of trace and what is asked.  The rest of a row follows
from that by running the program again, which is what ``audit`` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

from factory.crpl import make_preferences
from factory.dedupe import find_family
from factory.difficulty.effort import Effort, Path, score_of
from factory.identity import content_id
from factory.metrics import measure
from factory.questions import source_of
from factory.recipe_records import Recipe
from factory.records import Constraint, Draft, Example, Generation, Origin
from factory.sft import make_conversations, told_runs
from factory.splits import choose_split
from factory.versions import Versions
from tracer.records import Call, Program, Question, Statement, Trace

Row: TypeAlias = dict[str, Any]

_EFFORT = tuple(each.name for each in fields(Effort))


@dataclass(frozen=True, slots=True)
class Context:
    """What every row of a build shares."""

    recipe: Recipe
    versions: Versions
    model: str | None = None
    """Name of the model that measured the difficulty; ``None`` when none did."""


@dataclass(frozen=True, slots=True)
class ExampleRows:
    """The rows that one program gives."""

    program: Row
    traces: tuple[Row, ...]
    questions: tuple[Row, ...]
    stage1: tuple[Row, ...] = ()
    sft: tuple[Row, ...] = ()
    crpl: tuple[Row, ...] = ()
    problems: tuple[Row, ...] = ()


def example_rows(example: Example, context: Context) -> ExampleRows:
    """The rows of a program that has at least one trace."""
    program = program_row(example.draft, example.traces[0].statements, context)
    traces: list[Row] = []
    questions: list[Row] = []
    for trace, asked in zip(example.traces, example.questions, strict=True):
        row = trace_row(trace, program)
        traces.append(row)
        questions.extend(question_rows(asked, trace, row, program))
    ids = [row["trace_id"] for row in traces]
    runs = told_runs(example.traces, ids, questions)
    return ExampleRows(
        program,
        tuple(traces),
        tuple(questions),
        sft=make_conversations(program, runs, context.recipe),
        crpl=make_preferences(program, runs, context.recipe),
    )


def program_id(draft: Draft) -> str:
    """Hash of the text, the entry point, the tests and where the program came from."""
    program = draft.program
    origin = asdict(draft.origin)
    for key in ("generation", "repairs"):
        del origin[key]
    return content_id([program.source, program.entry_point, draft.tests, origin])


def program_row(draft: Draft, statements: tuple[Statement, ...], context: Context) -> Row:
    """The row of a program; ``statements`` are those of any of its traces."""
    origin = draft.origin
    family = find_family(draft)
    return {
        "program_id": program_id(draft),
        "source": draft.program.source,
        "entry_point": draft.program.entry_point,
        "family_id": family,
        "generator": origin.generator,
        "template": origin.template,
        "constraint": _plain(asdict(origin.constraint)) if origin.constraint else None,
        "level": origin.constraint.level if origin.constraint else None,
        "metrics": asdict(measure(draft.program.source)),
        "licence": origin.licence,
        "generation": asdict(origin.generation) if origin.generation else None,
        "repairs": origin.repairs,
        "split": choose_split(family, context.recipe.splits),
        "stmt_line": [s.line for s in statements],
        "stmt_end_line": [s.end_line for s in statements],
        "stmt_col": [s.col for s in statements],
        "stmt_kind": [s.kind for s in statements],
        "tests": draft.tests,
        "provenance": {
            "file": origin.file,
            "row": origin.row,
            "name": origin.name,
            "seed": context.recipe.seed,
            "recipe_hash": context.recipe.hash,
            **context.versions.as_dict(),
        },
    }


def _plain(record: Row) -> Row:
    """Tuples as lists, as they come back from a file."""
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in record.items()
    }


def draft_of(row: Row) -> Draft:
    """The draft that a row of ``programs`` describes, without its inputs."""
    constraint = None
    if row["constraint"] is not None:
        promised: Row = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in row["constraint"].items()
        }
        constraint = Constraint(**promised)
    origin = Origin(
        generator=row["generator"],
        template=row["template"],
        constraint=constraint,
        file=row["provenance"]["file"],
        row=row["provenance"]["row"],
        name=row["provenance"]["name"],
        licence=row["licence"],
        generation=Generation(**row["generation"]) if row["generation"] else None,
        repairs=row["repairs"],
    )
    program = Program(row["source"], row["entry_point"])
    return Draft(program, origin, calls=(), tests=row["tests"])


def trace_id(program: str, call: Call) -> str:
    """Hash of the program's id and the call."""
    return content_id([program, call.args, call.stdin])


def trace_row(trace: Trace, program: Row, stdin: str = "") -> Row:
    """The row of one execution of the program whose row is ``program``."""
    steps, activations = trace.steps, trace.activations
    changes = [(step.index, change) for step in steps for change in step.changes]
    entries = [(a.activation, variable) for a in activations for variable in a.entry]
    return {
        "trace_id": trace_id(program["program_id"], Call(trace.args, stdin)),
        "program_id": program["program_id"],
        "split": program["split"],
        "level": program["level"],
        "args": trace.args,
        "stdin": stdin,
        "outcome": trace.outcome.kind,
        "output_type": trace.outcome.type,
        "output_value": trace.outcome.value,
        "message": trace.outcome.message,
        "stdout": trace.stdout,
        "n_steps": len(steps),
        "complete": trace.complete,
        "python": trace.python,
        "stmts": [s.stmt for s in steps],
        "activations": [s.activation for s in steps],
        "depths": [s.depth for s in steps],
        "occurrences": [s.occurrence for s in steps],
        "completed": [s.completed for s in steps],
        "change_step": [index for index, _ in changes],
        "change_name": [c.name for _, c in changes],
        "change_op": [c.op for _, c in changes],
        "change_type": [c.type for _, c in changes],
        "change_value": [c.value for _, c in changes],
        "act_function": [a.function for a in activations],
        "act_parent_step": [a.parent_step for a in activations],
        "act_end": [a.end for a in activations],
        "act_end_stmt": [a.end_stmt for a in activations],
        "act_type": [a.type for a in activations],
        "act_value": [a.value for a in activations],
        "entry_activation": [number for number, _ in entries],
        "entry_name": [v.name for _, v in entries],
        "entry_type": [v.type for _, v in entries],
        "entry_value": [v.value for _, v in entries],
    }


def question_rows(
    questions: Iterable[Question], trace: Trace, trace_row: Row, program: Row
) -> list[Row]:
    """The rows of questions about one trace, given the rows of the trace and of its program."""
    path = Path(trace, program["metrics"]["max_nesting"], program["metrics"]["calls"])
    return [_question_row(question, trace_row, path.effort(question)) for question in questions]


def _question_row(question: Question, trace: Row, effort: Effort) -> Row:
    asked = [
        question.kind,
        question.text,
        question.stmt,
        question.line,
        question.occurrence,
        question.variable,
        question.step,
    ]
    return {
        "question_id": content_id([trace["trace_id"], *asked]),
        "trace_id": trace["trace_id"],
        "program_id": trace["program_id"],
        "split": trace["split"],
        "kind": question.kind,
        "text": question.text,
        "key": question.key,
        "valid": list(question.valid),
        "stmt": question.stmt,
        "line": question.line,
        "occurrence": question.occurrence,
        "variable": question.variable,
        "step": question.step,
        "level": trace["level"],
        "effort": {name: getattr(effort, name) for name in _EFFORT},
        "score": score_of(question.kind, effort),
        "difficulty": None,
        "source": source_of(question.kind),
    }
