"""What an evaluation is made of: tasks, what they ask, and how an answer to each is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tracer.answers import Layout
from tracer.problems import Problem
from tracer.records import Program, Question, Verdict

Row: TypeAlias = Mapping[str, Any]
"""One record of a benchmark's file."""
Prompt: TypeAlias = Sequence[Mapping[str, str]]
"""The messages of a chat, each with ``role`` and ``content``."""

Mode: TypeAlias = Literal["greedy", "sampled", "given", "scored"]
"""How replies came: the likeliest, drawn, from a file, or none, where pairs are scored."""


@dataclass(frozen=True, slots=True)
class QuestionKey:
    """A question about a program's execution."""

    question: Question
    program: Program | None


@dataclass(frozen=True, slots=True)
class TestsKey:
    """Code that must pass unit tests, which run apart from it."""

    __test__ = False

    problem: Problem
    method: bool = False
    """Whether a method of this name, in a class ``Solution``, will do as well."""
    plus: Mapping[str, Any] | None = None
    """The record, where the ``evalplus`` package knows how to judge it."""


@dataclass(frozen=True, slots=True)
class ModuleKey:
    """Code whose tests must share its process, since they exchange more than plain data."""

    entry_point: str
    tests: str
    """Text of a module with ``unittest`` cases."""
    reference: str
    """A solution that has to pass here, or else the tests can't be run here."""


@dataclass(frozen=True, slots=True)
class TextKey:
    """Text of another language, compared without its blanks."""

    text: str


Key: TypeAlias = QuestionKey | TestsKey | ModuleKey | TextKey


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that is asked, and judged by itself."""

    id: str
    kind: str
    """Such as ``output``, ``coverage``, ``code``."""
    level: str | None
    """Level, difficulty or language; ``None`` where the benchmark has none."""
    group: str
    """What it is about: things asked about one program are not independent."""
    key: Key


@dataclass(frozen=True, slots=True)
class Task:
    """One prompt."""

    id: str
    """Unique within its benchmark."""
    prompt: Prompt
    asked: tuple[Asked, ...]
    """At least one; several are answered by id in one reply, unless all are about its code."""
    layout: Layout = "any"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The tasks of a benchmark, and what of its rows could not be used."""

    tasks: tuple[Task, ...]
    left_out: tuple[tuple[str, str], ...]
    """Where, and the reason, for each."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One reply and the verdict on each thing that its task asked."""

    task: Task
    reply: str | None
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table."""

    kind: str
    """What was asked; ``all``: everything."""
    level: str | None
    """``None``: every level."""
    mode: Mode
    k: int
    value: float
    """Pass@k, from 0 to 1."""
    low: float
    high: float
    questions: int
    groups: int
    """Programs or problems that the questions are about."""
    unparsed: float
    """Share of replies that hold no answer, or one that can't be read."""
    infrastructure: int
    """Replies that could not be judged; they count neither way."""
    reasoning_tokens: float | None
    """Mean length of what stands before the answer."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What came out of one benchmark."""

    name: str
    data: tuple[str, ...]
    tasks: int
    questions: int
    left_out: tuple[tuple[str, str], ...]
    """Where, and the reason."""
    digest: str
    """SHA-256 of the prompts and keys."""
    results: tuple[Result, ...]
