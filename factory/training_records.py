"""What a recipe says about training sets: difficulty, prompts and their order, reasoning data.

Part of :class:`factory.recipe_records.Recipe`; every field is a key of the recipe file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tracer.answers import Layout
from tracer.prompts import (
    ABOUT_PROBLEM,
    BASELINE,
    CODING,
    IO_MIXED,
    OI,
    PROBLEM,
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
    """How much is made of the config ``sft`` or ``crpl``, and the prompt of its rows."""

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

    def __post_init__(self) -> None:
        """Check the numbers and the template."""
        refuse_below(1, examples=self.examples, tests=self.tests)
        refuse_below(0, inputs=self.inputs, mutants=self.mutants, most_alive=self.most_alive)
        names = check_names("prompt", self.prompt, ABOUT_PROBLEM)
        if "statement" not in names:
            raise ValueError("prompt: needs $statement")


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
