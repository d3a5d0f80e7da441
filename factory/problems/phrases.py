"""Expressions in words: ``len(xs) % 3`` is the length of `xs` modulo `3`.

Words go two levels deep; what lies deeper, and what has no words, is quoted as code, so that a
sentence never becomes a riddle.

Source: own.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from factory.problems.kinds import listed
from factory.reasoning.claims import code

LEVELS = 2
"""Levels of an expression that are told in words."""

_SUMS: dict[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.Div: "divided by",
    ast.FloorDiv: "divided (rounding down) by",
    ast.Mod: "modulo",
    ast.Pow: "to the power of",
}
_RELATIONS: dict[type[ast.cmpop], str] = {
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
_OF_ONE = {
    "len": "the length of {}",
    "sum": "the sum of {}",
    "abs": "the absolute value of {}",
    "str": "{} as a string",
    "int": "{} as an integer",
    "float": "{} as a float",
    "bool": "the truth value of {}",
    "list": "a list of the elements of {}",
    "tuple": "a tuple of the elements of {}",
    "set": "the set of the elements of {}",
    "frozenset": "the frozen set of the elements of {}",
    "sorted": "the sorted list of the elements of {}",
    "reversed": "the elements of {} in reverse",
    "min": "the least element of {}",
    "max": "the greatest element of {}",
    "any": "whether any element of {} is true",
    "all": "whether all elements of {} are true",
    "ord": "the code point of {}",
    "chr": "the character with the code point {}",
    "round": "{} rounded to an integer",
    "enumerate": "the elements of {} numbered from 0",
}
_OF_MANY = {"min": "the least of {}", "max": "the greatest of {}"}
_METHODS = {
    "upper": "{} in upper case",
    "lower": "{} in lower case",
    "strip": "{} without whitespace at its ends",
    "copy": "a copy of {}",
    "keys": "the keys of {}",
    "values": "the values of {}",
    "items": "the items of {}",
    "title": "{} in title case",
    "capitalize": "{} with only its first letter capital",
    "split": "the list of words of {}",
}
_METHODS_OF_ONE = {
    "join": "the elements of {1} joined by {0}",
    "count": "how often {1} occurs in {0}",
    "startswith": "whether {0} starts with {1}",
    "endswith": "whether {0} ends with {1}",
    "index": "the position of the first {1} in {0}",
    "find": "the position of the first {1} in {0}, or -1 without one",
    "split": "{0} split at {1}",
    "append": "{0} with {1} appended",
}
_METHODS_OF_TWO = {
    "replace": "{0} with every {1} replaced by {2}",
    "get": "the value of {1} in {0}, or {2} where there is none",
}


def phrase(node: ast.expr, levels: int = LEVELS) -> str:
    """What an expression is, in words as far as ``levels`` go."""
    if levels <= 0 or is_plain(node):
        return _quote(node)
    if isinstance(node, ast.Compare | ast.BoolOp) or _is_negation(node):
        return f"whether {condition(node, levels)}"
    if isinstance(node, ast.BinOp) and type(node.op) in _SUMS:
        left, right = _operand(node.left, levels - 1), _operand(node.right, levels - 1)
        return f"{left} {_SUMS[type(node.op)]} {right}"
    if isinstance(node, ast.IfExp):
        told, other = _operand(node.body, levels - 1), _operand(node.orelse, levels - 1)
        return f"{told} if {condition(node.test, levels - 1)}, and {other} otherwise"
    if isinstance(node, ast.Call):
        return _call(node, levels)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return _comprehension(node, levels)
    if isinstance(node, ast.Tuple) and node.elts and not _is_starred(node.elts):
        return f"the tuple of {_enumerated(node.elts, levels - 1)}"
    if isinstance(node, ast.List) and not node.elts:
        return "an empty list"
    if isinstance(node, ast.Dict) and not node.keys:
        return "an empty dictionary"
    if isinstance(node, ast.JoinedStr):
        return f"the text {_quote(node)}"
    if isinstance(node, ast.Subscript):
        return _part(node, levels)
    return _quote(node)


def condition(node: ast.expr, levels: int = LEVELS) -> str:
    """What must hold for an expression to be true: "`a` is less than `3`"."""
    if levels > 0:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left = _operand(node.left, levels - 1)
            right = _operand(node.comparators[0], levels - 1)
            return f"{left} {_RELATIONS[type(node.ops[0])]} {right}"
        if isinstance(node, ast.BoolOp) and not any(isinstance(v, ast.BoolOp) for v in node.values):
            word = " and " if isinstance(node.op, ast.And) else " or "
            return word.join(condition(value, levels - 1) for value in node.values)
        if _is_negation(node):
            assert isinstance(node, ast.UnaryOp)
            if isinstance(node.operand, ast.Name):
                return f"{_quote(node.operand)} is empty or false"
            return f"it is not so that {condition(node.operand, levels - 1)}"
    if isinstance(node, ast.Name):
        return f"{_quote(node)} is neither empty nor false"
    return f"{_quote(node)} is true"


def is_plain(node: ast.expr) -> bool:
    """Whether an expression is a name or a number and needs no words."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return is_plain(node.operand)
    if isinstance(node, ast.Attribute):
        return is_plain(node.value)
    return isinstance(node, ast.Name | ast.Constant)


