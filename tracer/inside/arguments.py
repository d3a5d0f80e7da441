"""Evaluates the arguments of a call in the program's namespace, before the trace starts."""

from __future__ import annotations

import ast
import collections
from dataclasses import dataclass
from typing import Any

from tracer.inside.encode import Encoder
from tracer.inside.outcomes import looks_faithful


class BadCall(Exception):
    """The argument text is not an argument list, or evaluating it raised."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """Evaluated arguments and the canonical text that makes them again."""

    positional: tuple[Any, ...]
    keyword: dict[str, Any]
    text: str


def _collect(*args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, kwargs


def evaluate_arguments(text: str, namespace: dict[str, Any], encoder: Encoder) -> Arguments:
    """Evaluate ``text``, the part between the parentheses of a call.

    Raises:
        BadCall: the text is no argument list, or its evaluation raised.
    """
    try:
        expression = ast.parse(f"_(\n{text}\n)", "<call>", "eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadCall(f"the arguments are not Python: {error}") from None
    if not (
        isinstance(expression, ast.Call)
        and isinstance(expression.func, ast.Name)
        and expression.func.id == "_"
        and expression.end_lineno == text.count("\n") + 3
    ):
        raise BadCall("the arguments are not an argument list")
    code = compile(ast.Expression(expression), "<call>", "eval")
    space = {"_": _collect}
    merged = _Layered(namespace, space)
    try:
        positional, keyword = eval(code, {"__builtins__": __builtins__}, merged)
    except BaseException as error:
        raise BadCall(f"evaluating the arguments raised {type(error).__name__}") from None
    return Arguments(positional, keyword, _canonical(expression, positional, keyword, encoder))


class _Layered(dict[str, Any]):
    """Names of the call: ours first, then the program's."""

    def __init__(self, program: dict[str, Any], own: dict[str, Any]) -> None:
        super().__init__(own)
        self.program = program

    def __missing__(self, name: str) -> Any:
        if name == "collections" and name not in self.program:
            return collections
        return self.program[name]


def _canonical(
    expression: ast.Call, positional: tuple[Any, ...], keyword: dict[str, Any], encoder: Encoder
) -> str:
    """Write each argument canonically where that is faithful, else as it was written."""
    starred = any(isinstance(node, ast.Starred) for node in expression.args)
    if starred or any(word.arg is None for word in expression.keywords):
        return ", ".join(map(ast.unparse, (*expression.args, *expression.keywords)))
    parts = [
        _write(value, node, encoder)
        for value, node in zip(positional, expression.args, strict=True)
    ]
    for word in expression.keywords:
        assert word.arg is not None
        parts.append(f"{word.arg}={_write(keyword[word.arg], word.value, encoder)}")
    return ", ".join(parts)


def _write(value: Any, node: ast.expr, encoder: Encoder) -> str:
    text = encoder.text(value)
    return text if looks_faithful(text) else ast.unparse(node)
