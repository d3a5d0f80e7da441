"""The sentences of a rationale: how claims are worded, and how they are found again.

Every kind of claim has several wordings; a wording is a text with slots. The same wordings read a
text back, so that whatever was written can be checked by somebody who has only the text. Code and
values stand between backticks, as Markdown has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias

from factory.reasoning.events import Bindings

ClaimKind: TypeAlias = Literal[
    "start",
    "try",
    "effect",
    "decision",
    "pass",
    "loop_end",
    "summary",
    "call",
    "return",
    "now",
    "result",
    "found",
    "answer",
]


@dataclass(frozen=True, slots=True)
class Claim:
    """What one sentence says; fields that its kind has no use for keep their defaults."""

    kind: ClaimKind
    line: int = 0
    bindings: Bindings = ()
    """Names with values, in the order of the sentence."""
    reasons: Bindings = ()
    condition: str = ""
    holds: bool = False
    number: int = 0
    """A pass, from 1; with ``loop_end`` how many there were."""
    upto: int = 0
    """The last pass of a ``summary``."""
    function: str = ""
    call: str = ""
    """The call that is traced, as text."""
    value: str = ""
    wording: int = field(default=0, compare=False)
    """Which of the wordings of its kind is used."""


WORDINGS: dict[ClaimKind, tuple[str, ...]] = {
    "start": (
        "{call} begins with {bindings:=}.",
        "At the start of {call}, {bindings:is}.",
        "We enter {call} with {bindings:=}.",
    ),
    "try": (
        "We try {call}, which begins with {bindings:=}.",
        "Suppose the call is {call}: at its start, {bindings:is}.",
        "One call to try is {call}, with {bindings:=}.",
    ),
    "effect": (
        "After line {line}, {bindings:is}.",
        "Line {line} gives {bindings:=}.",
        "Line {line} sets {bindings:to}.",
    ),
    "decision": (
        "Line {line} tests {condition}: {reasons:is}, so it is {holds}.",
        "On line {line}, {condition} is {holds} because {reasons:is}.",
        "With {reasons:=}, the test {condition} on line {line} is {holds}.",
    ),
    "pass": (
        "Pass {number} of the loop on line {line} has {bindings:=}.",
        "The loop on line {line} starts pass {number} with {bindings:=}.",
        "In pass {number} of the loop on line {line}, {bindings:is}.",
    ),
    "loop_end": (
        "The loop on line {line} is over after {number:pass}.",
        "After {number:pass}, the loop on line {line} is done.",
        "With {number:pass} made, the loop on line {line} ends.",
    ),
    "summary": (
        "Passes {number} to {upto} of the loop on line {line} follow; then {bindings:is}.",
        "The loop on line {line} goes through passes {number} to {upto} as well, "
        "which leaves {bindings:=}.",
    ),
    "call": (
        "Line {line} calls {function} with {bindings:=}.",
        "For line {line} we need {function} with {bindings:=}.",
        "To finish line {line}, {function} is called, and {bindings:is}.",
    ),
    "return": (
        "{function} returns {value} on line {line}.",
        "On line {line}, {function} gives back {value}.",
        "This call of {function} ends on line {line} with {value}.",
    ),
    "now": (
        "At this point, {bindings:is}.",
        "Here {bindings:is}.",
        "So far, {bindings:is}.",
    ),
    "result": (
        "So {call} returns {value}.",
        "The result of {call} is therefore {value}.",
        "Hence {call} gives {value}.",
    ),
    "found": (
        "So {call} returns {value}, which is the value that was asked for.",
        "The result of {call} is therefore {value}, as was asked for.",
        "Hence {call} gives {value}, and that is what we were looking for.",
    ),
    "answer": (
        "The answer to the question is therefore {value}.",
        "This makes the answer {value}.",
        "What was asked for is thus {value}.",
    ),
}
"""The wordings of each kind. ``{bindings:is}`` stands for a list such as "`a` is `1` and `b` is
`2`"; ``{number:pass}`` for "1 pass" or "3 passes"."""

WITHOUT: dict[ClaimKind, tuple[str, ...]] = {
    "start": ("{call} begins.", "We enter {call}.", "We follow {call}."),
    "try": ("We try {call}.", "Suppose the call is {call}.", "One call to try is {call}."),
    "decision": (
        "Line {line} tests {condition}: it is {holds}.",
        "On line {line}, {condition} is {holds}.",
        "The test {condition} on line {line} is {holds}.",
    ),
    "pass": (
        "Pass {number} of the loop on line {line} begins.",
        "The loop on line {line} starts pass {number}.",
        "Now comes pass {number} of the loop on line {line}.",
    ),
    "loop_end": (
        "The loop on line {line} has nothing to go through.",
        "There is nothing to go through for the loop on line {line}.",
        "Nothing is there for the loop on line {line} to go through.",
    ),
    "summary": (
        "Passes {number} to {upto} of the loop on line {line} follow.",
        "The loop on line {line} goes through passes {number} to {upto} as well.",
    ),
    "call": (
        "Line {line} calls {function}.",
        "For line {line} we need {function}.",
        "To finish line {line}, {function} is called.",
    ),
}
"""The wordings of claims that have no bindings or reasons to name, or count no passes."""

