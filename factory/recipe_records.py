"""What to build: the frozen records that a recipe file becomes, and the recipe's hash.

The records hold only values that were checked by :mod:`factory.recipe`; every key is a
field here and a key of the YAML file alike.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import Any, ClassVar, Literal, TypeAlias

from factory.identity import content_id
from factory.models.base import ModelPlan
from factory.source_records import Fields, Grid, Source, Writer
from factory.training_records import (
    Curriculum,
    Difficulty,
    Preferences,
    Problems,
    Reasoning,
    RewriterPlan,
    Stage1,
    TeacherPlan,
    refuse_below,
)
from tracer.records import Limits

Dedupe: TypeAlias = Literal["none", "exact", "normalised", "behaviour"]

__all__ = [
    "DEFAULT_KINDS",
    "SPLITS",
    "Benchmark",
    "Decontamination",
    "Fields",
    "Filters",
    "Grid",
    "Inputs",
    "QuestionPlan",
    "Recipe",
    "Shares",
    "Source",
    "Writer",
]

SPLITS = ("train", "validation", "test")
"""The splits, in the order in which files and counts name them."""


DEFAULT_KINDS = ("output", "input", "next_statement", "variable_state")
"""The question kinds of a recipe that names none: those of the paper."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """How many inputs are made beside those that come with a program."""

    mutants: int = 0
    """Calls made per program beside its own: near them, and drawn anew."""
    keep: int | None = None
    """Most inputs kept of a program: the fewest that together take the most branches, paths and
    outputs. ``None`` keeps all that ran."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        refuse_below(0, mutants=self.mutants)
        refuse_below(1, keep=self.keep)


@dataclass(frozen=True, slots=True)
class Filters:
    """What is left out although it ran; ``None`` is strict for templates, lenient for files."""

    constant_output: bool | None = None
    """Leave out programs with one output for all of three inputs or more. Templates: ``true``."""
    min_steps: int | None = None
    """Leave out traces with fewer steps. Templates: 3."""

    def __post_init__(self) -> None:
        """Check the number."""
        refuse_below(0, min_steps=self.min_steps)


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """Which questions are kept of a trace (ExecVerify, arXiv 2603.11226, section 3)."""

    kinds: tuple[str, ...] = DEFAULT_KINDS
    """Names of question kinds."""
    control_flow: int | None = 5
    """Most questions of a trace about the order of its steps; ``None`` keeps all."""
    data_flow: int | None = 5
    """Most questions of a trace about its variables; ``None`` keeps all."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        refuse_below(0, control_flow=self.control_flow, data_flow=self.data_flow)


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of the splits by program family; they add up to 1."""

    train: float = 0.9
    validation: float = 0.05
    test: float = 0.05

    def __post_init__(self) -> None:
        """Check that the shares are shares."""
        refuse_below(0, train=self.train, validation=self.validation, test=self.test)
        total = self.train + self.validation + self.test
        if abs(total - 1) > 1e-9:
            raise ValueError(f"the shares must add up to 1, not {total:g}")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark whose programs must not be in the data."""

    path: str
    """A .jsonl, .json (both also .gz) or .parquet file, or a folder of such files, relative to the
    recipe's own folder; or ``hf://datasets/owner/name[@revision]``, a data set of the Hub."""
    name: str | None = None
    """As the report calls it; ``None``: the path's last part without suffixes or revision."""
    field: str | None = None
    """Field of a record that holds a program; ``None``: those of the known benchmarks."""

    @property
    def label(self) -> str:
        """Name in the report."""
        return self.name or PurePath(self.path).name.split("@")[0].split(".")[0]

    @property
    def is_remote(self) -> bool:
        """Whether it is a data set of the Hub."""
        return self.path.startswith("hf://")

    @property
    def shown_path(self) -> str:
        """What may be published of the path: of a local one its last part only."""
        return self.path if self.is_remote else PurePath(self.path).name


