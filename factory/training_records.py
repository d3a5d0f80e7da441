"""What a recipe says about training sets: difficulty, prompts and their order, reasoning data.

Part of :class:`factory.recipe_records.Recipe`; every field is a key of the recipe file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from factory.rewriting_prompts import BASE, PLAN_BASE, REWRITES, TRANSFORM
from tracer.answers import Layout
from tracer.prompts import (
    ABOUT_PROBLEM,
    BASELINE,
    CODING,
    IO_MIXED,
    OI,
    PROBLEM,
    PUBLISHED,
    SYSTEM,
    check_names,
    check_template,
)

Task: TypeAlias = Literal["io_mixed", "oi"]
PhaseRule: TypeAlias = Literal["level", "score", "passes", "none"]


def refuse_below(minimum: int, **values: int | float | None) -> None:
    """Refuse numbers that are too small, by the names of their keys.

    Raises:
        ValueError: One is less than ``minimum``.
    """
    for key, value in values.items():
        if value is not None and value < minimum:
            raise ValueError(f"{key} must be at least {minimum}, not {value}")


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How a baseline model's answers are gathered, and which questions are then trained on.

    The numbers are those of ExecVerify (arXiv 2603.11226, section 3): ten answers, at most three of
    them right. Its release keeps questions that the model never answers; here one right answer at
    least shows that the model can find it.
    """

    backend: str | None = None
    """Name of a model backend, such as ``transformers``."""
    model: str | None = None
    """What the backend loads: a folder or a Hub repository; without a backend a name of the
    recipe's ``models``. ``None``: nothing is measured."""
    revision: str | None = None
    """Commit, tag or branch of the repository."""
    optional: bool = False
    """Whether a build without the backend's libraries goes on and leaves ``passes`` null."""
    kinds: tuple[str, ...] = ("output", "input")
    """Question kinds that are asked."""
    per_program: int | None = None
    """Most questions of one program that are asked, the first; ``None``: all."""
    n: int = 10
    """Answers to each question."""
    temperature: float = 1.0
    max_tokens: int = 2048
    """Most tokens of one reply."""
    least_passes: int | None = 1
    """Fewest right answers of a question that is trained on; ``None``: no bound."""
    most_passes: int | None = 3
    layout: Layout = "any"
    """How the replies are read."""
    system: str = SYSTEM
    prompt: str = BASELINE

    def __post_init__(self) -> None:
        """Check the numbers, that they go together, and the template."""
        refuse_below(1, n=self.n, max_tokens=self.max_tokens, per_program=self.per_program)
        refuse_below(0, least_passes=self.least_passes, most_passes=self.most_passes)
        refuse_below(0, temperature=self.temperature)
        check_template("prompt", self.prompt)
        if self.backend is not None and not self.model:
            raise ValueError("a backend needs a model: a folder or a Hub repository")
        if self.backend is None and self.revision:
            raise ValueError("revision needs a backend, such as transformers")
        if not self.model and self.optional:
            raise ValueError("optional needs a model that may be missing")
        least, most = self.bounds
        if least > most or least > self.n:
            raise ValueError(f"no question can have between {least} and {most} of {self.n} passes")

    @property
    def bounds(self) -> tuple[int, int]:
        """Fewest and most passes of a question that is trained on."""
        most = self.n if self.most_passes is None else self.most_passes
        return self.least_passes or 0, most


@dataclass(frozen=True, slots=True)
class Stage1:
    """The prompts of the config ``stage1`` (ExecVerify, arXiv 2603.11226, stage I)."""

    tasks: tuple[Task, ...] = ("io_mixed", "oi")
    """``io_mixed``: the output and white-box questions; ``oi``: an input that gives the output."""
    control_flow: int = 5
    """Most questions of a prompt about the order of steps."""
    data_flow: int = 5
    """Most questions of a prompt about variables."""
    alpha: float = 0.5
    """Weight of the white-box questions in the reward."""
    layout: Layout = "any"
    """How replies are to be written, for the rewards."""
    rows: int | None = None
    """Most prompts of the training split, the first in draw order; ``None`` keeps all."""
    system: str = SYSTEM
    io_mixed: str = IO_MIXED
    oi: str = OI

    def __post_init__(self) -> None:
        """Check the numbers and the templates."""
        refuse_below(0, control_flow=self.control_flow, data_flow=self.data_flow)
        refuse_below(1, rows=self.rows)
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha must be between 0 and 1, not {self.alpha:g}")
        check_template("io_mixed", self.io_mixed)
        check_template("oi", self.oi)


@dataclass(frozen=True, slots=True)
class Reasoning:
    """How much is made of a config that reasons about runs, and the prompt of its rows."""

    per_program: int = 4
    """Most rows of one program; 0 makes none."""
    system: str = SYSTEM
    prompt: str = BASELINE
    """Should number the lines: the rationales name them."""

    def __post_init__(self) -> None:
        """Check the number and the template."""
        refuse_below(0, per_program=self.per_program)
        check_template("prompt", self.prompt)


@dataclass(frozen=True, slots=True)
class Preferences(Reasoning):
    """How many pairs the config ``crpl`` gets; the prompt is that of reasoning about runs."""

    per_problem: int = 4
    """Most pairs of one problem of code generation, of reasoning that precedes the code."""

    def __post_init__(self) -> None:
        """Check the numbers and the template."""
        Reasoning.__post_init__(self)
        refuse_below(0, per_problem=self.per_problem)


