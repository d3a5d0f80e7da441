"""Hypothesis strategies: every kind of value that canonical text can hold, and near misses."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

from hypothesis import strategies as st

FACTORIES = (bool, bytes, complex, dict, float, frozenset, int, list, set, str, tuple)

big_ints = st.builds(
    lambda sign, digits, more: sign * (10**digits + more),
    st.sampled_from((1, -1)),
    st.sampled_from((17, 18, 19, 599, 600, 601, 4299, 4300)),
    st.integers(-5, 5),
)
ints = st.integers() | big_ints
texts = st.text(st.characters() | st.integers(0xD800, 0xDFFF).map(chr), max_size=12)
floats = st.floats() | st.sampled_from((0.0, -0.0, 1e308, 5e-324))
complexes = st.builds(complex, floats, floats)
ranges = st.builds(
    range, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 3) | st.integers(-3, -1)
)
scalars = (
    st.none()
    | st.booleans()
    | ints
    | floats
    | complexes
    | texts
    | st.binary(max_size=9)
    | ranges
    | st.just(...)
)
hashables = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=6,
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    dicts = st.dictionaries(hashables, inner, max_size=4)
    lists = st.lists(inner, max_size=4)
    return (
        lists
        | lists.map(tuple)
        | dicts
        | st.sets(hashables, max_size=4)
        | st.builds(deque, lists, st.none() | st.integers(4, 9))
        | dicts.map(Counter)
        | dicts.map(OrderedDict)
        | st.builds(defaultdict, st.none() | st.sampled_from(FACTORIES), dicts)
        | st.binary(max_size=9).map(bytearray)
    )


values = st.recursive(hashables, _containers, max_leaves=12)
"""Any nested built-in value, with NaN, infinities, -0.0, huge ints and lone surrogates."""

lists_of_ints = st.lists(st.integers(-99, 99), max_size=5)
"""Arguments of the small programs that the tests run."""
