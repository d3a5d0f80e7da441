"""Shapes refined by values: what an annotation leaves open is taken from the seeds.

An annotation says which types are allowed, the seeds say which ones the program is used with. A
bare ``list`` gets its element shape from the seed's elements; a parameter without annotation
keeps the shape of its seed; where the seed contradicts the annotation (``2`` for a ``float``),
the seed wins, because it is known to run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from factory.inputs.annotations import Annotations, substitute, variables_of
from factory.inputs.closing import close
from factory.inputs.rendering import in_order
from factory.inputs.shapes import (
    ANYTHING,
    SEQUENCE_KINDS,
    Anything,
    Atom,
    Built,
    Choice,
    Field,
    Fixed,
    Instance,
    Items,
    Member,
    OneOf,
    Pairs,
    Record,
    Ref,
    Shape,
    Unsupported,
    Value,
    Variable,
    Wrapped,
    accepts,
    is_hashable,
    one_of,
)


def bind(pairs: Iterable[tuple[Shape, Value]], annotations: Annotations) -> dict[str, Shape]:
    """Return what each type variable stands for in one call, from declared shapes and values."""
    seen: dict[str, list[Value]] = {}
    variables: dict[str, Variable] = {}
    for declared, value in pairs:
        _collect(declared, value, seen, annotations)
        variables.update({each.name: each for each in variables_of(declared)})
    binding: dict[str, Shape] = {}
    for name, variable in variables.items():
        values = seen.get(name)
        known = observe(values, annotations) if values else close(variable, annotations)
        binding[name] = known or ANYTHING
    return binding


def _collect(
    declared: Shape, value: Value, seen: dict[str, list[Value]], annotations: Annotations
) -> None:
    if isinstance(declared, Variable):
        seen.setdefault(declared.name, []).append(value)
    elif isinstance(declared, Items) and type(value) in SEQUENCE_KINDS[declared.kind]:
        for each in in_order(value):
            _collect(declared.element, each, seen, annotations)
    elif isinstance(declared, Fixed) and type(value) is tuple:
        for shape, each in zip(declared.elements, value, strict=False):
            _collect(shape, each, seen, annotations)
    elif isinstance(declared, Pairs) and type(value) is dict:
        for key, each in value.items():
            _collect(declared.key, key, seen, annotations)
            _collect(declared.value, each, seen, annotations)
    elif isinstance(declared, Wrapped) and type(value) is Built:
        _collect(declared.content, value.content, seen, annotations)
    elif isinstance(declared, OneOf):
        plain = (close(each, annotations) for each in declared.options if not variables_of(each))
        if not any(shape is not None and accepts(shape, value) for shape in plain):
            for option in declared.options:
                _collect(option, value, seen, annotations)


def fit(declared: Shape, values: Sequence[Value], annotations: Annotations) -> Shape:
    """Return the closed shape of all ``values``, as far as possible the declared one.

    Without values it is the declared one; :class:`Anything` when that cannot be made either.
    """
    if not values:
        return close(declared, annotations) or ANYTHING
    if isinstance(declared, Ref):
        return fit(annotations.shape(declared.name), values, annotations)
    fitted: Shape | None = None
    if isinstance(declared, Atom | Choice):
        fitted = declared if all(accepts(declared, value) for value in values) else None
    elif isinstance(declared, Items):
        fitted = _fit_items(declared, values, annotations)
    elif isinstance(declared, Fixed):
        places = len(declared.elements)
        if all(type(value) is tuple and len(value) == places for value in values):
            columns = zip(*values, strict=True)
            fitted = Fixed(
                tuple(
                    fit(shape, column, annotations)
                    for shape, column in zip(declared.elements, columns, strict=True)
                )
            )
    elif isinstance(declared, Pairs):
        if all(type(value) is dict for value in values):
            keys, inner = _entries(values)
            if not isinstance(declared.value, Anything):
                key = _fit_hashable(declared.key, keys, annotations)
                fitted = Pairs(key, fit(declared.value, inner, annotations))
    elif isinstance(declared, Record):
        fitted = _fit_record(declared, values, annotations)
    elif isinstance(declared, OneOf):
        fitted = _fit_options(declared, values, annotations)
    return fitted or observe(values, annotations)


def _entries(dicts: Iterable[dict[Value, Value]]) -> tuple[list[Value], list[Value]]:
    keys: list[Value] = []
    values: list[Value] = []
    for each in dicts:
        keys += each.keys()
        values += each.values()
    return keys, values


def _elements(collections: Iterable[Value]) -> list[Value]:
    return [element for each in collections for element in in_order(each)]


def _fit_items(declared: Items, values: Sequence[Value], annotations: Annotations) -> Shape | None:
    allowed = SEQUENCE_KINDS[declared.kind]
    if not all(type(value) in allowed for value in values):
        return None
    if isinstance(declared.element, Anything):
        return None
    options = []
    for kind in allowed:
        own = [value for value in values if type(value) is kind]
        if own:
            fitting = fit if kind in (list, tuple) else _fit_hashable
            element = fitting(declared.element, _elements(own), annotations)
            options.append(Items(kind.__name__, element))
    return one_of(options, declared=False)


def _fit_hashable(declared: Shape, values: Sequence[Value], annotations: Annotations) -> Shape:
    fitted = fit(declared, values, annotations)
    return fitted if is_hashable(fitted) else observe(values, annotations)


def _fit_record(
    declared: Record, values: Sequence[Value], annotations: Annotations
) -> Shape | None:
    if declared.mapping:
        given = [value for value in values if type(value) is dict]
    else:
        named = (v for v in values if type(v) is Instance and v.name == declared.name)
        given = [dict(value.fields) for value in named]
    names = {each.name for each in declared.fields}
    if len(given) < len(values) or any(not set(each) <= names for each in given):
        return None
    fields = []
    for each in declared.fields:
        present = [fields_of[each.name] for fields_of in given if each.name in fields_of]
        if present:
            always = len(present) == len(given)
            fields.append(Field(each.name, fit(each.shape, present, annotations), always))
    return Record(declared.name, tuple(fields), declared.mapping)


def _fit_options(declared: OneOf, values: Sequence[Value], annotations: Annotations) -> Shape:
    own: list[list[Value]] = [[] for _ in declared.options]
    rest: list[Value] = []
    closed = [close(option, annotations, depth=6) for option in declared.options]
    for value in values:
        place = next((i for i, shape in enumerate(closed) if shape and accepts(shape, value)), None)
        (rest if place is None else own[place]).append(value)
    options = [fit(*each, annotations) for each in zip(declared.options, own, strict=True)]
    if rest:
        options.append(observe(rest, annotations))
    return one_of(options, declared=True)


def observe(values: Sequence[Value], annotations: Annotations) -> Shape:
    """Return the shape that values have by themselves; :class:`Anything` for no values."""
    if not values:
        return ANYTHING
    groups: dict[object, list[Value]] = {}
    for value in values:
        groups.setdefault(_group(value), []).append(value)
    return one_of((_observe_group(each, annotations) for each in groups.values()), declared=False)


def _group(value: Value) -> object:
    if isinstance(value, Instance | Member):
        return type(value), value.name
    if isinstance(value, Built):
        return value.kind, value.callee, value.before, value.after
    if isinstance(value, tuple):
        return tuple, len(value)
    return type(value)


def _observe_group(values: list[Value], annotations: Annotations) -> Shape:
    first = values[0]
    if isinstance(first, Instance):
        declared = annotations.shape(first.name)
        fitted = (
            _fit_record(declared, values, annotations) if isinstance(declared, Record) else None
        )
        return fitted or Unsupported(first.name)
    if isinstance(first, Member):
        return annotations.shape(first.name)
    if isinstance(first, Built):
        content = observe([each.content for each in values], annotations)
        return Wrapped(first.kind, first.callee, first.before, content, first.after)
    if isinstance(first, dict):
        return _observe_dicts(values, annotations)
    if isinstance(first, tuple):
        columns = zip(*values, strict=True)
        return Fixed(tuple(observe(column, annotations) for column in columns))
    if isinstance(first, list | set | frozenset):
        return Items(type(first).__name__, observe(_elements(values), annotations))
    return Atom(type(first).__name__)


def _observe_dicts(values: list[dict[Value, Value]], annotations: Annotations) -> Shape:
    names = list(values[0])
    same = all(list(each) == names for each in values)
    if same and names and all(type(name) is str for name in names):
        columns = [[each[name] for each in values] for name in names]
        shapes = [observe(column, annotations) for column in columns]
        if len(values) > 1 or len(set(shapes)) > 1:
            fields = (Field(name, shape, True) for name, shape in zip(names, shapes, strict=True))
            return Record("dict", tuple(fields), mapping=True)
    keys, inner = _entries(values)
    return Pairs(observe(keys, annotations), observe(inner, annotations))


def fill(shape: Shape, other: Shape) -> Shape:
    """Return ``shape`` with what is unknown in it taken from the shape of another seed."""
    if isinstance(shape, Anything):
        return other
    if isinstance(shape, Items) and isinstance(other, Items) and shape.kind == other.kind:
        return Items(shape.kind, fill(shape.element, other.element))
    if isinstance(shape, Pairs) and isinstance(other, Pairs):
        return Pairs(fill(shape.key, other.key), fill(shape.value, other.value))
    if isinstance(shape, Fixed) and isinstance(other, Fixed):
        if len(shape.elements) == len(other.elements):
            return Fixed(tuple(map(fill, shape.elements, other.elements)))
    if isinstance(shape, Wrapped) and isinstance(other, Wrapped) and shape.kind == other.kind:
        content = fill(shape.content, other.content)
        return Wrapped(shape.kind, shape.callee, shape.before, content, shape.after)
    return shape


def resolve_call(
    pairs: Sequence[tuple[Shape, Value]], annotations: Annotations
) -> tuple[Shape, ...]:
    """Return the closed shape of each argument of one call, type variables bound once for all."""
    binding = bind(pairs, annotations)
    return tuple(fit(substitute(shape, binding), [value], annotations) for shape, value in pairs)
