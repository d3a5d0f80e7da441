"""Lays the claims of a text beside the events of a run so that as much as possible agrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    # best[i][j]: cost of laying claims[i:] beside events[j:], and the move that begins it.
    best: list[list[tuple[int, Move | None]]] = [
        [(0, None)] * (columns + 1) for _ in range(rows + 1)
    ]
    whole = [claim_of(event, story) for event in events]
    same = _same_beginning(claims, whole)
    skip_costs = [_skip_cost(event) for event in events]
    for i in range(rows, same - 1, -1):
        row, below = best[i], best[i + 1] if i < rows else []
        for j in range(columns, same - 1, -1):
            # Of equally cheap moves the first of match, extra and skip.
            cheapest: int | None = None
            move: Move | None = None
            if i < rows:
                if j < columns:
                    landed = _landing(claims[i], whole, story, j, is_right)
                    if landed is not None:
                        cost, end = landed
                        cheapest, move = cost + below[end][0], ("match", i, j, end)
                extra = _EXTRA + below[j][0]
                if cheapest is None or extra < cheapest:
                    cheapest, move = extra, ("extra", i, j, j)
            if j < columns:
                skip = skip_costs[j] + row[j + 1][0]
                if cheapest is None or skip < cheapest:
                    cheapest, move = skip, ("skip", i, j, j + 1)
            if cheapest is not None:
                row[j] = cheapest, move
    moves: list[Move] = [("match", i, i, i + 1) for i in range(same)]
    i = j = same
    while (move := best[i][j][1]) is not None:
        moves.append(move)
        i, j = (i, move[3]) if move[0] == "skip" else (i + 1, move[3])
    return moves


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


def _landing(
    claim: Claim, whole: Sequence[Claim], story: Story, j: int, is_right: IsRight
) -> tuple[int, int] | None:
    """The cost of laying a claim beside ``events[j]``, and the event that comes next."""
    events = story.events
    event = events[j]
    if claim.kind == "summary":
        if event.kind != "pass" or event.line != claim.line or event.number != claim.number:
            return None
        end = end_of_passes(events, j)
        return (0 if summary_of(events, j, end) == claim else _WRONG), end
    right = whole[j]
    if claim.kind != right.kind or claim.line != right.line or claim.function != right.function:
        return None
    if claim == right:
        return 0, j + 1
    return (_POOR if is_right(claim, right, event) else _WRONG), j + 1
