r"""From what a model wrote to the answer in it: found and parsed, never executed.

``<think>f adds one</think>\n<answer>\n8\n</answer>`` holds the answer ``8``. Layouts of a reply:

- ``any`` (the default): one ``<answer>`` block, or ``[ANSWER]`` block, if there is one, else all
  that follows the reasoning;
- ``think+answer``: one non-empty ``<think>`` block, then one non-empty ``<answer>`` block, nothing
  outside;
- ``think``: one non-empty ``<think>`` block, then the answer.

A reply is well formed exactly when an answer was found in it. Around the answer, a code fence
(indented or unclosed too) and single backticks are taken off.

Several questions in one prompt are answered in one block: JSON keyed by question id, as
``{"q1": "7", "q2": "12; int"}``, or one line an answer, in the order of the questions, with or
without ``q1:`` before it; blank lines do not count.

Source: own; the one-line-an-answer form is that of ExecVerify
(https://arxiv.org/abs/2603.11226), the ``[ANSWER]`` block that of CRUXEval
(https://arxiv.org/abs/2401.03065).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tracer.fences import unfence
from tracer.literals import NotFaithful, arguments_of, expression, from_node, statement

Layout: TypeAlias = Literal["any", "think+answer", "think"]

MAX_CHARS = 200_000
"""Longest answer that is read, in characters."""

_STRICT = re.compile(r"\s*<think>(.*?)</think>\s*<answer>(.*?)</answer>\s*", re.DOTALL)
_THINK = re.compile(r"\s*<think>(.*?)</think>(.*)", re.DOTALL)
_OPENING = re.compile(r"<answer>|\[ANSWER\]", re.IGNORECASE)
_BLOCK = re.compile(r"<answer>(.*?)</answer>|\[ANSWER\](.*?)\[/ANSWER\]", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?(?:think|answer)>")
_NUMBERED = re.compile(r"\s*(\d+)[.)]\s+(.*)")
_FACTORY = re.compile(r"defaultdict\(<class '(\w+)'>")  # as repr writes it
_TYPE = re.compile(r"(?:<class ')?([^\W\d]\w*(?:\.[^\W\d]\w*)*)(?:'>)?")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in a reply."""

    answer: str | None
    """The answer without tags and fences; ``None`` when there is none to be found."""
    problem: str = ""
    """Why there is none, for a person."""
    empty: bool = False
    """Whether nothing was answered, as opposed to answered in a way that can't be read."""

    @property
    def well_formed(self) -> bool:
        """Whether the reply has the layout that was asked for."""
        return self.answer is not None


def read_reply(reply: str, layout: Layout = "any") -> Reading:
    """Find the answer in a reply.

    Args:
        reply: All that the model wrote.
        layout: How it was told to write.
    """
    found = locate_answer(reply, layout)
    if found is None and layout == "any":
        return Reading(None, "the reply has several answer blocks, or one that is not closed")
    if found is None:
        return Reading(None, f"the reply does not have the layout {layout}", empty=True)
    if len(found) > MAX_CHARS:
        return Reading(None, f"the answer is longer than {MAX_CHARS} characters")
    answer = unfence(found)
    return Reading(answer) if answer else Reading(None, "the reply holds no answer", empty=True)


def locate_answer(reply: str, layout: Layout = "any") -> str | None:
    """The part of a reply that holds the answer, as it stands there.

    Returns:
        ``None`` for a reply of another layout, or with several or unclosed answer blocks.
    """
    return _find_answer(reply) if layout == "any" else _find_strictly(reply, layout)


def _find_strictly(reply: str, layout: Layout) -> str | None:
    match = (_STRICT if layout == "think+answer" else _THINK).fullmatch(reply)
    if match is None or not match[1].strip():
        return None
    return None if _TAG.search(match[1]) or _TAG.search(match[2]) else match[2]


def _find_answer(reply: str) -> str | None:
    _, closed, rest = reply.rpartition("</think>")
    if not closed and "<think>" in rest:
        return ""  # the reasoning never ended
    opened = len(_OPENING.findall(rest))
    if not opened:
        return rest
    blocks = _BLOCK.findall(rest)
    return "".join(blocks[0]) if opened == len(blocks) == 1 else None


