"""Annotations in words: ``dict[str, list[int]]`` is a dictionary from strings to lists of integers.

Source: own.
"""

from __future__ import annotations

import ast

from factory.reasoning.claims import code

_NAMED = {
    "int": ("an integer", "integers"),
    "str": ("a string", "strings"),
    "float": ("a float", "floats"),
    "bool": ("a Boolean", "Booleans"),
    "bytes": ("a bytes object", "bytes objects"),
    "complex": ("a complex number", "complex numbers"),
    "object": ("any object", "objects of any type"),
    "None": ("None", "Nones"),
}
_ITERABLES = {
    "list": ("a list", "lists"),
    "set": ("a set", "sets"),
    "frozenset": ("a frozen set", "frozen sets"),
    "deque": ("a deque", "deques"),
    "Counter": ("a counter", "counters"),
    "Iterator": ("an iterator", "iterators"),
    "Iterable": ("an iterable", "iterables"),
    "Sequence": ("a sequence", "sequences"),
}
_MAPPINGS = {
    "dict": ("a dictionary", "dictionaries"),
    "defaultdict": ("a default dictionary", "default dictionaries"),
    "OrderedDict": ("an ordered dictionary", "ordered dictionaries"),
    "Mapping": ("a mapping", "mappings"),
}

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def kind_words(annotation: ast.expr, *, several: bool = False) -> str:
    """What an annotation says, with its article: "a list of strings".

    Args:
        annotation: As the program has it.
        several: Whether there are several such values: "lists of strings".
    """
    if isinstance(annotation, ast.Constant):
        if isinstance(annotation.value, str):
            try:
                return kind_words(ast.parse(annotation.value, mode="eval").body, several=several)
            except (SyntaxError, ValueError):
                return _other(annotation, several)
        if annotation.value is None:
            return _NAMED["None"][several]
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        sides = (annotation.left, annotation.right)
        return " or ".join(kind_words(side, several=several) for side in sides)
    name = _name(annotation)
    if isinstance(annotation, ast.Subscript):
        return _of(annotation, _name(annotation.value), several)
    for words in (_NAMED, _ITERABLES, _MAPPINGS):
        if name in words:
            return words[name][several]
    if name == "tuple":
        return "tuples" if several else "a tuple"
    return _other(annotation, several)


def _of(annotation: ast.Subscript, name: str, several: bool) -> str:
    inner = annotation.slice
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name in _ITERABLES and len(parts) == 1:
        return f"{_ITERABLES[name][several]} of {kind_words(parts[0], several=True)}"
    if name in _MAPPINGS and len(parts) == 2:
        key, value = (kind_words(part, several=True) for part in parts)
        return f"{_MAPPINGS[name][several]} from {key} to {value}"
    if name == "tuple":
        article = "tuples" if several else "a tuple"
        if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...:
            return f"{article} of {kind_words(parts[0], several=True)}"
        told = [kind_words(part) for part in parts]
        if 1 < len(told) < len(_NUMBERS) and len(set(told)) == 1:
            return f"{article} of {_NUMBERS[len(told)]} {kind_words(parts[0], several=True)}"
        return f"{article} of {listed(told)}"
    return _other(annotation, several)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _other(annotation: ast.expr, several: bool) -> str:
    text = code(ast.unparse(annotation))
    return f"values of the type {text}" if several else f"a value of the type {text}"


def listed(parts: list[str]) -> str:
    """Parts as a list in a sentence: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
