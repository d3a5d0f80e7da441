"""The records every part of tracefoundry exchanges: frozen, slotted, tuples only.

Conventions: ``stmt``, ``step``, ``activation`` and ``depth`` count from 0; ``occurrence`` and
``line`` count from 1; ``col`` counts UTF-8 bytes from 0, as Python's ``ast`` does. A *value* is its
canonical text (see :mod:`tracer.values`); ``None`` stands for "there is no value".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

SCHEMA_VERSION = "1"
"""Version of the record shapes, of ``trace --json`` and of the published columns."""

OutcomeKind: TypeAlias = Literal[
    "returned",
    "raised",
    "timeout",
    "step_limit",
    "memory",
    "output_limit",
    "blocked",
    "crashed",
    "nondeterministic",
    "depth_dependent",
    "disturbed",
    "unsupported",
    "bad_program",
    "infrastructure",
]
"""How a run ended.

``unsupported`` names a construct that is refused (async code, a generator as the result);
``bad_program`` is text that does not compile, whose module code raises, or without the entry
point; ``disturbed`` means that the traced run did not behave as the untraced one; and
``infrastructure`` is a failure of ours, which never counts against a program or an answer.
"""

ChangeOp: TypeAlias = Literal["bind", "rebind", "mutate", "delete", "implicit_delete"]
ActivationEnd: TypeAlias = Literal["returned", "raised", "suspended", "closed", "running"]


@dataclass(frozen=True, slots=True)
class Program:
    """A full module text and the name of the function that is called."""

    source: str
    entry_point: str | None
    """A top-level name of the program; ``None`` traces the module's own code."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a program's entry point."""

    args: str
    """What stands between the parentheses of the call: ``"[1, 2], k=3"``; evaluated in the
    program's own namespace, inside the sandbox, before the trace starts."""
    stdin: str = ""
    """Standard input of the run; empty means end of file at once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use; a limit that is hit is an outcome of its own."""

    max_steps: int = 10_000
    """Statement steps of a traced run."""
    max_value_chars: int = 1_000
    """Longest canonical text kept of a value, in characters (ints: 40,000)."""
    max_value_depth: int = 100
    """Deepest nesting kept of a value."""
    cpu_s: float = 5.0
    """Processor seconds of the child."""
    wall_s: float = 20.0
    """Seconds by the clock: a backstop that load must not reach."""
    memory_bytes: int = 512 * 1024 * 1024
    """Address space that the run may take beyond what the empty child holds."""
    output_bytes: int = 1024 * 1024
    """Bytes that the run may print."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One ``ast`` statement, ``except`` handler or ``match`` case of the program's text."""

    stmt: int
    """Number in preorder, whether it can be a step or not."""
    line: int
    end_line: int
    """Last line, the body included."""
    col: int
    kind: str
    """Name of the AST class: ``Assign``, ``For``, ``ExceptHandler``, ``match_case``."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A visible variable and its value at one moment."""

    name: str
    type: str
    value: str


@dataclass(frozen=True, slots=True)
class Change:
    """What one step did to one visible variable."""

    name: str
    op: ChangeOp
    type: str | None
    """Type text after the step; ``None`` after a deletion."""
    value: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """One execution of one statement (or header), in the order in which steps begin."""

    index: int
    stmt: int
    line: int
    activation: int
    depth: int
    occurrence: int
    """k-th begun step of this ``stmt`` in the whole trace, from 1."""
    completed: bool
    changes: tuple[Change, ...]
    """Sorted by name."""


@dataclass(frozen=True, slots=True)
class Activation:
    """One execution of a function, method, generator or class body of the program's text."""

    activation: int
    function: str
    """``__qualname__`` without ``<locals>.``; ``<module>`` for module code."""
    parent_step: int | None
    """Index of the step that was under way in the nearest activation above."""
    entry: tuple[Variable, ...]
    """Visible variables when its first step began, sorted by name."""
    end: ActivationEnd
    end_stmt: int | None
    type: str | None
    """Type of the returned value or of the exception."""
    value: str | None
    """The returned value; ``None`` unless ``end`` is ``returned``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the call ended."""

    kind: OutcomeKind
    type: str | None = None
    """Type of the returned value or of the exception."""
    value: str | None = None
    """The returned value, when ``kind`` is ``returned``."""
    message: str | None = None
    """The exception's message when it is faithful, else what a person should know."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything that was seen of one call (DESIGN, section 3)."""

    program: Program
    args: str
    """Canonical text of the arguments before the call."""
    outcome: Outcome
    complete: bool
    """Whether the trace holds every step of the call."""
    stdout: str
    python: str
    """``major.minor`` of the interpreter that ran the program."""
    statements: tuple[Statement, ...]
    activations: tuple[Activation, ...]
    steps: tuple[Step, ...]
    untracked_lines: frozenset[int] = field(default_factory=frozenset)
    """Lines holding a lambda or generator expression, whose code may run outside its own
    statement; questions that count executions never ask about them."""
    stdin: str = ""
    """Standard input of the call."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about one trace, with everything needed to check an answer."""

    kind: str
    text: str
    """What the model is asked, without the program."""
    key: str
    """The answer key, in the grammar of :mod:`tracer.answers`."""
    valid: tuple[str, ...]
    """Every other answer known to be right (same grammar); checking may accept more."""
    stmt: int | None = None
    line: int | None = None
    occurrence: int | None = None
    variable: str | None = None
    step: int | None = None
    """Index of the step asked about."""


VerdictStatus: TypeAlias = Literal[
    "correct", "incorrect", "unparsed", "no_answer", "infrastructure"
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an answer."""

    status: VerdictStatus
    reason: str
    """One sentence for a person."""
    expected: str | None = None
    got: str | None = None
