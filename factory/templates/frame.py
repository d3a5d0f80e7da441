"""A function under construction: its blocks, the variables in scope, what is known of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import Type
from factory.templates.values import SEEDS

Method = cst.FunctionDef
"""A function that a class or another function holds."""


class Unwritable(Exception):
    """A template found no way to go on; the draft is begun anew."""


@dataclass(slots=True)
class Variable:
    """A variable in scope."""

    name: str
    type: Type
    samples: tuple[Any, ...] = ()
    """Values it is known to take; of a parameter, one for each seed call."""
    is_parameter: bool = False
    owned: bool = False
    """A container made by the function, which may be changed in place."""
    filled: bool = False
    """A container that is never empty."""
    carried: bool = False
    """Part of a template's state: read by the template only, so that nothing feeds on itself."""
    locked: bool = False
    """Iterated by a loop around, or counted by it: must not be changed."""
    unread: bool = True
    """Nothing has read what it holds now."""


@dataclass(slots=True)
class Block:
    """Statements under construction and the variables they introduce."""

    variables: list[Variable] = field(default_factory=list)
    statements: list[cst.BaseStatement] = field(default_factory=list)
    is_loop: bool = False


@dataclass(slots=True)
class Frame:
    """A function under construction: ``blocks[0]`` holds parameters and the prologue."""

    title: str
    blocks: list[Block]
    live: tuple[int, ...] = tuple(range(SEEDS))
    """Seed calls that reach the current block."""
    names: set[str] = field(default_factory=set)

    @property
    def parameters(self) -> list[Variable]:
        """In the order of the signature."""
        return [variable for variable in self.blocks[0].variables if variable.is_parameter]


@dataclass(frozen=True, slots=True)
class Written:
    """A finished function of the program."""

    title: str
    parameters: tuple[Variable, ...]
    returns: Type
