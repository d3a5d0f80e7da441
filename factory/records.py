"""Records that flow through the factory's stages: frozen, slotted, tuples only."""

from __future__ import annotations

from dataclasses import dataclass

from tracer.records import Call, Program, Question, Trace


@dataclass(frozen=True, slots=True)
class Constraint:
    """The structure that a template program promises (ExecVerify, arXiv 2603.11226, section 3)."""

    type: str
    """Built-in type whose method is the target: ``str``, ``list``, …"""
    method: str
    """Name of the target method."""
    nested_depth: int
    """How deep calls of the target are nested; 2 means ``a.m(b.m(…))`` or ``a.m(…).m(…)``."""
    other_methods: tuple[str, ...]
    """``type.method`` of the other methods that must be called too."""
    control_flow: tuple[str, ...]
    """Nesting of control statements, outermost first: ``("for", "if")``."""
    helper_chain: bool
    """Whether the entry point must call a helper that calls another function of the program."""
    level: int
    """1 nested calls; 2 + other methods; 3, 4, 5 + one, two, three nested control statements;
    6 + helper chain; 7 and more: one for each ``feature``."""
    feature: str | None = None
    """Beyond the paper: ``comprehensions``, ``aliasing``, ``recursion``, ``exceptions``,
    ``closures``, ``generators`` or ``classes``."""


@dataclass(frozen=True, slots=True)
class Generation:
    """What a row that came of a model records about it."""

    model: str
    """Its name, its version included."""
    revision: str | None
    """As the recipe gives it."""
    temperature: float
    max_tokens: int
    """Most tokens of the reply."""
    seed: int
    """With which the reply was drawn."""
    prompt_hash: str
    """SHA-256 of the prompt's messages, in hex."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a program came from."""

    generator: str
    """``template``, ``llm`` or ``jsonl``."""
    template: str | None = None
    constraint: Constraint | None = None
    file: str | None = None
    """Base name of the source file."""
    row: int | None = None
    """1-based line (or record) of the source file."""
    name: str | None = None
    """The program's own id in its source: ``sample_0``, ``HumanEval/3``."""
    licence: str | None = None
    """SPDX id; ``None`` when unknown."""
    generation: Generation | None = None
    """How a model was asked for it."""
    repairs: int | None = None
    """Times that the model was given the program back with reasons."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A program that nobody has run yet."""

    program: Program
    origin: Origin
    calls: tuple[Call, ...]
    """Seed inputs."""
    expected: tuple[str | None, ...] = ()
    """Output text promised by the source for the call at the same place."""
    tests: str | None = None
    """Code that, run after the program, raises when the program is wrong."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something that was left out, and why."""

    stage: str
    """``source``, ``writing``, ``decontamination``, ``constraint``, ``inputs``, ``execution``,
    ``filter``, ``questions``, ``dedupe``, ``problems``."""
    reason: str
    """A short snake-case slug; counted in the manifest."""
    where: str
    """``file:line``, or the id of the program or the call."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A program with its accepted traces and their questions, parallel to each other."""

    draft: Draft
    traces: tuple[Trace, ...]
    questions: tuple[tuple[Question, ...], ...]
    dropped: tuple[Dropped, ...]
