"""Forms of ``dict``, ``defaultdict``, ``OrderedDict`` and ``Counter``."""

from __future__ import annotations

from factory.constraints.tables.common import EQUALITY, ITERATED, NO_ORDER, ORDER, SHOWN, SIZED

_READ = """
copy :: _.copy()
get :: _.get(KEY, VAL)
items :: sorted(_.items())
items :: list(_.items())
keys :: list(_.keys())
keys :: sorted(_.keys())
values :: list(_.values())
values :: sum(_.values())
pop :: _.pop(KEY, VAL)
popitem :: _full.popitem()
setdefault :: _.setdefault(KEY, VAL)
| :: _ | SELF
dict() :: dict(_)
reversed() :: list(reversed(_))
sum() :: sum(_ints)
"""
_CHANGED = """
clear :: !_.clear() ; _[KEY] = VAL
update :: !_.update({KEY: VAL})
update :: !_.update(SELF)
[]= :: !_[KEY] = VAL
del [] :: !_[KEY1] = VAL ; del _[KEY1]
|= :: !_ |= SELF
"""
_MERGED = """
[] :: (_ | {KEY1: VAL})[KEY1]
| :: _ | {KEY: VAL}
|= :: !_ |= {KEY: VAL}
"""
_ALL = f"{SHOWN}{ITERATED}{SIZED}{_READ}{_CHANGED}"
DICT = f"""{EQUALITY}{_ALL}{_MERGED}
fromkeys :: dict.fromkeys(NAMES, N)
fromkeys :: dict.fromkeys(NAMES, INT)
"""
DEFAULTDICT = f"""{EQUALITY}{_ALL}{_MERGED}
[] :: _[KEY]
"""
ORDERED_DICT = f"""{EQUALITY}{_ALL}{_MERGED}
fromkeys :: OrderedDict.fromkeys(NAMES, N)
fromkeys :: OrderedDict.fromkeys(NAMES, INT)
move_to_end :: !_[KEY1] = VAL ; _.move_to_end(KEY1)
move_to_end :: !_[KEY1] = VAL ; _.move_to_end(KEY1, last=False)
popitem :: _full.popitem(last=False)
"""
COUNTER = f"""{ORDER}{_ALL}
[] :: _[KEY]
elements :: sorted(_.elements())
elements :: list(_.elements())
most_common :: _.most_common(N)
most_common :: _.most_common(1)
subtract :: !_.subtract(SELF)
subtract :: !_.subtract([KEY])
total :: _.total()
update :: !_.update([KEY, KEY])
+ :: _ + SELF
- :: _ - SELF
& :: _ & SELF
| :: _ | SELF
-x :: -_
+x :: +_
+= :: !_ += SELF
-= :: !_ -= SELF
&= :: !_ &= SELF
"""
_NO_FLAT = {
    "bytes()": "it would need numbers as keys",
    "bytearray()": "it would need numbers as keys",
}
_ORDER = dict.fromkeys(("<", "<=", ">", ">="), NO_ORDER)
IMPOSSIBLE = {
    "dict": {**_ORDER, **_NO_FLAT},
    "defaultdict": {
        **_ORDER,
        **_NO_FLAT,
        "default_factory": "it is a function, not a value",
        "fromkeys": "it makes a defaultdict without a factory, whose keys are all there: a dict",
    },
    "OrderedDict": {**_ORDER, **_NO_FLAT},
    "Counter": {**_NO_FLAT, "fromkeys": "not implemented for Counter: NotImplementedError"},
}
