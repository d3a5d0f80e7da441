"""Chooses what of a run is told: every event, or the later passes of a loop in one sentence."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from factory.reasoning.claims import Claim, ClaimKind, can_be_written, write
from factory.reasoning.events import Bindings, Event, events_of
from tracer.records import Trace

MAX_CLAIMS = 60
"""Longest rationale, in sentences; a run that needs more is not told."""
MAX_EVENTS = 400
"""Longest run that is told; checking takes time in proportion to sentences times events."""
MAX_VALUE_CHARS = 160
WORDINGS_DRAWN = 6
"""A multiple of the numbers of wordings that kinds have, so that each is drawn equally often."""
GROUND_SHARE = 0.3
"""How often the ground for a decision is a sentence of its own."""
NOW_SHARE = 0.08
"""How often the state is recalled between two events."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A claim and the variables as they are at its moment, in the activation that it is about."""

    claim: Claim
    state: Bindings


@dataclass(frozen=True, slots=True)
class Story:
    """A run as it can be told."""

    trace: Trace
    call: str
    events: tuple[Event, ...]
    sought: bool = False
    """Whether the call is what was asked for, and is told as one that is tried."""


def story_of(trace: Trace) -> Story | None:
    """What can be told of a run; ``None`` when it holds something that has no sentence."""
    call = f"{trace.program.entry_point}({trace.args})"
    if not can_be_written(call) or len(call) > MAX_VALUE_CHARS:
        return None
    events = events_of(trace)
    if events is None or len(events) > MAX_EVENTS or not all(map(_is_writable, events)):
        return None
    return Story(trace, call, events)


def with_answer(story: Story, answer: str) -> Story | None:
    """The run with the answer to a question about it, which is told last.

    Returns:
        ``None`` when the answer cannot stand in a sentence.
    """
    last = story.events[-1]
    event = Event("answer", last.step, 0, 0, value=answer, state=last.state)
    return replace(story, events=(*story.events, event)) if _is_writable(event) else None


def _is_writable(event: Event) -> bool:
    texts = [text for pair in (*event.bindings, *event.reasons, *event.state) for text in pair]
    texts += [text for text in (event.condition, event.function, event.value) if text]
    return all(can_be_written(text) and len(text) <= MAX_VALUE_CHARS for text in texts)


def claim_of(event: Event, story: Story) -> Claim:
    """The claim that tells an event whole."""
    if event.kind == "return" and event.activation == 0:
        kind: ClaimKind = "found" if story.sought else "result"
        return Claim(kind, call=story.call, value=event.value)
    if event.kind == "start":
        kind = "try" if story.sought else "start"
        return Claim(kind, call=story.call, bindings=event.bindings)
    return Claim(
        event.kind,
        line=event.line,
        bindings=event.bindings,
        reasons=event.reasons,
        condition=event.condition,
        holds=event.holds,
        number=event.number,
        function=event.function,
        value=event.value,
    )


def summary_of(events: Sequence[Event], first: int, last: int) -> Claim:
    """The claim that sums up the passes of a loop from ``events[first]`` to ``events[last - 1]``.

    ``events[first]`` begins a pass; ``events[last]`` is the first event after the last of them.
    """
    header = events[first]
    own = [e for e in events[first:last] if e.activation == header.activation]
    passes = [e for e in own if e.kind == "pass" and e.line == header.line]
    changed = {name for e in own if e.kind in ("effect", "pass") for name, _ in e.bindings}
    state = tuple((n, value) for n, value in last_of(events, first, last).state if n in changed)
    return Claim(
        "summary",
        line=header.line,
        number=header.number,
        upto=passes[-1].number,
        bindings=state,
    )


def last_of(events: Sequence[Event], first: int, last: int) -> Event:
    """The last event before ``events[last]`` that is of the activation of ``events[first]``."""
    own = (e for e in reversed(events[first:last]) if e.activation == events[first].activation)
    return next(own)


def end_of_passes(events: Sequence[Event], first: int) -> int:
    """Index of the first event after the loop that runs at the pass ``events[first]``."""
    header = events[first]
    number = header.number
    for index in range(first + 1, len(events)):
        event = events[index]
        if event.activation != header.activation:
            continue
        if event.line == header.line and event.kind in ("pass", "loop_end"):
            if event.kind == "loop_end" or event.number != number + 1:
                return index
            number += 1
        elif event.kind == "return":
            return index
    return len(events)


def tell(story: Story, rng: random.Random, passes: int) -> list[Sentence] | None:
    """The sentences of a rationale, the call first and its result last.

    Args:
        story: The run.
        rng: Draws the wordings, and where the state is recalled.
        passes: Passes of each loop that are told one by one; later ones are summed up.

    Returns:
        ``None`` when they are more than :data:`MAX_CLAIMS`.
    """
    told: list[Sentence] = []
    events = story.events
    index = 0
    while index < len(events):
        end = _summed_up(events, index, passes)
        if end is not None:
            state = last_of(events, index, end).state
            told.append(Sentence(summary_of(events, index, end), state))
            index = end
        else:
            told.extend(_told(events[index], story, rng))
            index += 1
        state = events[index - 1].state
        ends = index == len(events) or events[index].kind == "answer"
        if 1 < len(told) and not ends and state and rng.random() < NOW_SHARE:
            told.append(Sentence(_now(state, rng), state))
        if len(told) > MAX_CLAIMS:
            return None
    return [
        Sentence(replace(each.claim, wording=rng.randrange(WORDINGS_DRAWN)), each.state)
        for each in told
    ]


def _told(event: Event, story: Story, rng: random.Random) -> list[Sentence]:
    """The sentence of an event; of a decision its ground may be one of its own, before it."""
    claim = claim_of(event, story)
    if event.reasons and rng.random() < GROUND_SHARE:
        ground = Sentence(Claim("now", bindings=event.reasons), event.state)
        return [ground, Sentence(replace(claim, reasons=()), event.state)]
    return [Sentence(claim, event.state)]


def text_of(sentences: Sequence[Sentence]) -> str:
    """The text of a rationale, one sentence a line."""
    return "\n".join(write(each.claim) for each in sentences)


def _summed_up(events: Sequence[Event], index: int, passes: int) -> int | None:
    """Where a summary that begins at an event ends; ``None`` when the event is told itself."""
    event = events[index]
    if event.kind != "pass" or event.number != passes + 1:
        return None
    end = end_of_passes(events, index)
    last = max(
        e.number
        for e in events[index:end]
        if e.kind == "pass" and e.line == event.line and e.activation == event.activation
    )
    leaves = end == len(events) or events[end].kind != "loop_end"
    return None if last < passes + 2 or leaves else end


def _now(state: Bindings, rng: random.Random) -> Claim:
    chosen = sorted(rng.sample(state, min(len(state), rng.choice((1, 1, 2)))))
    return Claim("now", bindings=tuple(chosen))
