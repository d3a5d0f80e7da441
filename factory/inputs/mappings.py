"""Input family ``mappings``: dictionaries with free keys, and with fixed keys.

Values and keys change, entries go, come and turn round; a dictionary with fixed keys (a
``TypedDict``, or seeds that are records) keeps its keys. Example: ``{"a": 1}`` becomes ``{"a":
2}``, ``{"b": 1}``, ``{"a": 1, "c": 0}``, ``{}``.

Source: own.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from factory.draw import Strategy, strategies
from factory.inputs.base import Inner, InputFamily, NoValue, Scene
from factory.inputs.shapes import Pairs, Record, Shape, Value

_POOL_SIZE = 5


def strategy(shape: Shape, inner: Inner) -> Strategy | None:
    """Return a strategy for dictionaries; of unknown entries only the empty one is made."""
    if isinstance(shape, Record):
        required = {each.name: inner(each.shape) for each in shape.fields if each.required}
        optional = {each.name: inner(each.shape) for each in shape.fields if not each.required}
        known = {name: each for name, each in required.items() if each is not None}
        if len(known) < len(required):
            return None
        present = {name: each for name, each in optional.items() if each is not None}
        order = {each.name: place for place, each in enumerate(shape.fields)}
        drawn = strategies.fixed_dictionaries(known, optional=present)
        return drawn.map(partial(_ordered, order))
    assert isinstance(shape, Pairs)
    key, value = inner(shape.key), inner(shape.value)
    if key is None or value is None:
        return strategies.builds(dict)
    return strategies.lists(strategies.tuples(key, value), max_size=_POOL_SIZE).map(dict)


def vary(value: Value, shape: Shape, scene: Scene) -> Value:
    """Return a dictionary near ``value``."""
    if isinstance(shape, Record):
        return _vary_record(value, shape, scene)
    assert isinstance(shape, Pairs)
    items = list(value.items())
    rng = scene.rng
    roll = rng.random()
    place = rng.randrange(len(items)) if items else 0
    try:
        if items and roll < 0.45:
            key, old = items[place]
            items[place] = (key, scene.vary(old, shape.value, scene))
        elif items and roll < 0.58:
            key, old = items[place]
            items[place] = (scene.vary(key, shape.key, scene), old)
        elif len(items) > 1 and roll < 0.70:
            del items[place]
        elif items and roll < 0.74:
            items = items[: len(items) // 2]
        elif len(items) > 1 and roll < 0.80:
            other = rng.randrange(len(items))
            (one, first), (two, second) = items[place], items[other]
            items[place], items[other] = (one, second), (two, first)
        elif roll < 0.95:
            new = scene.element(shape.key, list(value))
            items.append((new, scene.element(shape.value, list(value.values()))))
        else:
            return scene.fresh(shape, scene)
    except NoValue:
        return value
    return dict(items)


def conform(value: Value, shape: Shape, scene: Scene) -> Value:
    """Bring keys and values near those seen; fixed keys stay."""
    if isinstance(shape, Record):
        shapes = {each.name: each.shape for each in shape.fields}
        return {name: scene.conform(each, shapes[name], scene) for name, each in value.items()}
    assert isinstance(shape, Pairs)
    return {
        scene.conform(key, shape.key, scene): scene.conform(each, shape.value, scene)
        for key, each in value.items()
    }


def _ordered(order: dict[str, int], drawn: dict[str, Any]) -> dict[str, Any]:
    return {name: drawn[name] for name in sorted(drawn, key=order.__getitem__)}


def _vary_record(value: Value, shape: Record, scene: Scene) -> Value:
    present = [each for each in shape.fields if each.name in value]
    optional = [each for each in shape.fields if not each.required]
    changed = dict(value)
    if optional and scene.rng.random() < 0.2:
        chosen = scene.rng.choice(optional)
        if chosen.name in changed:
            del changed[chosen.name]
        else:
            try:
                changed[chosen.name] = scene.fresh(chosen.shape, scene)
            except NoValue:
                return value
    elif present:
        chosen = scene.rng.choice(present)
        changed[chosen.name] = scene.vary(changed[chosen.name], chosen.shape, scene)
    return changed


FAMILY = InputFamily(
    name="mappings",
    tags=("dict", "typed dict"),
    strategy=strategy,
    vary=vary,
    conform=conform,
)
