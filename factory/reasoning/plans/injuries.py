"""What can be done to a sound plan so that it is wrong, unfounded or incoherent.

Where parts change places the words and the length stay as they are; where sentences are taken away
another injury puts as many in.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from factory.reasoning.checking import Dimension
from factory.reasoning.plans.operands import with_turned_operands
from factory.reasoning.plans.outline import names_in
from factory.reasoning.plans.sentences import Step

Change: TypeAlias = Callable[[list[Step], random.Random, bool], list[Step] | None]
"""The new steps, or ``None`` where it does not apply; the flag asks for the one of two directions
where there are two."""


@dataclass(frozen=True, slots=True)
class PlanInjury:
    """One way to spoil a plan."""

    name: str
    dimension: Dimension
    finds: str
    """What the checker calls it."""
    twin: str
    """The injury that does the opposite to the length and the words; itself where the flag says
    which, or where it does nothing to them."""
    change: Change


def _places(steps: Sequence[Step], *kinds: str) -> list[int]:
    return [place for place, step in enumerate(steps) if step.kind in kinds]


def _pick(steps: Sequence[Step], rng: random.Random, *kinds: str) -> int | None:
    found = _places(steps, *kinds)
    return rng.choice(found) if found else None


def _exchange(steps: list[Step], rng: random.Random, slot: str, *kinds: str) -> list[Step] | None:
    """Two sentences of some kinds exchange what stands in a slot."""
    found = _places(steps, *kinds)
    rng.shuffle(found)
    for place in found:
        text = getattr(steps[place], slot)
        others = [p for p in found if getattr(steps[p], slot) != text]
        if others:
            other = rng.choice(others)
            changed = list(steps)
            changed[place] = replace(steps[place], **{slot: getattr(steps[other], slot)})
            changed[other] = replace(steps[other], **{slot: text})
            return changed
    return None


def operands_of_value(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """Two parts of a value or statement change places."""
    return _turn_operands(steps, rng, "set", "do", "return")


def operands_of_condition(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """Two parts of a condition change places."""
    return _turn_operands(steps, rng, "if", "elif", "while")


def _turn_operands(steps: list[Step], rng: random.Random, *kinds: str) -> list[Step] | None:
    found = _places(steps, *kinds)
    rng.shuffle(found)
    for place in found:
        text = with_turned_operands(steps[place].text, rng)
        if text is not None:
            return [*steps[:place], replace(steps[place], text=text), *steps[place + 1 :]]
    return None


def _writes(step: Step) -> frozenset[str]:
    """Names that a step binds or changes."""
    if step.kind in ("set", "loop"):
        return names_in(step.name)
    try:
        node = ast.parse(step.text).body[0] if step.kind == "do" else None
    except (SyntaxError, ValueError):
        return frozenset()
    if isinstance(node, ast.AugAssign):
        return names_in(ast.unparse(node.target))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return names_in(ast.unparse(node.value.func))
    return frozenset()


def _depend(one: Step, other: Step) -> bool:
    """Whether the order of two steps matters."""
    if "return" in (one.kind, other.kind):
        return True
    written, also = _writes(one), _writes(other)
    return bool(written & (names_in(other.text) | also) or also & (names_in(one.text) | written))


def exchanged_values(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """Two variables are set to one another's values."""
    return _exchange(steps, rng, "text", "set")


