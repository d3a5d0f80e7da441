"""Input family ``numbers``: int, float, bool, complex, range.

Ints and floats move by small steps, double, halve, change sign, and visit 0, 1, -1 and the
literals of the program with their neighbours. Example: ``50.0`` becomes ``49.5``, ``100.0``,
``0.0``, ``49.99999999999999``. They stay within ten times the largest magnitude seen (at least
100), so that a loop count stays a loop count; NaN and infinities appear only where the seed holds
them.

Source: own.
"""

from __future__ import annotations

import math
from typing import Any

from factory.draw import Strategy, strategies
from factory.inputs.base import Inner, InputFamily, Scene
from factory.inputs.shapes import Atom, Shape, Value

_POOL_REACH = 1_000
_STEPS = (1, 1, 1, 2, 3, 5, 10)
_FRACTIONS = (1.0, 1.0, 0.5, 0.25, 0.1, 2.0, 10.0)


def strategy(shape: Shape, _inner: Inner) -> Strategy | None:
    """Return a strategy for a numeric atom; floats have at most two decimals."""
    assert isinstance(shape, Atom)
    ints = strategies.integers(-_POOL_REACH, _POOL_REACH)
    floats = strategies.floats(-_POOL_REACH, _POOL_REACH).map(_two_decimals)
    small = strategies.integers(0, 20)
    by_name: dict[str, Strategy] = {
        "int": ints,
        "float": floats,
        "bool": strategies.booleans(),
        "complex": strategies.builds(complex, floats, floats),
        "range": strategies.builds(range, small, small, strategies.integers(1, 3)),
    }
    return by_name[shape.name]


def vary(value: Value, _shape: Shape, scene: Scene) -> Value:
    """Return a number of the same type near ``value``."""
    kind = type(value)
    if kind is int:
        return _vary_int(value, scene)
    if kind is float:
        return _vary_float(value, scene) if math.isfinite(value) else value
    if kind is bool:
        return not value
    if kind is complex:
        if not (math.isfinite(value.real) and math.isfinite(value.imag)):
            return value
        if scene.rng.random() < 0.5:
            return complex(_vary_float(value.real, scene), value.imag)
        return complex(value.real, _vary_float(value.imag, scene))
    return _vary_range(value, scene)


def conform(value: Value, _shape: Shape, scene: Scene) -> Value:
    """Bring a pool number within reach, with the sign of the numbers seen."""
    kind = type(value)
    if kind is int:
        return _signed(_within(value, scene), scene)
    if kind is float:
        return _float(math.fmod(value, scene.near.span), scene)
    return value


def _vary_int(value: int, scene: Scene) -> int:
    rng, near = scene.rng, scene.near
    roll = rng.random()
    if roll < 0.40:
        moved = value + rng.choice(_STEPS) * rng.choice((1, -1))
    elif roll < 0.58:
        moved = rng.choice((value * 2, value // 2, value * 3, value - value // 3))
    elif roll < 0.68:
        moved = rng.choice((0, 1, 2, -1))
    elif roll < 0.80 and near.ints:
        moved = rng.choice(near.ints) + rng.choice((0, 0, 1, -1))
    elif roll < 0.92:
        room = abs(value) // 2 + 10
        moved = value + rng.randint(-room, room)
    elif roll < 0.96:
        moved = -value
    else:
        low = -near.reach if near.negative else 0
        moved = rng.randint(low, near.reach)
    return _signed(_within(moved, scene), scene)


def _within(value: int, scene: Scene) -> int:
    reach = scene.near.reach
    if -reach <= value <= reach:
        return value
    return (abs(value) % (reach + 1)) * (1 if value > 0 else -1)


def _signed(value: int, scene: Scene) -> int:
    if value < 0 and scene.rng.random() < scene.near.positive:
        return -value
    return value


def _vary_float(value: float, scene: Scene) -> float:
    rng, near = scene.rng, scene.near
    roll = rng.random()
    if roll < 0.40:
        moved = value + rng.choice(_FRACTIONS) * rng.choice((1, -1))
    elif roll < 0.58:
        moved = rng.choice((value * 2, value / 2, value * 1.5, value * 0.9))
    elif roll < 0.66:
        moved = rng.choice((0.0, 1.0, 0.5, -1.0))
    elif roll < 0.80 and near.floats:
        moved = rng.choice(near.floats)
        if rng.random() < 0.4:
            return _signed_float(math.nextafter(moved, rng.choice((-math.inf, math.inf))), scene)
    elif roll < 0.92:
        moved = value + rng.uniform(-1.0, 1.0) * (abs(value) / 2 + 1.0)
    elif roll < 0.95:
        moved = float(round(value))
    else:
        moved = -value
    return _float(moved, scene)


def _float(value: float, scene: Scene) -> float:
    near = scene.near
    if abs(value) > near.span or not math.isfinite(value):
        value = math.copysign(near.span, value)
    rounded = round(value, near.decimals)
    return _signed_float(rounded if rounded or not value else value, scene)


def _signed_float(value: float, scene: Scene) -> float:
    if value < 0 and scene.rng.random() < scene.near.positive:
        return -value
    return value + 0.0


def _vary_range(value: range, scene: Scene) -> range:
    rng = scene.rng
    parts = [value.start, value.stop, value.step]
    place = rng.choice((0, 1, 1, 1, 2))
    parts[place] += rng.choice((-3, -2, -1, 1, 2, 3))
    return range(parts[0], parts[1], parts[2] or 1)


def _two_decimals(value: Any) -> float:
    return round(float(value), 2) + 0.0


FAMILY = InputFamily(
    name="numbers",
    tags=("int", "float", "bool", "complex", "range"),
    strategy=strategy,
    vary=vary,
    conform=conform,
)
