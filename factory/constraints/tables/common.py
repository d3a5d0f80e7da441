"""Forms that several types share; see :mod:`factory.constraints.catalogue` for the notation."""

from __future__ import annotations

EQUALITY = """
== :: _ == SELF
!= :: _ != SELF
"""
ORDER = f"""{EQUALITY}
< :: _ < SELF
<= :: _ <= SELF
> :: _ > SELF
>= :: _ >= SELF
"""
SHOWN = """
str() :: str(_)
repr() :: repr(_)
ascii() :: ascii(_)
bool() :: bool(_)
"""
FORMATTED = """
format() :: format(_, FORMAT)
"""
ITERATED = """
list() :: list(_)
tuple() :: tuple(_)
set() :: len(set(_))
set() :: sorted(set(_))
frozenset() :: len(frozenset(_))
frozenset() :: sorted(frozenset(_))
sorted() :: sorted(_)
sorted() :: sorted(_, reverse=True)
enumerate() :: list(enumerate(_))
enumerate() :: list(enumerate(_, 1))
zip() :: list(zip(_, NUMS))
zip() :: list(zip(_, NAMES))
map() :: list(map(str, _))
filter() :: list(filter(None, _))
any() :: any(_)
all() :: all(_)
min() :: min(_full)
max() :: max(_full)
iter() :: next(iter(_full))
"""
"""What takes any iterable whose order does not depend on hashes."""
UNORDERED = """
set() :: len(set(_))
set() :: sorted(set(_))
frozenset() :: len(frozenset(_))
frozenset() :: sorted(frozenset(_))
sorted() :: sorted(_)
sorted() :: sorted(_, reverse=True)
map() :: sorted(map(str, _))
filter() :: sorted(filter(None, _))
any() :: any(_)
all() :: all(_)
min() :: min(_full)
max() :: max(_full)
"""
"""What may take a set: the result does not show its order."""
SIZED = """
len() :: len(_)
in :: ITEM in _
not in :: ITEM not in _
"""
SUMMED = """
sum() :: sum(_ints)
sum() :: sum(_ints, INT)
"""
REVERSED = """
reversed() :: list(reversed(_))
"""
INDEXED = """
[] :: _full[0]
[] :: _full[INT % TWO]
[:] :: _[LOW:]
[:] :: _[:N]
[:] :: _[::-1]
[:] :: _[INT:]
"""
COUNTED = """
count :: _.count(ITEM)
"""

CONSTANT = "it takes no argument that a use of it could give"
"""Why a constant, or what takes a function only, has no cell for nested calls."""
NO_RESULT = "it returns None, so no call of it can hold or feed another one"
"""Why a target that only changes something has no cell for nested calls."""
HASH_ORDER = "its result shows the order of the set, which the hash seed decides"
IDENTITY = "iterators compare by identity, so the result says nothing about what they give"
ADDRESS = "the text of an iterator is an address"
ALWAYS_TRUE = "an iterator is always true"
NO_ORDER = "such objects have no order: TypeError"
CLASS_ALONE = "its result depends on the class alone, never on the object"

_NOT_VALUES = (
    "aiter anext breakpoint classmethod compile copyright credits delattr eval exec exit getattr "
    "globals help input license locals object open property quit setattr slice staticmethod super "
    "vars memoryview __import__ __build_class__"
)
NO_FORMAT = "it takes no format beside the empty one, which is str()"
BUILTIN_REASONS = {
    **dict.fromkeys(
        _NOT_VALUES.split(), "no pure function of a value: console, files, code, names"
    ),
    **dict.fromkeys("callable isinstance issubclass type hasattr dir".split(), CLASS_ALONE),
    "print": "it returns None and only writes",
    "id": "it returns an address",
    "hash": "its result belongs to the interpreter; of text it depends on the hash seed",
}
"""Built-in functions that are no target on any type, with the reason."""
