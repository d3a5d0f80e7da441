"""Values to text that rebuilds them in the program's namespace, in one canonical form."""

from __future__ import annotations

import math
from collections.abc import Iterable

from factory.inputs.shapes import Built, Instance, Member, Value
from tracer.values import canonical

_NATURAL = ({int}, {str}, {float})
_SHORT = 10**18


def render(value: Value) -> str:
    """Return the text of a value: ``[Point(x=1, y=2)]``, ``{1, 2}``, ``deque([1], maxlen=2)``."""
    kind = type(value)
    if kind is str or (kind is int and -_SHORT < value < _SHORT):
        return repr(value)
    if kind is list:
        return f"[{', '.join(map(render, value))}]"
    if kind is dict:
        return f"{{{', '.join(f'{render(k)}: {render(v)}' for k, v in value.items())}}}"
    if kind is tuple:
        return f"({render(value[0])},)" if len(value) == 1 else f"({', '.join(map(render, value))})"
    if kind is set or kind is frozenset:
        inside = f"{{{', '.join(map(render, in_order(value)))}}}" if value else ""
        return inside if inside and kind is set else f"{kind.__name__}({inside})"
    if kind is Instance:
        return f"{value.name}({', '.join(f'{name}={render(v)}' for name, v in value.fields)})"
    if kind is Member:
        return f"{value.name}.{value.member}"
    if kind is Built:
        return f"{value.callee}({', '.join((*value.before, render(value.content), *value.after))})"
    return canonical(value)


def in_order(values: Iterable[Value]) -> list[Value]:
    """Return the elements of a collection; those of a set in the order of its canonical text."""
    elements = list(values)
    if not isinstance(values, set | frozenset) or len(elements) < 2:
        return elements
    kinds = {type(each) for each in elements}
    if kinds in _NATURAL and (kinds != {float} or all(map(math.isfinite, elements))):
        return sorted(elements)
    return sorted(elements, key=lambda each: (type(each).__qualname__, render(each)))


def identity(value: Value) -> str:
    """Return a text that two values share when they are equal with equal types, deep inside.

    Unlike in :func:`render` the order of a dictionary's entries does not count.
    """
    kind = type(value)
    if kind is dict:
        return f"{{{', '.join(sorted(f'{identity(k)}: {identity(v)}' for k, v in value.items()))}}}"
    if kind is list or kind is tuple:
        return _joined(kind.__name__, map(identity, value))
    if kind is Instance:
        return _joined(value.name, sorted(f"{name}={identity(v)}" for name, v in value.fields))
    if kind is Built and value.kind != "OrderedDict":
        return _joined(value.callee, (*value.before, identity(value.content), *value.after))
    return render(value)


def _joined(name: str, parts: Iterable[str]) -> str:
    return f"{name}({', '.join(parts)})"
