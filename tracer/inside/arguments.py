"""Evaluates the arguments of a call in the program's namespace, before the trace starts."""

from __future__ import annotations

import ast
import collections
from dataclasses import dataclass
from types import CodeType
from typing import Any, NamedTuple

from tracer.inside.encode import Encoder
from tracer.inside.outcomes import looks_faithful


class BadCall(Exception):
    """The argument text is not an argument list, or evaluating it raised."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """Evaluated arguments."""

    positional: tuple[Any, ...]
    keyword: dict[str, Any]
    source: str
    call: CallText

    def write(self, encoder: Encoder) -> str:
        """Write each argument canonically where that is faithful, else as it was written."""
        words = self.call.words
        if self.call.starred:
            expression = _parse(self.source)
            return ", ".join(map(ast.unparse, (*expression.args, *expression.keywords)))
        values = (*self.positional, *[self.keyword[word] for word in words if word is not None])
        parts = list(map(encoder.text, values))
        if not all(map(looks_faithful, parts)):
            expression = _parse(self.source)
            nodes = (*expression.args, *[word.value for word in expression.keywords])
            parts = [
                part if looks_faithful(part) else ast.unparse(node)
                for part, node in zip(parts, nodes, strict=True)
            ]
        return ", ".join(
            part if word is None else f"{word}={part}"
            for word, part in zip(words, parts, strict=True)
        )


def _collect(*args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, kwargs


class CallText(NamedTuple):
    """The text between the parentheses of a call, compiled."""

    code: CodeType
    words: tuple[str | None, ...]
    """For each argument its keyword, if it has one; empty where some are starred."""
    starred: bool


def read_call(text: str) -> CallText:
    """Compile ``text``, the part between the parentheses of a call.

    Raises:
        BadCall: the text is no argument list.
    """
    expression = _parse(text)
    starred = any(isinstance(node, ast.Starred) for node in expression.args)
    starred = starred or any(word.arg is None for word in expression.keywords)
    words = (*[None] * len(expression.args), *[word.arg for word in expression.keywords])
    try:
        code = compile(ast.Expression(expression), "<call>", "eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadCall(f"the arguments are not Python: {error}") from None
    return CallText(code, words, starred)


def _parse(text: str) -> ast.Call:
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
    return expression


def evaluate_arguments(
    text: str, namespace: dict[str, Any], call: CallText | None = None
) -> Arguments:
    """Evaluate ``text``, the part between the parentheses of a call.

    Args:
        text: The arguments.
        namespace: The program's.
        call: The same text, compiled, where that is known.

    Raises:
        BadCall: the text is no argument list, or its evaluation raised.
    """
    call = call or read_call(text)
    merged = _Layered(namespace, {"_": _collect})
    try:
        positional, keyword = eval(call.code, {"__builtins__": __builtins__}, merged)
    except BaseException as error:
        raise BadCall(f"evaluating the arguments raised {type(error).__name__}") from None
    return Arguments(positional, keyword, text, call)


class _Layered(dict[str, Any]):
    """Names of the call: ours first, then the program's."""

    def __init__(self, program: dict[str, Any], own: dict[str, Any]) -> None:
        super().__init__(own)
        self.program = program

    def __missing__(self, name: str) -> Any:
        if name == "collections" and name not in self.program:
            return collections
        return self.program[name]
