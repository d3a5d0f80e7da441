"""The words for Python's operators, functions and methods in statements of problems.

Slots are numbered as the arguments are; ``{0}`` of a method is the object that it is called on.

Source: own.
"""

from __future__ import annotations

import ast

SUMS: dict[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.Div: "divided by",
    ast.FloorDiv: "divided (rounding down) by",
    ast.Mod: "modulo",
    ast.Pow: "to the power of",
    ast.BitOr: "combined by `|` with",
    ast.BitAnd: "combined by `&` with",
    ast.BitXor: "combined by `^` with",
}
RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "equals",
    ast.NotEq: "does not equal",
    ast.Lt: "is less than",
    ast.LtE: "is at most",
    ast.Gt: "is greater than",
    ast.GtE: "is at least",
    ast.In: "is in",
    ast.NotIn: "is not in",
    ast.Is: "is the same object as",
    ast.IsNot: "is not the same object as",
}
SET_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "is a proper subset of",
    ast.LtE: "is a subset of",
    ast.Gt: "is a proper superset of",
    ast.GtE: "is a superset of",
}
"""The same between sets."""
SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference"})

OF_ONE = {
    "len": "the length of {}",
    "sum": "the sum of {}",
    "abs": "the absolute value of {}",
    "bool": "the truth value of {}",
    "min": "the least element of {}",
    "max": "the greatest element of {}",
    "ord": "the code point of {}",
    "chr": "the character with the code point {}",
    "iter": "an iterator over {}",
    "next": "the next element of {}",
    "dict": "a dictionary made from {}",
    "OrderedDict": "an `OrderedDict` made from {}",
    "bytes": "a bytes object made from {}",
}
"""Functions of one argument, whose words end with it."""
AS_ONE = {
    "str": "{} as a string",
    "int": "{} as an integer",
    "float": "{} as a float",
    "round": "{} rounded to an integer",
}
"""Functions of one argument, whose words begin with it."""
OF_ELEMENTS = {
    "list": "a list of {}",
    "tuple": "a tuple of {}",
    "set": "the set of {}",
    "frozenset": "the frozen set of {}",
    "sorted": "the sorted list of {}",
    "any": "whether any of {} is true",
    "all": "whether all of {} are true",
    "Counter": "a `Counter` of {}",
    "deque": "a `deque` of {}",
}
"""Functions of one argument that go through its elements."""
OF_MANY = {"min": "the least of {}", "max": "the greatest of {}"}

PARTS = {"keys": "keys", "values": "values", "items": "items"}
"""Methods that give elements of a mapping."""
METHODS = {
    "upper": "{0} in upper case",
    "lower": "{0} in lower case",
    "swapcase": "{0} with upper and lower case exchanged",
    "strip": "{0} without whitespace at its ends",
    "lstrip": "{0} without whitespace at its beginning",
    "rstrip": "{0} without whitespace at its end",
    "title": "{0} in title case",
    "capitalize": "{0} with only its first letter capital",
}
"""Methods without arguments, whose words begin with the object."""
METHODS_OF_NONE = {"copy": "a copy of {0}", "split": "the list of words of {0}"}
"""Methods without arguments, whose words end with the object."""
METHODS_OF_ONE = {
    "count": "how often {1} occurs in {0}",
    "index": "the position of the first {1} in {0}",
    "find": "the position of the first {1} in {0}, or -1 if there is none",
    "rfind": "the position of the last {1} in {0}, or -1 if there is none",
    "split": "{0} split at {1}",
    "union": "the union of {0} and {1}",
    "intersection": "the intersection of {0} and {1}",
    "difference": "the set of those elements of {0} that are not in {1}",
    "symmetric_difference": "the symmetric difference of {0} and {1}",
    "get": "the value for {1} in {0}, or None if there is none",
}
METHODS_OF_TWO = {
    "replace": "{0} with every {1} replaced by {2}",
    "get": "the value for {1} in {0}, or {2} if there is none",
}
VERBS = {
    "startswith": "{0} starts with {1}",
    "endswith": "{0} ends with {1}",
    "isdisjoint": "{0} has no element in common with {1}",
    "issubset": "{0} is a subset of {1}",
    "issuperset": "{0} is a superset of {1}",
}
"""Methods that say whether something is so."""