def split_answers(reply: str, ids: Sequence[str], layout: Layout = "any") -> dict[str, str | None]:
    """The answers to several questions that were asked in one prompt.

    Args:
        reply: All that the model wrote.
        ids: Ids of the questions, in the order in which they were asked.
        layout: How the model was told to write.

    Returns:
        For each id the text of its answer; ``None`` where there is none.
    """
    answers: dict[str, str | None] = dict.fromkeys(ids)
    text = read_reply(reply, layout).answer
    if text is None:
        return answers
    keyed = _read_object(text)
    if keyed is not None and any(name in answers for name in keyed):
        for name, value in keyed.items():
            if name in answers:
                answers[name] = _answer_text(value)
        return answers
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    labelled = _labelled(lines, ids)
    if labelled:
        return answers | labelled
    if len(lines) != len(ids):
        return answers
    numbered = [_NUMBERED.fullmatch(line) for line in lines]
    if len(lines) > 1 and all(
        match and int(match[1]) == place for place, match in enumerate(numbered, start=1)
    ):
        lines = [match[2] for match in numbered if match]
    return dict(zip(ids, lines, strict=True))


def _read_object(text: str) -> dict[Any, Any] | None:
    """The JSON object or Python dict that a text is; else ``None``."""
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        try:
            found = from_node(expression(text))
        except NotFaithful:
            return None
    return found if isinstance(found, dict) else None


def _answer_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and set(value) == {"value", "type"}:
        return json.dumps(value)
    return repr(value)


def _labelled(lines: list[str], ids: Sequence[str]) -> dict[str, str | None]:
    """Answers of the form ``q1: 7``; lines without a label continue the answer above."""
    parts: dict[str, list[str]] = {}
    current = None
    for line in lines:
        label, colon, rest = line.partition(":")
        if colon and label.strip() in ids:
            current = label.strip()
            parts[current] = [rest.strip()]
        elif current is not None:
            parts[current].append(line)
        else:
            return {}
    return {name: "\n".join(part).strip() or None for name, part in parts.items()}


def parse_literal(text: str) -> Any:
    """The value of a literal answer: ``8``, ``f(7) == 8`` or ``assert f(7) == 8``.

    Raises:
        NotFaithful: The text is nothing of the kind; ``9 == 9 or 1`` and ``f(7)`` are not.
    """
    node = _tested(text)
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
        return from_node(_right_side(node), lenient=True)
    return from_node(node, lenient=True)


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """A call that an answer proposes."""

    positional: tuple[Any, ...]
    keyword: dict[str, Any]
    claims: tuple[Any, ...] = ()
    """The value that the answer says the call returns, if it says so."""


def parse_call(text: str, function: str) -> CallAnswer:
    """The call in an answer: ``f([1], k=2)``, ``assert f([1]) == 3`` or the arguments alone.

    Raises:
        NotFaithful: The text is nothing of the kind, calls another function, or has an argument
            that is no literal.
    """
    try:
        node = _tested(text)
    except NotFaithful:
        node = None
    claims: tuple[Any, ...] = ()
    if isinstance(node, ast.Compare):
        claims = (from_node(_right_side(node), lenient=True),)
        node = node.left
    elif not (isinstance(node, ast.Call) and _is_call_of(node, function)):
        node = expression(f"{function}({text}\n)")
    if not (isinstance(node, ast.Call) and _is_call_of(node, function)):
        raise NotFaithful(f"not a call of {function}")
    return CallAnswer(*arguments_of(node, lenient=True), claims)


def parse_state(text: str) -> tuple[Any, str]:
    """Value and type of an answer ``{"value": "12", "type": "int"}`` or ``12; int``.

    Raises:
        NotFaithful: The text is nothing of the kind.
    """
    found = _read_object(text)
    if found is not None and set(found) == {"value", "type"}:
        value, kind = found["value"], found["type"]
        value = value if isinstance(value, str) else repr(value)
    else:
        value, semicolon, kind = text.rpartition(";")
        if not semicolon:
            raise NotFaithful("the type is missing: write value; type")
    match = _TYPE.fullmatch(str(kind).strip().strip("`'\""))
    if match is None:
        raise NotFaithful("the type is no name of a type")
    return from_node(_tested(value), lenient=True), match[1]


def same_type(answer: str, key: str) -> bool:
    """Whether a type answer names the type of the key, in full or by its short name."""
    return answer == key or answer == key.rpartition(".")[2]


def _tested(text: str) -> ast.expr:
    """The expression that a text is, or that it asserts."""
    node = statement(_FACTORY.sub(r"defaultdict(\1", text))
    if isinstance(node, ast.Assert):
        if not isinstance(node.test, ast.Compare):
            raise NotFaithful("an assertion must have the form f(...) == value")
        return node.test
    if isinstance(node, ast.Expr):
        return node.value
    raise NotFaithful(f"{type(node).__name__} is no literal")


def _right_side(node: ast.Compare) -> ast.expr:
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        raise NotFaithful("an assertion must have the form f(...) == value")
    return node.comparators[0]


def _is_call_of(node: ast.Call, function: str) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == function
