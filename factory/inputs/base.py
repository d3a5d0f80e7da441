"""What an input family offers, and what it may use while it changes a value."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from factory.inputs.shapes import Shape, Value

if TYPE_CHECKING:
    from factory.draw import Strategy


class NoValue(Exception):
    """No value of a shape can be made, for instance of the elements of an empty list."""


@dataclass(frozen=True, slots=True)
class Near:
    """What the values of one argument have in common: new values stay near it."""

    reach: int
    """Largest magnitude of an int: ten times the largest seen, at least 100."""
    span: float
    """Largest magnitude of a float, likewise."""
    negative: bool
    """Whether a negative number was seen."""
    decimals: int
    """Most digits after the point of a float seen, 1 to 6."""
    alphabet: str
    """Characters seen in texts, sorted; ``""`` when there is no text."""
    ints: tuple[int, ...]
    """Int literals of the program within ``reach``, sorted."""
    floats: tuple[float, ...]
    texts: tuple[str, ...]
    """Short text literals of the program, sorted."""
    signs: bool
    """Whether the program compares something with 0."""

    @property
    def positive(self) -> float:
        """How likely a number that has come out negative is turned positive."""
        return 0.0 if self.negative else 0.5 if self.signs else 0.85


@dataclass(frozen=True, slots=True)
class Scene:
    """The random source of one mutant and the way back from a family to all families."""

    rng: random.Random
    near: Near
    vary: Callable[[Value, Shape, Scene], Value]
    """Changes a value a little; the result has the shape and may equal the value."""
    fresh: Callable[[Shape, Scene], Value]
    """A value from the pool of a shape; raises :class:`NoValue`."""
    conform: Callable[[Value, Shape, Scene], Value]
    """Brings a value from a pool near the values seen."""

    def element(self, shape: Shape, examples: list[Value]) -> Value:
        """Return a new element of a collection: fresh, or a varied copy of one that is there.

        Raises:
            NoValue: there is none, and none can be made.
        """
        if examples and self.rng.random() < 0.6:
            return self.vary(self.rng.choice(examples), shape, self)
        try:
            return self.fresh(shape, self)
        except NoValue:
            if not examples:
                raise
            return self.vary(self.rng.choice(examples), shape, self)


def is_grid(value: Value) -> bool:
    """Return whether a value is a list of rows, more than one, all of one length."""
    return (
        type(value) is list
        and len(value) > 1
        and all(type(row) is list for row in value)
        and len(value[0]) > 0
        and all(len(row) == len(value[0]) for row in value)
    )


Inner: TypeAlias = "Callable[[Shape], Strategy | None]"


@dataclass(frozen=True, slots=True)
class InputFamily:
    """How values of some shapes are drawn and changed; everything returned is a new object."""

    name: str
    tags: tuple[str, ...]
    """``tag`` of the shapes that belong to it."""
    strategy: Callable[[Shape, Inner], Strategy | None]
    """Hypothesis strategy of a closed shape; ``None`` when no value can be made."""
    vary: Callable[[Value, Shape, Scene], Value]
    conform: Callable[[Value, Shape, Scene], Value]
