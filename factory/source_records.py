"""What a recipe says about where programs, or problems, come from: templates, files, a model.

Part of :class:`factory.recipe_records.Recipe`; every field is a key of the recipe file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from factory.training_records import refuse_below
from factory.writer_prompts import PROMPT, REPAIR, SYSTEM, check_texts

Shape: TypeAlias = Literal["apps", "cruxeval", "eurus", "humaneval", "kodcode", "mbpp", "taco"]
PROGRAM_SHAPES = ("cruxeval", "humaneval", "mbpp")
PROBLEM_SHAPES = ("apps", "eurus", "humaneval", "kodcode", "mbpp", "taco")
"""Shapes that give programs, and those that give problems of code generation."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Names of the fields of a JSON record that hold a program's parts."""

    code: str = "code"
    input: str | None = "input"
    """Text between the parentheses of the call, or a list of such texts."""
    output: str | None = "output"
    """Text of the promised result, or a list as long as the inputs."""
    entry_point: str = "f"
    """A field of the record, or else the name of the function itself."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where programs come from."""

    kind: Literal["templates", "jsonl", "llm", "mixed", "problems"]
    """``llm``: a language model writes the programs of the grid's cells; ``mixed``: templates and
    a model do; ``problems``: of a public data set, which only the config ``problems`` gets."""
    path: str | None = None
    """A .jsonl, .json (a list; both also .gz) or .parquet file; relative to the recipe's own
    folder, or inside ``repo``."""
    shape: Shape | None = None
    fields: Fields | None = None
    repo: str | None = None
    """``owner/name`` or ``owner/name@revision``: the data set of the Hub that holds the file."""

    def __post_init__(self) -> None:
        """Refuse combinations that mean nothing.

        Raises:
            ValueError: The keys do not go together.
        """
        if self.drawn:
            if self.path or self.shape or self.fields or self.repo:
                raise ValueError(f"kind {self.kind!r} takes no path, shape, fields or repo")
            return
        if not self.path:
            raise ValueError(f"kind {self.kind!r} needs a path")
        shapes = PROGRAM_SHAPES if self.kind == "jsonl" else PROBLEM_SHAPES
        if self.kind == "problems" and (self.fields or not self.shape):
            raise ValueError(f"kind 'problems' needs a shape ({', '.join(shapes)}) and no fields")
        if (self.shape is None) == (self.fields is None):
            raise ValueError(
                f"kind 'jsonl' needs a shape ({', '.join(shapes)}) or fields, not both"
            )
        if self.shape is not None and self.shape not in shapes:
            raise ValueError(
                f"kind {self.kind!r} has no shape {self.shape!r}; there are: {', '.join(shapes)}"
            )

    @property
    def drawn(self) -> bool:
        """Whether programs are made for the cells of the grid."""
        return self.kind in ("templates", "llm", "mixed")

    @property
    def written(self) -> bool:
        """Whether a language model writes some of them."""
        return self.kind in ("llm", "mixed")


@dataclass(frozen=True, slots=True)
class Writer:
    """The model that writes programs, and how it is asked."""

    backend: str | None = None
    """Name of a model backend, such as ``vllm``."""
    model: str | None = None
    """What the backend loads; without a backend a name of the recipe's ``models``."""
    revision: str | None = None
    """Commit, tag or branch of a repository."""
    share: float = 0.5
    """Share of the draws of ``kind: mixed`` that the model writes; templates write the others."""
    repairs: int = 2
    """Times that a refused program is given back with the reasons."""
    temperature: float = 1.0
    max_tokens: int = 2048
    """Most tokens of one reply."""
    system: str = SYSTEM
    prompt: str = PROMPT
    repair: str = REPAIR

    def __post_init__(self) -> None:
        """Check the numbers and the texts."""
        refuse_below(0, repairs=self.repairs, temperature=self.temperature)
        refuse_below(1, max_tokens=self.max_tokens)
        if not 0 < self.share < 1:
            raise ValueError(f"share must be between 0 and 1, not {self.share:g}")
        if self.backend is None and self.revision:
            raise ValueError("revision needs a backend, such as vllm")
        check_texts(self.prompt, self.repair)


@dataclass(frozen=True, slots=True)
class Grid:
    """Which cells of the template grid are drawn, and how many programs of each."""

    types: tuple[str, ...] | None = None
    """``None``: all, as for the other two."""
    methods: tuple[str, ...] | None = None
    """``split`` or ``str.split``."""
    levels: tuple[int, ...] | None = None
    per_cell: int | None = None
    """Most programs of one cell; when every cell has as many, the build ends."""

    def __post_init__(self) -> None:
        """Check the number."""
        refuse_below(1, per_cell=self.per_cell)
