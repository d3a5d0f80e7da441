"""Holds a rationale against the run that it is about.

Only the text is read. Its claims are laid beside the events of the run so that as much as possible
agrees, in order; what is left over on either side is a finding. An *injury* makes a rationale
wrong, unfounded or incoherent; a *weakness* leaves it right and makes it worse.

Source: the dimensions are those of ReCode (https://arxiv.org/abs/2508.05170): factual accuracy,
logical rigor, logical coherence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from factory.reasoning.alignment import Move, align
from factory.reasoning.claims import Claim, read
from factory.reasoning.events import Bindings, Event
from factory.reasoning.telling import Story, claim_of, last_of, summary_of

Dimension: TypeAlias = Literal["factual", "rigor", "coherence"]
DIMENSIONS: tuple[Dimension, ...] = ("factual", "rigor", "coherence")


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a rationale."""

    dimension: Dimension
    name: str
    """What is wrong, as a slug: ``wrong``, ``skipped``, ``displaced``, …"""
    sentence: int | None
    """Number of the sentence from 0; ``None`` for something that is not said."""
    injury: bool
    """Whether it makes the rationale wrong; a weakness does not."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found out about a rationale."""

    claims: int
    """Claims that were checked."""
    findings: tuple[Finding, ...]

    @property
    def injuries(self) -> tuple[Finding, ...]:
        """The findings that make it wrong."""
        return tuple(f for f in self.findings if f.injury)

    def weaknesses(self, dimension: Dimension) -> tuple[Finding, ...]:
        """The findings of one dimension that only make it worse."""
        return tuple(f for f in self.findings if not f.injury and f.dimension == dimension)


def check(text: str, story: Story) -> Report:
    """Check every sentence of a rationale, and that none is missing.

    A sentence that makes no claim which can be read is an injury to coherence: it belongs to no
    part of the run.
    """
    sentences = read(text)
    findings: list[Finding] = []
    told = [
        (place, claim)
        for place, claim in enumerate(sentences)
        if isinstance(claim, Claim) and claim.kind != "now"
    ]
    path = align([claim for _, claim in told], story, lambda *each: not _wrongs(*each))
    _judge_path(path, sentences, told, story, findings)
    _judge_states(sentences, told, path, story, findings)
    findings.extend(
        Finding("coherence", "unreadable", place, injury=True)
        for place, sentence in enumerate(sentences)
        if isinstance(sentence, str)
    )
    findings.sort(key=lambda f: (len(sentences) if f.sentence is None else f.sentence, f.name))
    return Report(sum(isinstance(s, Claim) for s in sentences), tuple(findings))


_OPENINGS = ("start", "try", "pass", "call")
"""Claims that something begins."""


def _wrongs(claim: Claim, right: Claim, event: Event) -> list[tuple[Dimension, str]]:
    """What makes a claim about an event wrong; none if it is only worse than it could be."""
    found: list[tuple[Dimension, str]] = []
    state = dict(event.state)
    if (claim.number, claim.holds, claim.value, claim.call, claim.condition) != (
        right.number,
        right.holds,
        right.value,
        right.call,
        right.condition,
    ):
        found.append(("factual", "wrong"))
    elif any(dict(right.bindings).get(n, state.get(n)) != v for n, v in claim.bindings):
        found.append(("factual", "wrong"))
    elif any(state.get(name) != value for name, value in claim.reasons):
        found.append(("factual", "wrong"))
    named = {name for name, _ in claim.reasons}
    if right.reasons and named and not named & {name for name, _ in right.reasons}:
        found.append(("rigor", "beside_the_point"))
    return found


def _poors(claim: Claim, right: Claim) -> list[tuple[Dimension, str]]:
    """What a claim that is right says too little or too much."""
    found: list[tuple[Dimension, str]] = []
    for dimension, said, wanted in (
        ("factual", claim.bindings, right.bindings),
        ("rigor", claim.reasons, right.reasons),
    ):
        names, needed = {n for n, _ in said}, {n for n, _ in wanted}
        if needed - names and (names or dimension == "factual"):
            found.append((_dimension(dimension), "incomplete"))
        if names - needed and (names & needed or not needed):
            found.append((_dimension(dimension), "superfluous"))
    return found


@cache
def _dimension(name: str) -> Dimension:
    return next(dimension for dimension in DIMENSIONS if dimension == name)


