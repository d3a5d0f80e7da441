"""Forms of what ``enumerate``, ``zip``, ``map``, ``filter``, ``reversed`` and ``sorted`` give."""

from __future__ import annotations

from factory.constraints.tables.common import ADDRESS, ALWAYS_TRUE, IDENTITY

_CONSUMED = """
list() :: list(_)
tuple() :: tuple(_)
set() :: len(set(_))
frozenset() :: len(frozenset(_))
sorted() :: sorted(_)
sorted() :: sorted(_, reverse=True)
enumerate() :: list(enumerate(_))
zip() :: list(zip(_, NUMS))
map() :: list(map(str, _))
any() :: any(_)
all() :: all(_)
min() :: min(_full)
max() :: max(_full)
iter() :: next(iter(_full))
next() :: next(_full)
in :: ITEM in _
not in :: ITEM not in _
"""
_FILTERED = """
filter() :: list(filter(None, _))
"""
_SUMMED = """
sum() :: sum(_ints)
sum() :: sum(_ints, N)
bytes() :: bytes(_small)
bytearray() :: len(bytearray(_small))
"""
_PAIRS = """
dict() :: dict(_)
filter() :: list(filter(all, _))
filter() :: list(filter(any, _))
map() :: list(map(len, map(str, _)))
"""
ENUMERATE = f"{_CONSUMED}{_PAIRS}"
ZIP = f"{_CONSUMED}{_PAIRS}"
MAP = f"{_CONSUMED}{_SUMMED}{_FILTERED}"
FILTER = f"{_CONSUMED}{_SUMMED}{_FILTERED}"
REVERSED = f"{_CONSUMED}{_SUMMED}{_FILTERED}"
SORTED = """
key= :: sorted(NAMES, key=len)
key= :: sorted(NAMES, key=lambda each: (each[-1:], each))
key= :: sorted(NUMS, key=abs)
key= :: sorted(NUMS, key=lambda each: each % N)
reverse= :: sorted(NAMES, reverse=True)
reverse= :: sorted(NUMS, reverse=INT > N)
"""
_NEVER = {
    **dict.fromkeys(("==", "!="), IDENTITY),
    **dict.fromkeys(("str()", "repr()", "ascii()"), ADDRESS),
    **dict.fromkeys(("<", "<=", ">", ">="), "iterators have no order: TypeError"),
    "bool()": ALWAYS_TRUE,
    "reversed()": "an iterator cannot be reversed: TypeError",
    "len()": "an iterator has no length: TypeError",
}
_FLAT = {**_NEVER, "dict()": "what it gives are no pairs"}
_NO_SUM = dict.fromkeys(("sum()", "bytes()", "bytearray()"), "its pairs are no numbers: TypeError")
IMPOSSIBLE = {
    "enumerate": {**_NEVER, **_NO_SUM},
    "zip": {**_NEVER, **_NO_SUM},
    "map": _FLAT,
    "filter": _FLAT,
    "reversed": _FLAT,
    "sorted": {},
}
