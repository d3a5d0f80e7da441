"""Input family ``objects``: instances of the program's classes and library containers.

One field changes, the others stay; a ``deque``, ``Counter``, ``OrderedDict``, ``defaultdict`` or
``bytearray`` changes inside. Example: ``Point(x=1, y=2)`` becomes ``Point(x=1, y=3)``.

Source: own.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from factory.draw import Strategy, strategies
from factory.inputs.base import Inner, InputFamily, Scene
from factory.inputs.shapes import Built, Instance, Record, Shape, Value, Wrapped


def strategy(shape: Shape, inner: Inner) -> Strategy | None:
    """Return a strategy for constructor calls with the fields of the shape."""
    if isinstance(shape, Wrapped):
        content = inner(shape.content)
        return None if content is None else content.map(partial(_build, shape))
    assert isinstance(shape, Record)
    fields = {each.name: inner(each.shape) for each in shape.fields}
    known = {name: each for name, each in fields.items() if each is not None}
    if any(each.required and each.name not in known for each in shape.fields):
        return None
    names = tuple(each.name for each in shape.fields if each.name in known)
    drawn = strategies.tuples(*(known[name] for name in names))
    return drawn.map(partial(_instance, shape.name, names))


def vary(value: Value, shape: Shape, scene: Scene) -> Value:
    """Return an object that differs in one field, or in its content."""
    if isinstance(shape, Wrapped):
        return _build(shape, scene.vary(value.content, shape.content, scene))
    assert isinstance(shape, Record)
    if not value.fields:
        return value
    shapes = {each.name: each.shape for each in shape.fields}
    fields = list(value.fields)
    place = scene.rng.randrange(len(fields))
    name, old = fields[place]
    fields[place] = (name, scene.vary(old, shapes[name], scene))
    return Instance(value.name, tuple(fields))


def conform(value: Value, shape: Shape, scene: Scene) -> Value:
    """Bring the fields or the content near the values seen."""
    if isinstance(shape, Wrapped):
        return _build(shape, scene.conform(value.content, shape.content, scene))
    assert isinstance(shape, Record)
    shapes = {each.name: each.shape for each in shape.fields}
    fields = tuple((name, scene.conform(old, shapes[name], scene)) for name, old in value.fields)
    return Instance(value.name, fields)


def _build(shape: Wrapped, content: Any) -> Built:
    return Built(shape.kind, shape.callee, shape.before, content, shape.after)


def _instance(name: str, names: tuple[str, ...], values: tuple[Any, ...]) -> Instance:
    return Instance(name, tuple(zip(names, values, strict=True)))


FAMILY = InputFamily(
    name="objects",
    tags=("record", "wrapped"),
    strategy=strategy,
    vary=vary,
    conform=conform,
)