def _is_grounded(claim: Claim, event: Event, before: Claim | str) -> bool:
    """Whether a condition's turning out is justified: in its sentence, or in the one before."""
    if claim.kind != "decision" or claim.reasons or not event.reasons:
        return True
    recalled = dict(before.bindings) if isinstance(before, Claim) and before.kind == "now" else {}
    return any(name in recalled for name, _ in event.reasons)


def _judge_path(
    path: Sequence[Move],
    sentences: Sequence[Claim | str],
    told: Sequence[tuple[int, Claim]],
    story: Story,
    findings: list[Finding],
) -> None:
    skipped: dict[int, Event] = {}
    extra: list[tuple[int, int]] = []
    matched: dict[int, tuple[int, Claim]] = {}
    for what, i, j, end in path:
        if what == "skip":
            skipped[j] = story.events[j]
        elif what == "extra":
            extra.append((i, j))
        else:
            place, claim = told[i]
            matched.update(dict.fromkeys(range(j, end), (place, claim)))
            findings.extend(_judge_match(place, claim, j, end, story))
            if not _is_grounded(claim, story.events[j], sentences[place - 1] if place else ""):
                findings.append(Finding("rigor", "unjustified", place, injury=False))
    for i, j in extra:
        place, claim = told[i]
        findings.append(_judge_extra(place, claim, j, skipped, matched, story))
    for event in skipped.values():
        if event.kind == "loop_end":
            findings.append(Finding("coherence", "open_end", None, injury=False))
        elif event.kind in ("start", "pass", "call"):
            findings.append(Finding("coherence", "unannounced", None, injury=True))
        else:
            findings.append(Finding("rigor", "skipped", None, injury=True))


def _judge_match(place: int, claim: Claim, j: int, end: int, story: Story) -> list[Finding]:
    event = story.events[j]
    if claim.kind == "summary":
        right = summary_of(story.events, j, end)
        state = dict(last_of(story.events, j, end).state)
        wrong = claim.upto != right.upto or any(state.get(n) != v for n, v in claim.bindings)
        wrongs: list[tuple[Dimension, str]] = [("factual", "wrong")] if wrong else []
    else:
        right = claim_of(event, story)
        wrongs = _wrongs(claim, right, event)
    return [
        *(Finding(dimension, name, place, injury=True) for dimension, name in wrongs),
        *(
            Finding(dimension, name, place, injury=False)
            for dimension, name in _poors(claim, right)
        ),
    ]


def _judge_extra(
    place: int,
    claim: Claim,
    j: int,
    skipped: dict[int, Event],
    matched: dict[int, tuple[int, Claim]],
    story: Story,
) -> Finding:
    """What is wrong with a sentence that stands beside no event.

    ``skipped`` loses the event that it tells in the wrong place, if there is one.
    """
    for index, event in skipped.items():
        if claim_of(event, story) == claim:
            del skipped[index]
            if event.kind == "loop_end":
                matched[index] = (place, claim)
                return Finding("coherence", "late", place, injury=False)
            return Finding("coherence", "displaced", place, injury=True)
    same = [index for index in matched if claim_of(story.events[index], story) == claim]
    if claim.kind == "loop_end" and same:
        return Finding("coherence", "repeated", place, injury=False)
    if any(index >= j for index in same):
        name = "premature" if claim.kind not in _OPENINGS else "stray"
        dimension: Dimension = "coherence" if name == "stray" else "rigor"
        return Finding(dimension, name, place, injury=True)
    if claim.kind in _OPENINGS:
        return Finding("coherence", "stray", place, injury=True)
    return Finding("coherence", "irrelevant", place, injury=True)


def _judge_states(
    sentences: Sequence[Claim | str],
    told: Sequence[tuple[int, Claim]],
    path: Sequence[Move],
    story: Story,
    findings: list[Finding],
) -> None:
    """Check the sentences that recall the state where they stand."""
    after: dict[int, int] = {}
    for what, i, _, end in path:
        if what != "skip":
            after[told[i][0]] = end - 1
    reached = -1
    for place, sentence in enumerate(sentences):
        reached = max(reached, after.get(place, -1))
        if isinstance(sentence, Claim) and sentence.kind == "now":
            state: Bindings = story.events[reached].state if reached >= 0 else ()
            if any(dict(state).get(name) != value for name, value in sentence.bindings):
                findings.append(Finding("coherence", "contradiction", place, injury=True))
