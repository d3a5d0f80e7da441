"""Input family ``sets``: set and frozenset.

Elements change, go and come. Example: ``{1, 2}`` becomes ``{1, 3}``, ``{1}``, ``{1, 2, 4}``,
``set()``. A set is always read in the order of its canonical text, never in its own.

Source: own.
"""

from __future__ import annotations

from factory.draw import Strategy, strategies
from factory.inputs.base import Inner, InputFamily, NoValue, Scene
from factory.inputs.rendering import in_order
from factory.inputs.shapes import Items, Shape, Value

_POOL_SIZE = 6


def strategy(shape: Shape, inner: Inner) -> Strategy | None:
    """Return a strategy for sets; of unknown elements only the empty one is made."""
    assert isinstance(shape, Items)
    build = frozenset if shape.kind == "frozenset" else set
    element = inner(shape.element)
    if element is None:
        return strategies.builds(build)
    return strategies.lists(element, max_size=_POOL_SIZE).map(build)


def vary(value: Value, shape: Shape, scene: Scene) -> Value:
    """Return a set near ``value``, of the same kind."""
    assert isinstance(shape, Items)
    elements = in_order(value)
    roll = scene.rng.random()
    place = scene.rng.randrange(len(elements)) if elements else 0
    try:
        if elements and roll < 0.35:
            elements[place] = scene.vary(elements[place], shape.element, scene)
        elif len(elements) > 1 and roll < 0.60:
            del elements[place]
        elif elements and roll < 0.65:
            elements = elements[: len(elements) // 2]
        elif roll < 0.92:
            elements = [*elements, scene.element(shape.element, elements)]
        else:
            return scene.fresh(shape, scene)
    except NoValue:
        return value
    return type(value)(elements)


def conform(value: Value, shape: Shape, scene: Scene) -> Value:
    """Bring every element near the values seen."""
    assert isinstance(shape, Items)
    return type(value)(scene.conform(each, shape.element, scene) for each in in_order(value))


FAMILY = InputFamily(
    name="sets", tags=("set", "frozenset"), strategy=strategy, vary=vary, conform=conform
)
