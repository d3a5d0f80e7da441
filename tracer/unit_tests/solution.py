"""The solution's process as the parent sees it: its answers are claims, and are checked."""

from __future__ import annotations

from typing import Any

from tracer.sandbox import Zygote
from tracer.unit_tests.dialogue import Dialogue, Ended
from tracer.unit_tests.records import TestLimits
from tracer.values import NotFaithful, parse

MAX_PARSED = 1_000_000
"""Longest text of a value that is parsed here, in characters."""
_MAX_TEXT = 1000


class NotLoaded(Exception):
    """The solution's code can't be run or lacks the entry point."""


class Solution:
    """A process that holds the model's code; use it in ``with``.

    Args:
        zygote: whose harness is :mod:`tracer.inside.serving`.
        limits: of the completion.
        code: what the model wrote.
        entry_point: name of the function that is called.

    Raises:
        Ended: the sandbox failed, or the code ended its process.
        NotLoaded: the code raised, or defines no such function.
    """

    def __init__(self, zygote: Zygote, limits: TestLimits, code: str, entry_point: str) -> None:
        self._dialogue = Dialogue(zygote, limits)
        try:
            answer = self._dialogue.ask({"code": code, "entry_point": entry_point})
            if "raised" in answer:
                raise NotLoaded(f"the code itself raised {_say(answer)}")
            if "missing" in answer:
                raise NotLoaded(f"the code defines no function {entry_point}")
        except BaseException:
            self._dialogue.close()
            raise

    def __enter__(self) -> Solution:
        return self

    def __exit__(self, *_: object) -> None:
        self._dialogue.close()

    def begin(self) -> None:
        """Start the limits of a new test."""
        self._dialogue.begin()

    def ask(self, order: dict[str, Any], parsed: bool = True) -> dict[str, Any]:
        """Pass a call on; return the checked answer, with nothing in it but known keys.

        Args:
            order: the call.
            parsed: whether each text in the answer must parse as plain data of moderate length;
                what does not is then an opaque object.

        Raises:
            Ended: there is no answer, or it is nonsense.
        """
        answer = self._dialogue.ask(order)
        try:
            return _checked(answer, parsed, is_step="next" in order)
        except (KeyError, TypeError, ValueError):
            self._dialogue.close()
            raise Ended("crashed", "it sent something that is no answer") from None


def _checked(answer: dict[str, Any], parsed: bool, is_step: bool) -> dict[str, Any]:
    if "raised" in answer:
        checked: dict[str, Any] = {
            name: _text(answer[name])[:_MAX_TEXT] for name in ("raised", "base", "message")
        }
    elif "value" in answer:
        checked = _checked_value(answer, parsed)
    elif "handle" in answer:
        if answer["kind"] not in ("function", "iterator"):
            raise ValueError("an unknown kind")
        checked = {"handle": int(answer["handle"]), "kind": answer["kind"]}
    elif "end" in answer and is_step:
        checked = {"end": True}
    else:
        checked = {"opaque": _text(answer["opaque"])[:_MAX_TEXT]}
        if "truth" in answer:
            checked["truth"] = answer["truth"] is True
    changed = []
    for place, text in answer.get("changed", []):
        if type(place) not in (int, str):
            raise TypeError("no place")
        if parsed:
            if not _is_plain(_text(text)):
                raise ValueError("an argument became no plain data")
            changed.append([place, text])
    if changed:
        checked["changed"] = changed
    return checked


def _checked_value(answer: dict[str, Any], parsed: bool) -> dict[str, Any]:
    text = _text(answer["value"])
    if parsed and not _is_plain(text):
        return {"opaque": "object"}
    checked = {"value": text}
    if "view" in answer:
        if answer["view"] not in ("keys", "values", "items") or text[:1] != "[":
            raise ValueError("an unknown view")
        checked["view"] = answer["view"]
    return checked


def _is_plain(text: str) -> bool:
    """Whether a text is that of plain data; to find out takes much memory for a long one."""
    if len(text) > MAX_PARSED:
        return False
    try:
        parse(text)
    except NotFaithful:
        return False
    return True


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError("no text")
    return value


def _say(answer: dict[str, Any]) -> str:
    message = str(answer.get("message", ""))[:_MAX_TEXT]
    return f"{answer['raised']}: {message}" if message else str(answer["raised"])
