"""Declared shapes to closed ones: references unrolled, abstract collections made concrete."""

from __future__ import annotations

from factory.inputs.annotations import Annotations
from factory.inputs.shapes import (
    ANYTHING,
    SEQUENCE_KINDS,
    Anything,
    Atom,
    Field,
    Fixed,
    Items,
    OneOf,
    Pairs,
    Record,
    Ref,
    Shape,
    Unsupported,
    Variable,
    Wrapped,
    is_hashable,
    one_of,
)

_RECURSION = 2


def close(shape: Shape, annotations: Annotations, depth: int = _RECURSION) -> Shape | None:
    """Return a closed shape for values nobody has seen, or ``None`` when none can be made.

    A type that refers to itself is unrolled ``depth`` times.
    """
    if isinstance(shape, Ref):
        return close(annotations.shape(shape.name), annotations, depth - 1) if depth else None
    if isinstance(shape, Unsupported):
        return None
    if isinstance(shape, Variable):
        return close(shape.options[0] if shape.options else Atom("int"), annotations, depth)
    if isinstance(shape, Items):
        kind = SEQUENCE_KINDS[shape.kind][0]
        element = close(shape.element, annotations, depth) or ANYTHING
        usable = kind in (list, tuple) or is_hashable(element)
        return Items(kind.__name__, element if usable else ANYTHING)
    if isinstance(shape, Fixed):
        places = [close(each, annotations, depth) for each in shape.elements]
        known = [each for each in places if each is not None]
        return Fixed(tuple(known)) if len(known) == len(places) else None
    if isinstance(shape, Pairs):
        key, value = (close(each, annotations, depth) for each in (shape.key, shape.value))
        if key is None or value is None or not is_hashable(key):
            return Pairs(ANYTHING, ANYTHING)
        return Pairs(key, value)
    if isinstance(shape, OneOf):
        options = [close(each, annotations, depth) for each in shape.options]
        available = [each for each in options if each is not None]
        return one_of(available, declared=shape.declared) if available else None
    if isinstance(shape, Wrapped):
        content = close(shape.content, annotations, depth)
        if content is None or not shape.callee:
            return None
        return Wrapped(shape.kind, shape.callee, shape.before, content, shape.after)
    if isinstance(shape, Record):
        return _close_record(shape, annotations, depth)
    return shape


def _close_record(shape: Record, annotations: Annotations, depth: int) -> Shape | None:
    fields = []
    for each in shape.fields:
        closed = close(each.shape, annotations, depth)
        if closed is not None and not isinstance(closed, Anything):
            fields.append(Field(each.name, closed, each.required))
        elif each.required:
            return None
    return Record(shape.name, tuple(fields), shape.mapping)
