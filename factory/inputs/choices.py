"""Input family ``choices``: literals, members of an enumeration, ``None``.

Another of the given values is taken. Example: ``Color.RED`` becomes ``Color.BLUE``.

Source: own.
"""

from __future__ import annotations

from factory.draw import Strategy, strategies
from factory.inputs.base import Inner, InputFamily, Scene
from factory.inputs.shapes import Choice, Shape, Value


def strategy(shape: Shape, _inner: Inner) -> Strategy | None:
    """Return a strategy for the given values."""
    if not isinstance(shape, Choice):
        return strategies.none()
    return strategies.sampled_from(shape.values) if shape.values else None


def vary(value: Value, shape: Shape, scene: Scene) -> Value:
    """Return one of the given values."""
    return scene.rng.choice(shape.values) if isinstance(shape, Choice) else value


def conform(value: Value, _shape: Shape, _scene: Scene) -> Value:
    """Leave a given value as it is."""
    return value


FAMILY = InputFamily(
    name="choices",
    tags=("choice", "NoneType"),
    strategy=strategy,
    vary=vary,
    conform=conform,
)
