"""Values from pools and changes of values: the way from a shape to its family."""

from __future__ import annotations

import ast
import math
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from factory.draw import Strategy, draw_values, strategies
from factory.inputs.base import InputFamily, Near, NoValue, Scene
from factory.inputs.shapes import (
    Built,
    Instance,
    OneOf,
    Shape,
    Value,
    accepts,
)

_POOL_SIZE = 40
_POOL_SEED = 20260
_MAX_LITERALS = 40
_LEAST_REACH = 100
_SWITCH = 0.12
_FRESH = 0.05


@dataclass(frozen=True, slots=True)
class Literals:
    """Constants of a program's text, sorted; the first 40 of a type, texts to 12 characters."""

    ints: tuple[int, ...]
    floats: tuple[float, ...]
    texts: tuple[str, ...]
    signs: bool
    """Whether something is compared with 0, so that negative numbers matter."""


def read_literals(tree: ast.Module) -> Literals:
    """Return the constants of a program: what its branches compare with."""
    ints: set[int] = set()
    floats: set[float] = set()
    texts: set[str] = set()
    signs = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            signs = signs or any(_is_zero(side) for side in (node.left, *node.comparators))
        elif isinstance(node, ast.Constant):
            value = node.value
            if type(value) is int:
                ints.add(value)
            elif type(value) is float and math.isfinite(value):
                floats.add(value)
            elif type(value) is str and 0 < len(value) <= 12 and value != "__main__":
                texts.add(value)
    return Literals(
        tuple(sorted(ints)[:_MAX_LITERALS]),
        tuple(sorted(floats)[:_MAX_LITERALS]),
        tuple(sorted(texts)[:_MAX_LITERALS]),
        signs,
    )


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and not node.value


def look_around(value: Value, others: Sequence[Value], literals: Literals) -> Near:
    """Return what the parts of one argument have in common.

    Numbers are those of the argument itself; ``others`` are the values of all calls, whose texts
    share one alphabet, because one often holds what another is searched for.
    """
    ints: list[int] = []
    floats: list[float] = []
    for leaf in _leaves(value):
        kind = type(leaf)
        if kind is int:
            ints.append(leaf)
        elif kind is float and math.isfinite(leaf):
            floats.append(leaf)
        elif kind is complex:
            floats += [part for part in (leaf.real, leaf.imag) if math.isfinite(part)]
    reach = max(_LEAST_REACH, 10 * max(map(abs, ints), default=0))
    span = max(float(_LEAST_REACH), 10 * max(map(abs, floats), default=0.0))
    return Near(
        reach=reach,
        span=span if math.isfinite(span) else sys.float_info.max,
        negative=any(number < 0 for number in (*ints, *floats)),
        decimals=max((_decimals(each) for each in floats), default=2),
        alphabet="".join(sorted(_characters((value, *others)))),
        ints=tuple(each for each in literals.ints if abs(each) <= reach),
        floats=tuple(each for each in literals.floats if abs(each) <= span),
        texts=literals.texts,
        signs=literals.signs,
    )


def _characters(values: Iterable[Value]) -> set[str]:
    characters: set[str] = set()
    for value in values:
        for leaf in _leaves(value):
            if type(leaf) is str:
                characters.update(leaf)
            elif type(leaf) is bytes:
                characters.update(leaf.decode("latin-1"))
    return characters


def _leaves(value: Value) -> Iterator[Value]:
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        for each in value:
            yield from _leaves(each)
    elif kind is dict:
        for key, each in value.items():
            yield from _leaves(key)
            yield from _leaves(each)
    elif kind is Instance:
        for _, each in value.fields:
            yield from _leaves(each)
    elif kind is Built:
        yield from _leaves(value.content)
    else:
        yield value


def _decimals(value: float) -> int:
    _, _, fraction = repr(value).partition(".")
    return min(6, max(1, len(fraction))) if fraction.isdigit() else 6


class Variation:
    """Finds the family of a shape; the same for every program."""

    def __init__(self, families: tuple[InputFamily, ...]) -> None:
        self._families: Mapping[str, InputFamily] = {
            tag: family for family in families for tag in family.tags
        }
        self._pool = lru_cache(maxsize=4096)(self._draw_pool)
        self._drawn = lru_cache(maxsize=512)(self._draw)

    def scene(self, rng: random.Random, near: Near) -> Scene:
        """Return the scene in which one argument is changed."""
        return Scene(rng, near, self.vary, self.fresh, self.conform)

    def vary(self, value: Value, shape: Shape, scene: Scene) -> Value:
        """Return a value of the same shape near ``value``; it may be equal to it."""
        if isinstance(shape, OneOf):
            own = next((each for each in shape.options if accepts(each, value)), None)
            if shape.declared and (own is None or scene.rng.random() < _SWITCH):
                return self._fresh_or(value, scene.rng.choice(shape.options), scene)
            return value if own is None else self.vary(value, own, scene)
        family = self._families.get(shape.tag)
        if family is None:
            return value
        if scene.rng.random() < _FRESH:
            return self._fresh_or(value, shape, scene)
        return family.vary(value, shape, scene)

    def _fresh_or(self, value: Value, shape: Shape, scene: Scene) -> Value:
        try:
            return self.fresh(shape, scene)
        except NoValue:
            return value

    def fresh(self, shape: Shape, scene: Scene) -> Value:
        """Return a value of the shape's pool, brought near the values seen.

        Raises:
            NoValue: no value of the shape can be made.
        """
        pool = self._pool(shape)
        if not pool:
            raise NoValue
        return self.conform(scene.rng.choice(pool), shape, scene)

    def conform(self, value: Value, shape: Shape, scene: Scene) -> Value:
        """Return a value of the same shape near the values seen."""
        if isinstance(shape, OneOf):
            own = next((each for each in shape.options if accepts(each, value)), None)
            return value if own is None else self.conform(value, own, scene)
        family = self._families.get(shape.tag)
        return value if family is None else family.conform(value, shape, scene)

    def draw(self, shape: Shape, count: int, seed: int) -> tuple[Value, ...]:
        """Return ``count`` values of a shape, near nothing; none when none can be made.

        They are shared between calls: whoever takes them must not change them.
        """
        return self._drawn(shape, count, seed)

    def _draw(self, shape: Shape, count: int, seed: int) -> tuple[Value, ...]:
        strategy = self._strategy(shape)
        return () if strategy is None else draw_values(strategy, count, seed)

    def _draw_pool(self, shape: Shape) -> tuple[Value, ...]:
        return self._draw(shape, _POOL_SIZE, _POOL_SEED)

    def _strategy(self, shape: Shape) -> Strategy | None:
        if isinstance(shape, OneOf):
            options = [each for each in map(self._inner, shape.options) if each is not None]
            return strategies.one_of(options) if options else None
        family = self._families.get(shape.tag)
        return None if family is None else family.strategy(shape, self._inner)

    def _inner(self, shape: Shape) -> Strategy | None:
        # Parts come from their own pool: one draw each, however large they are.
        pool = self._pool(shape)
        return strategies.sampled_from(pool) if pool else None