def _quote(node: ast.expr) -> str:
    return code(ast.unparse(node))


def _is_negation(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _operand(node: ast.expr, levels: int) -> str:
    """A phrase that stands inside another one: between parentheses where it could be misread."""
    words = phrase(node, levels)
    compound = isinstance(node, ast.BinOp | ast.IfExp | ast.Compare | ast.BoolOp | ast.Tuple)
    return f"({words})" if compound and words != _quote(node) else words


def _enumerated(nodes: Sequence[ast.expr], levels: int) -> str:
    return listed([_operand(node, levels) for node in nodes])


def _is_starred(nodes: Sequence[ast.expr]) -> bool:
    return any(isinstance(node, ast.Starred) for node in nodes)


def _call(node: ast.Call, levels: int) -> str:
    if node.keywords or _is_starred(node.args):
        return f"the value of {_quote(node)}"
    if isinstance(node.func, ast.Name):
        name = node.func.id
        if name in _OF_ONE and len(node.args) == 1:
            return _OF_ONE[name].format(_operand(node.args[0], levels - 1))
        if name in _OF_MANY and len(node.args) > 1:
            return _OF_MANY[name].format(_enumerated(node.args, levels - 1))
        if name == "range":
            return _range(node.args, levels)
        if name == "zip" and len(node.args) > 1:
            return f"the elements of {_enumerated(node.args, levels - 1)} side by side"
        if node.args:
            return f"the result of {code(name)} for {_enumerated(node.args, levels - 1)}"
    elif isinstance(node.func, ast.Attribute):
        known = (_METHODS, _METHODS_OF_ONE, _METHODS_OF_TWO)
        if len(node.args) < len(known) and node.func.attr in known[len(node.args)]:
            parts = [_operand(part, levels - 1) for part in (node.func.value, *node.args)]
            return known[len(node.args)][node.func.attr].format(*parts)
    return f"the value of {_quote(node)}"


def _range(arguments: Sequence[ast.expr], levels: int) -> str:
    parts = [_operand(each, levels - 1) for each in arguments]
    if len(parts) == 3:
        return f"the integers from {parts[0]} to before {parts[1]} in steps of {parts[2]}"
    first, end = parts if len(parts) == 2 else ("`0`", parts[0])
    return f"the integers from {first} to before {end}"


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, levels: int) -> str:
    if len(node.generators) > 1 or len(node.generators[0].ifs) > 1:
        return f"the value of {_quote(node)}"
    loop = node.generators[0]
    what = {ast.ListComp: "the list of", ast.SetComp: "the set of"}.get(type(node), "the values")
    target = code(ast.unparse(loop.target))
    over = _operand(loop.iter, levels - 1)
    kept = f" for which {condition(loop.ifs[0], levels - 1)}" if loop.ifs else ""
    return f"{what} {_operand(node.elt, levels - 1)} for each {target} in {over}{kept}"


def _part(node: ast.Subscript, levels: int) -> str:
    whole = _operand(node.value, levels - 1)
    if not isinstance(node.slice, ast.Slice):
        return f"the element of {whole} at {_operand(node.slice, levels - 1)}"
    lower, upper, step = node.slice.lower, node.slice.upper, node.slice.step
    if step is None and isinstance(lower, ast.Constant) and upper is None:
        return f"{whole} without its first {_elements(lower)}"
    if step is None and lower is None and isinstance(upper, ast.Constant):
        return f"the first {_elements(upper)} of {whole}"
    return f"the part {_quote(node)}"


def _elements(number: ast.Constant) -> str:
    return "element" if number.value == 1 else f"{ast.unparse(number)} elements"