@dataclass(frozen=True, slots=True)
class Decontamination:
    """Which benchmarks the programs are compared with, and how."""

    benchmarks: tuple[Benchmark, ...] = ()
    ngram: int = 8
    """Length of the runs of tokens that are compared."""
    share: float = 0.75
    """Share of a benchmark program's runs, in (0, 1], from which on a program holds it."""

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: A number is out of range, or two benchmarks share a name.
        """
        refuse_below(1, ngram=self.ngram)
        if not 0 < self.share <= 1:
            raise ValueError(f"share must be more than 0 and at most 1, not {self.share:g}")
        names = [each.label for each in self.benchmarks]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two benchmarks are called {name!r}; give each a name of its own")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides which rows a build holds, the seed included."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "strict": True}

    source: Source
    name: str = ""
    """For people; the file's own name when the recipe gives none."""
    programs: int | None = None
    """Programs to accept; for files the number of rows to read. ``None``: 100, or all rows."""
    seed: int = 0
    inputs: Inputs = field(default_factory=Inputs)
    filters: Filters = field(default_factory=Filters)
    questions: QuestionPlan = field(default_factory=QuestionPlan)
    limits: Limits = field(default_factory=Limits)
    dedupe: Dedupe | None = None
    """``None``: ``normalised`` for templates, ``none`` for files."""
    near_duplicates: float | None = None
    """Similarity of normalised tokens, 0.5 to 0.95, from which on only the first program is kept;
    ``None`` compares nothing."""
    decontamination: Decontamination = field(default_factory=Decontamination)
    splits: Shares = field(default_factory=Shares)
    shard_programs: int = 1000
    """Programs in one file of each split."""
    grid: Grid = field(default_factory=Grid)
    models: dict[str, ModelPlan] = field(default_factory=dict)
    """Models by the names under which the other keys may ask for them."""
    writer: Writer = field(default_factory=Writer)
    difficulty: Difficulty = field(default_factory=Difficulty)
    stage1: Stage1 = field(default_factory=Stage1)
    curriculum: Curriculum = field(default_factory=Curriculum)
    sft: Reasoning = field(default_factory=Reasoning)
    crpl: Preferences = field(default_factory=Preferences)
    problems: Problems = field(default_factory=Problems)
    teacher: TeacherPlan = field(default_factory=TeacherPlan)
    rewriter: RewriterPlan = field(default_factory=RewriterPlan)
    licence: str | None = None
    """SPDX id of the programs; ``None`` when unknown."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not -(2**63) <= self.seed < 2**63:
            raise ValueError(f"seed must fit 64 bits, not {self.seed}")
        refuse_below(1, shard_programs=self.shard_programs, programs=self.programs)
        refuse_below(
            1,
            **{
                f"limits.{key}": value
                for key, value in asdict(self.limits).items()
                if not key.endswith("_s")
            },
        )
        if self.near_duplicates is not None and not 0.5 <= self.near_duplicates <= 0.95:
            raise ValueError(
                f"near_duplicates must be between 0.5 and 0.95, not {self.near_duplicates:g}"
            )
        for key in ("cpu_s", "wall_s"):
            if getattr(self.limits, key) <= 0:
                raise ValueError(f"limits.{key} must be more than 0")
        if self.source.written and self.writer.model is None:
            raise ValueError(f"source.kind {self.source.kind} needs writer.model")
        grounded = self.crpl.per_program or self.crpl.per_problem
        if self.rewriter.model is not None and grounded and not self.rewriter.mix:
            raise ValueError(
                "rewriter: its pairs would stand beside those written from traces; set "
                "crpl.per_program and crpl.per_problem to 0, or rewriter.mix to true"
            )
        if self.curriculum.by == "passes":
            self._check_passes()

    def _check_passes(self) -> None:
        """See that the passes by which the curriculum goes are surely measured."""
        if self.difficulty.model is None or self.difficulty.optional:
            raise ValueError(
                "curriculum.by: passes needs a measured difficulty: give difficulty.backend and "
                "difficulty.model, without difficulty.optional"
            )

    @property
    def dedupe_rule(self) -> Dedupe:
        """The rule that is in force."""
        if self.dedupe is not None:
            return self.dedupe
        return "normalised" if self.source.drawn else "none"

    @property
    def filters_rule(self) -> Filters:
        """The filters that are in force."""
        drawn = self.source.drawn
        given = self.filters
        return Filters(
            constant_output=drawn if given.constant_output is None else given.constant_output,
            min_steps=(3 if drawn else 0) if given.min_steps is None else given.min_steps,
        )

    def contents(self) -> dict[str, Any]:
        """What decides a row beside seed and number, as JSON-able data.

        Of a path only the last part, and nothing of how a model is reached.
        """
        contents = asdict(self)
        for key in ("name", "programs", "seed"):
            del contents[key]
        contents["dedupe"] = self.dedupe_rule
        contents["filters"] = asdict(self.filters_rule)
        if self.source.path is not None:
            contents["source"]["path"] = PurePath(self.source.path).name
        for plan in contents["models"].values():
            del plan["settings"], plan["copies"]
        benchmarks = contents["decontamination"]["benchmarks"]
        for benchmark, own in zip(benchmarks, self.decontamination.benchmarks, strict=True):
            benchmark["path"] = own.shown_path
        return contents

    @property
    def hash(self) -> str:
        """Hash of the contents: equal for builds whose rows may be compared or continued."""
        return content_id(self.contents())