def exchanged_results(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """Two examples are said to give one another's results."""
    return _exchange(steps, rng, "text", "check")


def skipped_step(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """A statement is left out."""
    found = _built_upon(steps)
    if not found:
        return None
    place = rng.choice(found)
    return [*steps[:place], *steps[place + 1 :]]


def _built_upon(steps: Sequence[Step]) -> list[int]:
    """The statements that an earlier step matters for.

    Those that are left out and those that come too early are drawn from the same ones, so that
    their words say nothing.
    """
    return [
        place
        for place in _places(steps, "set", "do", "return")
        if any(_depend(steps[place], step) for step in steps[1:place])
    ]


def premature_step(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """A statement comes before it makes sense, and again in its place."""
    found = _built_upon(steps)
    if not found:
        return None
    place = rng.choice(found)
    early = [
        before
        for before in range(1, place)
        if any(_depend(steps[place], step) for step in steps[before:place])
    ]
    before = rng.choice(early)
    moved = replace(steps[place], depth=steps[before].depth)
    return [*steps[:before], moved, *steps[before:]]


def beside_the_point(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """Variables are said to be there for one another's uses."""
    return _exchange(steps, rng, "text", "need")


def swapped(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """Two neighbouring statements change places."""
    kinds = ("set", "do", "return")
    found = [
        place
        for place in range(len(steps) - 1)
        if steps[place].kind in kinds
        and steps[place + 1].kind in kinds
        and steps[place].depth == steps[place + 1].depth
        and _depend(steps[place], steps[place + 1])
    ]
    if not found:
        return None
    place = rng.choice(found)
    return [*steps[:place], steps[place + 1], steps[place], *steps[place + 2 :]]


def displaced(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """A statement is told far from where it belongs."""
    place = _pick(steps, rng, "set", "do", "return")
    if place is None:
        return None
    rest = [*steps[:place], *steps[place + 1 :]]
    last = max(_places(rest, "set", "do", "return", "end"), default=0)
    goals = [goal for goal in range(1, last + 1) if abs(goal - place) > 1]
    if not goals:
        return None
    goal = rng.choice(goals)
    if not any(_depend(steps[place], s) for s in rest[min(goal, place) : max(goal, place)]):
        return None
    rest.insert(goal, replace(steps[place], depth=rest[goal].depth))
    return rest


def contradiction(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """What is said of an example is not what comes of it."""
    return _exchange(steps, rng, "text", "state")


def misnested(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """A statement stands in a block that it is not part of, or outside of its own."""
    found = [
        place
        for place in _places(steps, "set", "do", "return")
        if place > 1 and (steps[place].depth > 0) >= (not flag)
    ]
    if not found:
        return None
    place = rng.choice(found)
    step = steps[place]
    moved = replace(step, depth=step.depth + (1 if flag else -1))
    return [*steps[:place], moved, *steps[place + 1 :]]


def unannounced(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """The reader is not told what a block of statements is under."""
    return _without(steps, rng, "loop", "while", "if", "elif")


def stray(steps: list[Step], rng: random.Random, flag: bool) -> list[Step] | None:
    """A block is begun once more, where none begins."""
    place = _pick(steps, rng, "loop", "while", "if", "elif")
    if place is None:
        return None
    last = max(_places(steps, "set", "do", "return", "end"), default=0)
    goals = [goal for goal in range(1, last + 1) if goal not in (place, place + 1)]
    if not goals:
        return None
    goal = rng.choice(goals)
    return [*steps[:goal], replace(steps[place], depth=steps[goal].depth), *steps[goal:]]


def _without(steps: list[Step], rng: random.Random, *kinds: str) -> list[Step] | None:
    place = _pick(steps, rng, *kinds)
    return None if place is None else [*steps[:place], *steps[place + 1 :]]


def _own(name: str, dimension: Dimension, finds: str, change: Change) -> PlanInjury:
    return PlanInjury(name, dimension, finds, name, change)


INJURIES: tuple[PlanInjury, ...] = (
    _own("operands_of_value", "factual", "wrong", operands_of_value),
    _own("operands_of_condition", "factual", "wrong", operands_of_condition),
    _own("exchanged_values", "factual", "wrong", exchanged_values),
    _own("exchanged_results", "factual", "wrong", exchanged_results),
    PlanInjury("skipped_step", "rigor", "skipped", "premature_step", skipped_step),
    PlanInjury("premature_step", "rigor", "premature", "skipped_step", premature_step),
    _own("beside_the_point", "rigor", "beside_the_point", beside_the_point),
    _own("swapped", "coherence", "displaced", swapped),
    _own("displaced", "coherence", "displaced", displaced),
    _own("contradiction", "coherence", "contradiction", contradiction),
    _own("misnested", "coherence", "misnested", misnested),
    PlanInjury("unannounced", "coherence", "unannounced", "stray", unannounced),
    PlanInjury("stray", "coherence", "stray", "unannounced", stray),
)
BY_NAME = {injury.name: injury for injury in INJURIES}
