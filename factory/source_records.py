"""What a recipe says about where programs come from: templates, files, a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from factory.training_records import refuse_below
from factory.writer_prompts import PROMPT, REPAIR, SYSTEM, check_texts

Shape: TypeAlias = Literal["cruxeval", "humaneval", "mbpp"]


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

    kind: Literal["templates", "jsonl", "llm", "mixed"]
    """``llm``: a language model writes the programs of the grid's cells; ``mixed``: templates and
    a model do."""
    path: str | None = None
    """A .jsonl, .jsonl.gz or .json file (a list); relative to the recipe's own folder."""
    shape: Shape | None = None
    fields: Fields | None = None

    def __post_init__(self) -> None:
        """Refuse combinations that mean nothing.

        Raises:
            ValueError: The keys do not go together.
        """
        if self.drawn:
            if self.path or self.shape or self.fields:
                raise ValueError(f"kind {self.kind!r} takes no path, shape or fields")
        elif not self.path:
            raise ValueError("kind 'jsonl' needs a path")
        elif (self.shape is None) == (self.fields is None):
            raise ValueError(
                "kind 'jsonl' needs a shape (cruxeval, humaneval, mbpp) or fields, not both"
            )

    @property
    def drawn(self) -> bool:
        """Whether programs are made for the cells of the grid."""
        return self.kind != "jsonl"

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
