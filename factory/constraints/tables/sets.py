"""Forms of ``set`` and ``frozenset``; no result shows the order of a set."""

from __future__ import annotations

from factory.constraints.tables.common import HASH_ORDER, ORDER, SIZED, SUMMED, UNORDERED

_READ = f"""{ORDER}{UNORDERED}{SIZED}{SUMMED}
copy :: _.copy()
difference :: _.difference(SELF)
intersection :: _.intersection(SELF)
isdisjoint :: _.isdisjoint(SELF)
issubset :: _.issubset(SELF)
issuperset :: _.issuperset(SELF)
symmetric_difference :: _.symmetric_difference(SELF)
union :: _.union(SELF)
& :: _ & SELF
| :: _ | SELF
| :: _ | {{ITEM}}
- :: _ - SELF
- :: _ - {{ITEM}}
^ :: _ ^ SELF
bool() :: bool(_)
"""
FROZENSET = _READ
SET = f"""{_READ}
add :: !_.add(ITEM)
clear :: !_.clear() ; _.add(ITEM)
discard :: !_.discard(ITEM)
discard :: !_.add(ITEM) ; _.discard(max(_))
difference_update :: !_.add(ITEM) ; _.difference_update(SELF)
intersection_update :: !_.intersection_update(SELF) ; _.add(ITEM)
remove :: !_.add(ITEM) ; _.remove(max(_))
remove :: !_.add(ITEM) ; _.remove(min(_))
symmetric_difference_update :: !_.symmetric_difference_update(SELF)
update :: !_.update(SELF)
update :: !_.update([ITEM, ITEM])
&= :: !_.add(ITEM) ; _ &= SELF
|= :: !_ |= {{ITEM}}
|= :: !_ |= SELF
-= :: !_.add(ITEM) ; _ -= SELF
^= :: !_ ^= SELF
"""
_ORDER = dict.fromkeys(
    "pop list() tuple() enumerate() zip() iter() str() repr() ascii() bytes() bytearray()".split(),
    HASH_ORDER,
)
IMPOSSIBLE = {
    "set": {**_ORDER, "dict()": "it would need a set of pairs, whose order the hash seed decides"},
    "frozenset": {
        **_ORDER,
        "dict()": "it would need a set of pairs, whose order the hash seed decides",
    },
}