SPAN = r"(?:`` .+? ``(?!`)|`[^`]+`)"
"""A pattern of code between backticks, as :func:`code` writes it."""
_LINKS = {"=": " = ", "is": " is ", "to": " to "}
_JOINS = {"=": ", ", "is": " and ", "to": " and "}
"""One join for all places of a list, so that a sentence's length says nothing of its order."""
_SLOT = re.compile(r"\{(\w+)(?::(\S+?))?\}")
_CODE = frozenset({"condition", "function", "call", "value"})
_COUNTS = frozenset({"line", "number", "upto"})


def can_be_written(text: str) -> bool:
    """Whether a code text can stand between backticks and be found again."""
    return bool(text) and "``" not in text and "\n" not in text


def code(text: str) -> str:
    """A text between backticks."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def write(claim: Claim) -> str:
    """The sentence of a claim."""
    return _SLOT.sub(lambda slot: _fill(claim, slot[1], slot[2]), _wording(claim))


def _wording(claim: Claim) -> str:
    bare = claim.kind in WITHOUT and not (claim.bindings or claim.reasons)
    bare = bare and not (claim.kind == "loop_end" and claim.number)
    choices = WITHOUT[claim.kind] if bare else WORDINGS[claim.kind]
    return choices[claim.wording % len(choices)]


def link_of(claim: Claim) -> str:
    """How the sentence of a claim links names to values: ``=``, ``is`` or ``to``."""
    return next((slot[2] for slot in _SLOT.finditer(_wording(claim)) if slot[2] in _LINKS), "")


def _fill(claim: Claim, slot: str, form: str | None) -> str:
    value = getattr(claim, slot)
    if slot in _CODE:
        return code(value)
    if slot == "holds":
        return "true" if value else "false"
    if form == "pass":
        return f"{value} pass" if value == 1 else f"{value} passes"
    if form is None:
        return str(value)
    return _JOINS[form].join(f"{code(name)}{_LINKS[form]}{code(text)}" for name, text in value)


def read(text: str) -> tuple[Claim | str, ...]:
    """The claims of a text, line by line; a line that makes none stays as it is.

    Blank lines are left out.
    """
    lines = (line.strip() for line in text.splitlines())
    return tuple(read_sentence(line) or line for line in lines if line)


@lru_cache(maxsize=4096)
def read_sentence(sentence: str) -> Claim | None:
    """The claim that a sentence makes, if it makes one."""
    for kind, wording, pattern in _patterns():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return Claim(kind=kind, wording=wording, **_fields(found))
    return None


def _fields(found: re.Match[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for slot, text in found.groupdict().items():
        if slot in _COUNTS:
            fields[slot] = int(text)
        elif slot == "holds":
            fields[slot] = text == "true"
        elif slot in _CODE:
            fields[slot] = uncode(text)
        else:
            spans = [uncode(span) for span in re.findall(SPAN, text)]
            fields[slot] = tuple(zip(spans[::2], spans[1::2], strict=True))
    return fields


def uncode(span: str) -> str:
    """The text that stands between backticks."""
    return span[3:-3] if span.startswith("`` ") else span[1:-1]


@cache
def _patterns() -> tuple[tuple[ClaimKind, int, re.Pattern[str]], ...]:
    found: list[tuple[ClaimKind, int, re.Pattern[str]]] = []
    for wordings in (WORDINGS, WITHOUT):
        for kind, choices in wordings.items():
            for number, wording in enumerate(choices):
                found.append((kind, number, re.compile("".join(_pieces(wording)))))
    return tuple(found)


def _pieces(wording: str) -> Iterator[str]:
    end = 0
    for slot in _SLOT.finditer(wording):
        yield re.escape(wording[end : slot.start()])
        yield _pattern_of(slot[1], slot[2])
        end = slot.end()
    yield re.escape(wording[end:])


def _pattern_of(slot: str, form: str | None) -> str:
    if slot in _CODE:
        return f"(?P<{slot}>{SPAN})"
    if slot == "holds":
        return "(?P<holds>true|false)"
    if form == "pass":
        return r"(?P<number>\d{1,9}) pass(?:es)?"
    if form is None:
        return rf"(?P<{slot}>\d{{1,9}})"
    item = f"{SPAN}{re.escape(_LINKS[form])}{SPAN}"
    return f"(?P<{slot}>{item}(?:{_JOINS[form]}{item})*)"
