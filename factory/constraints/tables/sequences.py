"""Forms of ``list``, ``tuple``, ``range`` and ``deque``."""

from __future__ import annotations

from factory.constraints.tables.common import (
    COUNTED,
    EQUALITY,
    INDEXED,
    ITERATED,
    NO_ORDER,
    ORDER,
    REVERSED,
    SHOWN,
    SIZED,
    SUMMED,
)

_ALL = f"{SHOWN}{ITERATED}{SIZED}{INDEXED}{COUNTED}{SUMMED}{REVERSED}"
_CHANGED = """
append :: !_.append(ITEM)
clear :: !_.clear() ; _.append(ITEM)
extend :: !_.extend(FEW)
extend :: !_.extend([ITEM, ITEM])
insert :: !_.insert(SMALL, ITEM)
insert :: !_.insert(0, ITEM)
remove :: !_.append(ITEM) ; _.remove(max(_))
remove :: !_.append(ITEM) ; _.remove(min(_))
reverse :: !_.append(ITEM) ; _.reverse()
[]= :: !_.append(ITEM) ; _[0] = ITEM
[]= :: !_.append(ITEM) ; _[INT % len(_)] = ITEM
del [] :: !_.append(ITEM) ; del _[0]
del [] :: !_.append(ITEM) ; del _[INT % len(_)]
+= :: !_ += [ITEM]
+= :: !_ += FEW
"""
LIST = f"""{ORDER}{_ALL}{_CHANGED}
copy :: _.copy()
index :: (_ + [ITEM1]).index(ITEM1)
pop :: _full.pop()
pop :: _full.pop(0)
sort :: !_.append(ITEM) ; _.sort()
sort :: !_.append(ITEM) ; _.sort(reverse=INT > N)
+ :: _ + SELF
+ :: [ITEM] + _
* :: _ * TWO
*= :: !_ *= TWO ; del _[WIDTH:]
[:]= :: !_[:SMALL] = [ITEM]
[:]= :: !_[LOW:] = FEW
del [:] :: !_.append(ITEM) ; del _[:SMALL]
del [:] :: !_ += [ITEM, ITEM] ; del _[::TWO]
dict() :: dict(list(enumerate(_)))
bytes() :: bytes(list(map(abs, range(len(_)))))
bytearray() :: len(bytearray([len(_), N]))
"""
TUPLE = f"""{ORDER}{_ALL}
+ :: _ + SELF
+ :: (ITEM,) + _
index :: (_ + (ITEM1,)).index(ITEM1)
* :: _ * TWO
dict() :: dict(tuple(enumerate(_)))
bytes() :: bytes((len(_), N))
bytearray() :: len(bytearray((len(_), N)))
"""
RANGE = f"""{EQUALITY}{_ALL}
.start :: _.start
.stop :: _.stop
.step :: range(0, WIDTH, abs(INT) % N + 1).step
index :: range(abs(INT) % N, WIDTH + WIDTH).index(WIDTH)
bytes() :: bytes(_)
bytearray() :: len(bytearray(_))
"""
DEQUE = f"""{ORDER}{SHOWN}{ITERATED}{SIZED}{COUNTED}{SUMMED}{REVERSED}{_CHANGED}
appendleft :: !_.appendleft(ITEM)
extendleft :: !_.extendleft([ITEM, ITEM])
extendleft :: !_.extendleft(FEW)
rotate :: !_.append(ITEM) ; _.rotate(1)
rotate :: !_.append(ITEM) ; _.rotate(INT)
*= :: !_ *= TWO ; _ = deque(_, maxlen=WIDTH)
copy :: _.copy()
.maxlen :: deque(_, maxlen=INT % N + 1).maxlen
pop :: _full.pop()
popleft :: _full.popleft()
index :: (_ + deque([ITEM1])).index(ITEM1)
+ :: _ + SELF
* :: _ * TWO
[] :: _full[0]
[] :: _full[INT % TWO]
"""
IMPOSSIBLE = {
    "range": {
        **dict.fromkeys(("<", "<=", ">", ">="), NO_ORDER),
        "dict()": "its numbers are no pairs: TypeError",
    },
    "list": {},
    "tuple": {},
    "deque": {"[:]": "a deque cannot be sliced: TypeError"},
}