@dataclass(frozen=True, slots=True)
class Problems:
    """How problems of code generation are made of programs, and their prompt."""

    wanted: bool = True
    """Whether any are made."""
    examples: int = 2
    """Most executed examples that a prompt shows; they are no tests."""
    tests: int = 6
    """Tests that every problem has at least, if there are so many inputs."""
    inputs: int = 40
    """Inputs tried beside the program's own, to find tests that mutants fail."""
    mutants: int = 8
    """Most mutants of each reference."""
    most_alive: int = 1
    """Mutants that may pass all tests; a problem with more is dropped."""
    system: str = CODING
    prompt: str = PROBLEM
    published: str = PUBLISHED
    """The prompt of problems of public data sets."""

    def __post_init__(self) -> None:
        """Check the numbers and the template."""
        refuse_below(1, examples=self.examples, tests=self.tests)
        refuse_below(0, inputs=self.inputs, mutants=self.mutants, most_alive=self.most_alive)
        for key, known in (("prompt", ABOUT_PROBLEM), ("published", frozenset({"statement"}))):
            if "statement" not in check_names(key, getattr(self, key), known):
                raise ValueError(f"{key}: needs $statement")


@dataclass(frozen=True, slots=True)
class TeacherPlan:
    """The model whose reasoning the config ``sft`` gets where its answer verifies."""

    backend: str | None = None
    """Name of a model backend, such as ``vllm``."""
    model: str | None = None
    """What the backend loads; without a backend a name of the recipe's ``models``."""
    revision: str | None = None
    """Commit, tag or branch of a repository."""
    per_program: int = 2
    """Most questions of one program that it is asked."""
    n: int = 1
    """Replies to each; the first that verifies is kept."""
    temperature: float = 1.0
    max_tokens: int = 4096
    """Most tokens of one reply."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        refuse_below(0, per_program=self.per_program, temperature=self.temperature)
        refuse_below(1, n=self.n, max_tokens=self.max_tokens)


CRPL_MODEL = "Qwen/Qwen2.5-Coder-32B-Instruct"
"""Writes reasonings, better and worse ones in ReCode (arXiv 2508.05170, section 2.1)."""


@dataclass(frozen=True, slots=True)
class RewriterPlan:
    """The model that writes pairs for the config ``crpl``, and what it is told."""

    backend: str | None = None
    """Name of a model backend, such as ``vllm``."""
    model: str | None = None
    """What the backend loads, :data:`CRPL_MODEL` if not given; without a backend a name of the
    recipe's ``models``."""
    revision: str | None = None
    """Commit, tag or branch of a repository."""
    mix: bool = False
    """Whether pairs of a model may stand beside those that are written from traces and plans."""
    per_program: int = 2
    """Most pairs about the runs of one program that are tried."""
    per_problem: int = 2
    """Most pairs about the plan of one problem's code that are tried, up to nine."""
    temperature: float = 1.0
    max_tokens: int = 4096
    """Most tokens of one reply."""
    base: str = BASE
    plan_base: str = PLAN_BASE
    transform: str = TRANSFORM
    factual_better: str = REWRITES["factual_better"]
    factual_worse: str = REWRITES["factual_worse"]
    rigor_better: str = REWRITES["rigor_better"]
    rigor_worse: str = REWRITES["rigor_worse"]
    coherence_better: str = REWRITES["coherence_better"]
    coherence_worse: str = REWRITES["coherence_worse"]

    def __post_init__(self) -> None:
        """Check the numbers and the texts; a backend without a model loads the paper's."""
        if self.backend is not None and self.model is None:
            object.__setattr__(self, "model", CRPL_MODEL)
        refuse_below(0, per_program=self.per_program, per_problem=self.per_problem)
        refuse_below(0, temperature=self.temperature)
        refuse_below(1, max_tokens=self.max_tokens)
        check_names("base", self.base, frozenset({"forms"}))
        check_names("plan_base", self.plan_base, frozenset({"forms"}))
        names = check_names(
            "transform", self.transform, frozenset({"task", "reasoning", "how", "forms"})
        )
        if not {"reasoning", "how"} <= names:
            raise ValueError("transform: needs $reasoning and $how")


@dataclass(frozen=True, slots=True)
class Curriculum:
    """The order in which the prompts of ``stage1`` are meant to be trained on."""

    by: PhaseRule = "level"
    """What makes a phase: the program's level, the score cut at ``edges``, or the measured passes;
    ``none`` puts everything into one."""
    edges: tuple[float, ...] = (6.0, 10.0, 14.0, 20.0)
    """Scores, rising, at which a new phase begins; for ``by: score``."""
    warm_up: float = 0.1
    """Share of the easiest phase that comes before all others."""
    mix: float = 0.1
    """Share of every phase that is spread over all phases."""

    def __post_init__(self) -> None:
        """Check the shares and the edges."""
        for key, share in (("warm_up", self.warm_up), ("mix", self.mix)):
            if not 0 <= share <= 1:
                raise ValueError(f"{key} must be between 0 and 1, not {share:g}")
        if list(self.edges) != sorted(set(self.edges)):
            raise ValueError("edges must rise")
