"""Input family ``sequences``: lists and tuples of any length, tuples of given length.

Elements change, go, come, double and trade places; the order turns; halves go. A list of rows of
one length keeps its rows equal, and a square stays square. Example: ``[3, 1, 9]`` becomes ``[3,
2, 9]``, ``[3, 9]``, ``[3, 1, 1, 9]``, ``[9, 1, 3]``, ``[]``.

Source: own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from factory.draw import Strategy, strategies
from factory.inputs.base import Inner, InputFamily, NoValue, Scene, is_grid
from factory.inputs.shapes import Fixed, Items, Shape, Value

_POOL_LENGTH = 7
_MAX_LENGTH = 40


def strategy(shape: Shape, inner: Inner) -> Strategy | None:
    """Return a strategy for lists and tuples; of unknown elements only the empty one is made."""
    if isinstance(shape, Fixed):
        places = [inner(each) for each in shape.elements]
        known = [each for each in places if each is not None]
        return strategies.tuples(*known) if len(known) == len(places) else None
    assert isinstance(shape, Items)
    build: Callable[[Any], Value] = list if shape.kind == "list" else tuple
    element = inner(shape.element)
    if element is None:
        return strategies.builds(build, strategies.just(()))
    return strategies.lists(element, max_size=_POOL_LENGTH).map(build)


def vary(value: Value, shape: Shape, scene: Scene) -> Value:
    """Return a list or tuple near ``value``, of the same kind."""
    if isinstance(shape, Fixed):
        return tuple(_change_place(list(value), shape.elements, scene))
    assert isinstance(shape, Items)
    elements = list(value)
    if is_grid(elements) and scene.rng.random() < 0.9:
        changed = _vary_grid(elements, shape.element, scene)
    else:
        changed = _vary_elements(elements, shape.element, scene)
    return changed if type(value) is list else tuple(changed)


def conform(value: Value, shape: Shape, scene: Scene) -> Value:
    """Bring every element near the values seen."""
    if isinstance(shape, Fixed):
        pairs = zip(value, shape.elements, strict=True)
        return tuple(scene.conform(each, place, scene) for each, place in pairs)
    assert isinstance(shape, Items)
    return type(value)(scene.conform(each, shape.element, scene) for each in value)


def _change_place(elements: list[Value], places: tuple[Shape, ...], scene: Scene) -> list[Value]:
    if elements:
        place = scene.rng.randrange(len(elements))
        same = [i for i, shape in enumerate(places) if shape == places[place] and i != place]
        if same and scene.rng.random() < 0.15:
            other = scene.rng.choice(same)
            elements[place], elements[other] = elements[other], elements[place]
        else:
            elements[place] = scene.vary(elements[place], places[place], scene)
    return elements


def _vary_elements(elements: list[Value], element: Shape, scene: Scene) -> list[Value]:
    if not elements:
        try:
            return [scene.element(element, []) for _ in range(scene.rng.choice((1, 1, 2, 3)))]
        except NoValue:
            return elements
    changed = scene.rng.choice(_OPERATIONS)(elements, element, scene)
    return changed[: max(_MAX_LENGTH, len(elements))]


def _change(elements: list[Value], element: Shape, scene: Scene) -> list[Value]:
    place = scene.rng.randrange(len(elements))
    elements[place] = scene.vary(elements[place], element, scene)
    return elements


def _drop(elements: list[Value], _element: Shape, scene: Scene) -> list[Value]:
    if len(elements) > 1 or scene.rng.random() < 0.3:
        del elements[scene.rng.randrange(len(elements))]
    return elements


def _insert(elements: list[Value], element: Shape, scene: Scene) -> list[Value]:
    place = scene.rng.randint(0, len(elements))
    elements.insert(place, scene.element(element, list(elements)))
    return elements


def _double(elements: list[Value], _element: Shape, scene: Scene) -> list[Value]:
    place = scene.rng.randrange(len(elements))
    elements.insert(scene.rng.choice((place, len(elements))), elements[place])
    return elements


def _copy_over(elements: list[Value], _element: Shape, scene: Scene) -> list[Value]:
    elements[scene.rng.randrange(len(elements))] = scene.rng.choice(elements)
    return elements


def _swap(elements: list[Value], _element: Shape, scene: Scene) -> list[Value]:
    first, second = scene.rng.randrange(len(elements)), scene.rng.randrange(len(elements))
    elements[first], elements[second] = elements[second], elements[first]
    return elements


def _turn(elements: list[Value], _element: Shape, scene: Scene) -> list[Value]:
    if scene.rng.random() < 0.5:
        return elements[::-1]
    place = scene.rng.randrange(len(elements))
    return elements[place:] + elements[:place]


def _cut(elements: list[Value], _element: Shape, scene: Scene) -> list[Value]:
    place = scene.rng.randint(1, len(elements))
    return scene.rng.choice((elements[:place], elements[-place:]))


def _extend(elements: list[Value], element: Shape, scene: Scene) -> list[Value]:
    for _ in range(scene.rng.randint(2, 4)):
        elements = _insert(elements, element, scene)
    return elements


def _redraw(elements: list[Value], element: Shape, scene: Scene) -> list[Value]:
    try:
        return list(scene.fresh(Items("list", element), scene)) or elements
    except NoValue:
        return _turn(elements, element, scene)


def _empty(elements: list[Value], element: Shape, scene: Scene) -> list[Value]:
    return [] if scene.rng.random() < 0.5 else _change(elements, element, scene)


def _vary_grid(rows: list[list[Value]], row: Shape, scene: Scene) -> list[Value]:
    rng = scene.rng
    rows = [list(each) for each in rows]
    height, width = len(rows), len(rows[0])
    roll = rng.random()
    place, column = rng.randrange(height), rng.randrange(width)
    if roll < 0.65:
        cell = row.element if isinstance(row, Items) else None
        if cell is None:
            return _change(rows, row, scene)
        rows[place][column] = scene.vary(rows[place][column], cell, scene)
    elif roll < 0.75:
        rows = _swap(rows, row, scene)
    elif roll < 0.80:
        rows = rows[::-1]
    elif roll < 0.90:
        rows.insert(place, list(rows[place]))
        if height == width:
            rows = [[*each, each[column]] for each in rows]
    else:
        if height == width or rng.random() < 0.5:
            rows = [each[:column] + each[column + 1 :] if width > 1 else each for each in rows]
        if height == width or len(rows[0]) == width:
            del rows[place]
    return rows


Operation = Callable[[list[Value], Shape, Scene], list[Value]]
_OPERATIONS: tuple[Operation, ...] = (
    *([_change] * 9),
    *([_drop] * 3),
    *([_insert] * 4),
    *([_double] * 2),
    *([_swap] * 2),
    *([_redraw] * 2),
    _copy_over,
    _turn,
    _cut,
    _extend,
    _empty,
)


FAMILY = InputFamily(
    name="sequences",
    tags=("list", "tuple", "fixed"),
    strategy=strategy,
    vary=vary,
    conform=conform,
)
