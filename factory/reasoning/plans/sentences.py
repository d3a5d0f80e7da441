"""The sentences of a plan: how steps are worded, and how they are found again.

How deep a step stands in blocks is how far its line is indented.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeAlias

from factory.reasoning.claims import SPAN, code, uncode

StepKind: TypeAlias = Literal[
    "task",
    "helper",
    "body",
    "set",
    "do",
    "loop",
    "while",
    "if",
    "elif",
    "else",
    "block",
    "end",
    "return",
    "need",
    "state",
    "check",
]

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Step:
    """What one sentence of a plan says; slots that its kind has no use for are empty."""

    kind: StepKind
    depth: int = 0
    name: str = ""
    """What is set, or takes the elements of a loop; of ``need`` what is needed."""
    text: str = ""
    """A value, a condition, a statement."""
    call: str = ""
    """The function with its parameters, or an example."""
    wording: int = field(default=0, compare=False)


WORDINGS: dict[StepKind, tuple[str, ...]] = {
    "task": ("The function to write is {call}.", "We have to write {call}.", "Wanted is {call}."),
    "helper": (
        "We give it a helper {call}.",
        "There is to be a helper {call}.",
        "It will use a helper {call}.",
    ),
    "body": (
        "Now for {call} itself.",
        "With that, {call} can be written.",
        "What remains is the body of {call}.",
    ),
    "set": ("Set {name} to {text}.", "Let {name} be {text}.", "{name} becomes {text}."),
    "do": ("Then do {text}.", "Next comes {text}.", "Carry out {text}."),
    "loop": (
        "For each {name} in {text}:",
        "Go through {text}, with {name} for the element:",
        "Loop over {text}, calling each element {name}:",
    ),
    "while": (
        "As long as {text}:",
        "Repeat the following while {text}:",
        "Keep doing this while {text}:",
    ),
    "if": ("If {text}:", "In case {text}:", "When {text} holds:"),
    "elif": ("Or else, if {text}:", "Otherwise, in case {text}:", "If not, but {text} holds:"),
    "else": ("Otherwise:", "In all other cases:", "If not:"),
    "block": ("Within {text}:", "Inside {text}:", "Under {text}:"),
    "end": (
        "That is all of the loop with {text}.",
        "The loop with {text} ends here.",
        "Here the loop with {text} is complete.",
    ),
    "return": ("Return {text}.", "The result is {text}.", "Hand back {text}."),
    "need": (
        "We need {name} for {text}.",
        "{name} is there for {text}.",
        "Later, {text} uses {name}.",
    ),
    "state": (
        "On {call}, {name} is {text} in the end.",
        "With {call}, {name} ends as {text}.",
        "When {call} is done, {name} is {text}.",
    ),
    "check": (
        "On the example {call} this gives {text}.",
        "Tried on {call}, the plan comes to {text}.",
        "For {call} the outcome is {text}.",
    ),
}
_SLOT = re.compile(r"\{(\w+)\}")


def write_step(step: Step) -> str:
    """The line of a step."""
    choices = WORDINGS[step.kind]
    sentence = _SLOT.sub(
        lambda slot: code(getattr(step, slot[1])), choices[step.wording % len(choices)]
    )
    return f"{INDENT * step.depth}{sentence}"


def read_plan(text: str) -> tuple[Step | str, ...]:
    """The steps of a text, line by line; a line that is none stays as it is."""
    return tuple(read_step(line) or line for line in text.splitlines() if line.strip())


def read_step(line: str) -> Step | None:
    """The step that a line tells, if it tells one."""
    sentence = line.lstrip(" ")
    depth, rest = divmod(len(line) - len(sentence), len(INDENT))
    if rest:
        return None
    for kind, wording, pattern in _patterns():
        found = pattern.fullmatch(sentence)
        if found is not None:
            slots = {slot: uncode(span) for slot, span in found.groupdict().items()}
            return Step(kind, depth, wording=wording, **slots)
    return None


@cache
def _patterns() -> tuple[tuple[StepKind, int, re.Pattern[str]], ...]:
    return tuple(
        (kind, number, _pattern(wording))
        for kind, choices in WORDINGS.items()
        for number, wording in enumerate(choices)
    )


def _pattern(wording: str) -> re.Pattern[str]:
    pieces = _SLOT.split(wording)
    parts = [
        f"(?P<{piece}>{SPAN})" if place % 2 else re.escape(piece)
        for place, piece in enumerate(pieces)
    ]
    return re.compile("".join(parts))
