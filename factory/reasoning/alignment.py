"""Lays the claims of a text beside the events of a run so that as much as possible agrees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from factory.reasoning.claims import Claim
from factory.reasoning.events import Event
from factory.reasoning.telling import Story, claim_of, end_of_passes, summary_of

IsRight: TypeAlias = Callable[[Claim, Claim, Event], bool]
Move: TypeAlias = tuple[Literal["match", "extra", "skip"], int, int, int]
"""What is done, with which claim, from which event, to which event."""
_WRONG = 9
_EXTRA = 10
_POOR = 1
"""Costs of a match that is wrong, of a claim without an event, of a match that could be better."""


def align(claims: Sequence[Claim], story: Story, is_right: IsRight) -> list[Move]:
    """The cheapest way to lay claims beside events, as moves in order.

    Args:
        claims: Those of a text, in order, without what recalls a state.
        story: The run.
        is_right: Whether a claim, beside the whole claim about an event and the event, says
            nothing wrong, though perhaps too little or too much.
    """
    events = story.events
    rows, columns = len(claims), len(events)
    whole = [claim_of(event, story) for event in events]
    same = _same_beginning(claims, whole)
    skips = [_skip_cost(event) for event in events]
    places: dict[tuple[str, int, str], list[int]] = {}
    for j in range(same, columns):
        places.setdefault(_topic(whole[j]), []).append(j)
    # best[i][j]: cost of laying claims[i:] beside events[j:]; only j >= same is ever looked at.
    below = [0] * (columns + 1)
    for j in range(columns - 1, same - 1, -1):
        below[j] = skips[j] + below[j + 1]
    best, landings = {rows: below}, dict[int, dict[int, tuple[int, int]]]()
    for i in range(rows - 1, same - 1, -1):
        landing = _landings(claims[i], whole, story, places, is_right)
        row = [_EXTRA + cost for cost in below]
        for j in range(columns - 1, same - 1, -1):
            if j in landing:
                cost, end = landing[j]
                row[j] = min(row[j], cost + below[end])
            skipped = skips[j] + row[j + 1]
            if skipped < row[j]:
                row[j] = skipped
        best[i], landings[i], below = row, landing, row
    moves: list[Move] = [("match", i, i, i + 1) for i in range(same)]
    i = j = same
    while i < rows or j < columns:
        cost, end = landings[i].get(j, (0, -1)) if i < rows else (0, -1)
        if end >= 0 and best[i][j] == cost + best[i + 1][end]:
            moves.append(("match", i, j, end))
            i, j = i + 1, end
        elif i < rows and best[i][j] == _EXTRA + best[i + 1][j]:
            moves.append(("extra", i, j, j))
            i += 1
        else:
            moves.append(("skip", i, j, j + 1))
            j += 1
    return moves


def _topic(claim: Claim) -> tuple[str, int, str]:
    """What a claim and the claim about an event share when one is laid beside the other."""
    return claim.kind, claim.line, claim.function


def _landings(
    claim: Claim,
    whole: Sequence[Claim],
    story: Story,
    places: Mapping[tuple[str, int, str], Sequence[int]],
    is_right: IsRight,
) -> dict[int, tuple[int, int]]:
    """By event: the cost of laying a claim beside it, and the event that comes next."""
    events = story.events
    if claim.kind == "summary":
        passes = [
            j
            for topic, found in places.items()
            if topic[:2] == ("pass", claim.line)
            for j in found
            if events[j].number == claim.number
        ]
        ends = {j: end_of_passes(events, j) for j in passes}
        return {
            j: (0 if summary_of(events, j, end) == claim else _WRONG, end)
            for j, end in ends.items()
        }
    costs = {
        j: 0 if claim == whole[j] else _POOR if is_right(claim, whole[j], events[j]) else _WRONG
        for j in places.get(_topic(claim), ())
    }
    return {j: (cost, j + 1) for j, cost in costs.items()}


def _same_beginning(claims: Sequence[Claim], whole: Sequence[Claim]) -> int:
    """How many claims, from the first, are those of the first events.

    No cheaper way leaves one of them out, save a pass that a summary begins with once more.
    """
    summed_up = {(claim.line, claim.number) for claim in claims if claim.kind == "summary"}
    for place, (claim, right) in enumerate(zip(claims, whole, strict=False)):
        begins = claim.kind == "pass" and (claim.line, claim.number) in summed_up
        if begins or claim != right:
            return place
    return min(len(claims), len(whole))


def _skip_cost(event: Event) -> int:
    return 1 if event.kind == "loop_end" else 10
