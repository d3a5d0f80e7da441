"""Rationales written from traces, the checker that reads only their text, and pairs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factory.reasoning.checking import DIMENSIONS, check
from factory.reasoning.claims import (
    WITHOUT,
    WORDINGS,
    Claim,
    ClaimKind,
    can_be_written,
    read_sentence,
    write,
)
from factory.reasoning.events import events_of
from factory.reasoning.injuries import BY_NAME, INJURIES
from factory.reasoning.pairs import PAIR_KINDS, Pair, make_pairs
from factory.reasoning.shortcuts import MIN_PAIRS, Sides, measure_shortcuts
from factory.reasoning.telling import Sentence, Story, story_of, tell, text_of
from factory.reasoning.weaknesses import BY_NAME as WEAKNESS
from factory.reasoning.weaknesses import WEAKNESSES
from tracer import Call, Program, Runner

PROGRAM = """\
def double(a):
    b = a * 2
    return b


def f(prices, limit):
    total = 0
    for place, price in enumerate(prices):
        for k in range(3):
            if price > limit and k == 1:
                break
        if price % 2:
            total += double(price)
        elif price > limit:
            total -= double(double(price))
    while total > limit * 2 + 5:
        total -= 3
    tags = sorted(prices)
    tags.append(total)
    return [total, tags]
"""
CALLS = ("[1, 6, 3], 2", "[9, 4], 3", "[], 1", "[5], 0", "[2, 4, 8], 10")


@pytest.fixture(scope="module")
def stories() -> list[Story]:
    with Runner() as runner:
        traces = [runner.run(Program(PROGRAM, "f"), Call(args)) for args in CALLS]
    found = [story_of(trace) for trace in traces]
    assert all(found)
    return [story for story in found if story is not None]


def told(story: Story, seed: int = 0, passes: int = 2) -> list[Sentence]:
    sentences = tell(story, random.Random(seed), passes)
    assert sentences is not None
    return sentences


# The events of a run.


def test_events_come_when_their_steps_end(stories: list[Story]) -> None:
    found = [(e.kind, e.line, e.number, e.value) for e in stories[3].events]
    assert found == [
        ("start", 7, 0, ""),
        ("effect", 7, 0, ""),
        ("pass", 8, 1, ""),
        ("pass", 9, 1, ""),
        ("decision", 10, 0, ""),
        ("pass", 9, 2, ""),
        ("decision", 10, 0, ""),
        ("decision", 12, 0, ""),
        ("call", 13, 0, ""),
        ("effect", 2, 0, ""),
        ("return", 3, 0, "10"),
        ("effect", 13, 0, ""),
        ("loop_end", 8, 1, ""),
        *[("decision", 16, 0, ""), ("effect", 17, 0, "")] * 2,
        ("decision", 16, 0, ""),
        ("effect", 18, 0, ""),
        ("effect", 19, 0, ""),
        ("return", 20, 0, "[4, [5, 4]]"),
    ]
    decisions = [e for e in stories[3].events if e.kind == "decision" and e.line == 16]
    assert [e.holds for e in decisions] == [True, True, False]
    assert decisions[0].reasons == (("limit", "0"), ("total", "10"))


def test_loops_without_a_pass_are_told_in_words_of_their_own() -> None:
    none, one = Claim("loop_end", line=3, number=0), Claim("loop_end", line=3, number=1)
    assert write(none) == "The loop on line 3 has nothing to go through."
    assert write(one) == "The loop on line 3 is over after 1 pass."
    for wording in range(3):
        for claim in (none, one):
            assert read_sentence(write(replace(claim, wording=wording))) == claim


def test_statements_that_change_nothing_are_told_too() -> None:
    source = (
        "def f(n):\n    seen = {n}\n    for k in range(2):\n        low = n\n        seen.add(n)\n"
        "        a, seen = 1, seen\n        n += 0\n    return low\n"
    )
    with Runner() as runner:
        events = events_of(runner.run(Program(source, "f"), Call("3"))) or ()
    told = [(event.line, event.bindings) for event in events if event.kind == "effect"]
    second = (
        (4, (("low", "3"),)),
        (5, (("seen", "{3}"),)),
        (6, (("a", "1"), ("seen", "{3}"))),
        (7, (("n", "3"),)),
    )
    assert told == [(2, (("seen", "{3}"),)), *second, *second]


@pytest.mark.parametrize(
    "source",
    [
        "def f(n):\n    yield n\n",
        "def f(n):\n    raise ValueError\n",
        "def f(n):\n    try:\n        n /= 0\n    except ZeroDivisionError:\n        pass\n",
        "def f(n):\n    m = n\n    del m\n    return n\n",
        "class A:\n    pass\n\n\ndef f(n):\n    a = A()\n    return n\n",
        "def f(n):\n    g = (x for x in [n])\n    return n\n",
        "def g(n):\n    yield n\n\n\ndef f(n):\n    return sum(g(n))\n",
        "def f(n):\n    for i in range(500):\n        n += i\n    return n\n",
    ],
)
def test_runs_without_words_are_not_told(source: str) -> None:
    with Runner() as runner:
        assert story_of(runner.run(Program(source, "f"), Call("0"))) is None


def test_a_loop_that_is_left_and_comes_again_counts_from_one() -> None:
    source = (
        "def f(n):\n    for i in range(n):\n        for j in range(9):\n            if j == 1:\n"
    )
    source += "                break\n    return n\n"
    with Runner() as runner:
        events = events_of(runner.run(Program(source, "f"), Call("3"))) or ()
    assert [e.number for e in events if e.kind == "pass" and e.line == 3] == [1, 2] * 3


# Sentences.

codes = st.text(min_size=1, max_size=12).filter(lambda text: can_be_written(text) and text.strip())
names = st.from_regex(r"[a-z_]{1,6}", fullmatch=True)
bindings = st.lists(st.tuples(names, codes), max_size=4).map(tuple)
counts = st.integers(1, 999)
FIELDS: dict[str, st.SearchStrategy[object]] = {
    "line": counts,
    "number": counts,
    "upto": counts,
    "bindings": bindings,
    "reasons": bindings,
    "condition": codes,
    "function": names,
    "call": codes,
    "value": codes,
    "holds": st.booleans(),
}


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    kind: ClaimKind = draw(st.sampled_from(sorted(WORDINGS)))
    slots = {name for name in FIELDS if f"{{{name}" in WORDINGS[kind][0]}
    fields = {name: draw(FIELDS[name]) for name in sorted(slots)}
    if kind not in WITHOUT:
        for name in slots & {"bindings", "reasons"}:
            fields[name] = fields[name] or (("a", "1"),)
    return Claim(kind, wording=draw(st.integers(0, 5)), **fields)  # type: ignore[arg-type]


@given(claims())
@settings(max_examples=300)
def test_a_sentence_is_read_as_it_was_meant(claim: Claim) -> None:
    assert read_sentence(write(claim)) == claim


def test_a_sentence_of_another_kind_is_no_claim() -> None:
    for text in ("Well, let us see.", "Line 3 sets total to 4.", "Line x sets `a` to `1`.", ""):
        assert read_sentence(text) is None


# The checker.


@pytest.mark.parametrize("passes", [1, 2, 5])
def test_what_is_told_is_clean(stories: list[Story], passes: int) -> None:
    for seed in range(6):
        for story in stories:
            sentences = tell(story, random.Random(seed), passes)
            if sentences is not None:
                report = check(text_of(sentences), story)
                assert report.findings == ()
                assert report.claims == len(sentences)


def test_the_checker_knows_another_run(stories: list[Story]) -> None:
    text = text_of(told(stories[0]))
    assert check(text, stories[1]).injuries


def test_words_that_claim_nothing_are_found(stories: list[Story]) -> None:
    text = text_of(told(stories[0])) + "\nNow you know."
    assert [f.name for f in check(text, stories[0]).injuries] == ["unreadable"]


def test_equal_beginnings_are_laid_side_by_side_without_a_search(
    stories: list[Story], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reports are those of a search over the whole text."""
    texts = []
    for injury in INJURIES:
        for seed, story in enumerate(stories):
            rng = random.Random(f"{injury.name} {seed}")
            injured = injury.injure(told(story, seed, 1), story, rng, seed % 2 == 0)
            if injured is not None:
                texts.append((text_of(injured), story))
    assert len(texts) > 40
    short = [check(text, story) for text, story in texts]
    monkeypatch.setattr("factory.reasoning.alignment._same_beginning", lambda *_: 0)
    assert [check(text, story) for text, story in texts] == short


@pytest.mark.parametrize("name", [injury.name for injury in INJURIES])
def test_every_injury_is_found_by_its_name(stories: list[Story], name: str) -> None:
    injury = BY_NAME[name]
    found: Counter[str] = Counter()
    for seed in range(12):
        for story in stories:
            rng = random.Random(f"{name} {seed}")
            injured = injury.injure(told(story, seed, 1), story, rng, seed % 2 == 0)
            if injured is not None:
                injuries = check(text_of(injured), story).injuries
                assert injuries
                found[" ".join(f"{f.dimension}:{f.name}" for f in injuries)] += 1
    wanted = f"{injury.dimension}:{injury.finds}"
    assert found[wanted] > sum(found.values()) / 2, found


@pytest.mark.parametrize("order", list(permutations(WEAKNESS, 2)))
def test_two_weaknesses_together_are_none_of_the_injuries(
    stories: list[Story], order: tuple[str, str]
) -> None:
    for seed in range(6):
        for story in stories:
            sentences = told(story, seed, 1)
            for name in order:
                sentences = WEAKNESS[name].weaken(sentences, random.Random(seed)) or sentences
            assert check(text_of(sentences), story).injuries == ()


@pytest.mark.parametrize("name", [weakness.name for weakness in WEAKNESSES])
def test_a_weakness_is_none_of_the_injuries(stories: list[Story], name: str) -> None:
    weakness, applied = WEAKNESS[name], 0
    for seed in range(12):
        for story in stories:
            weak = weakness.weaken(told(story, seed, 1), random.Random(seed))
            if weak is not None:
                applied += 1
                report = check(text_of(weak), story)
                assert report.injuries == ()
                assert report.weaknesses(weakness.dimension)
    assert applied > 5


def test_the_registry_is_whole() -> None:
    assert len(INJURIES) >= 12
    for dimension in DIMENSIONS:
        assert sum(injury.dimension == dimension for injury in INJURIES) >= 3
    for registry in (BY_NAME, WEAKNESS):
        for entry in registry.values():
            twin = registry[entry.twin]
            assert (twin.twin, twin.dimension) == (entry.name, entry.dimension)


# Pairs.


def all_pairs(stories: Sequence[Story], seeds: int) -> list[Pair]:
    return [
        pair
        for seed in range(seeds)
        for kind in PAIR_KINDS
        for dimension in DIMENSIONS
        for pair in make_pairs(
            stories, kind, dimension, random.Random(f"{seed} {kind} {dimension}")
        )
    ]


def test_pairs_are_what_they_say(stories: list[Story]) -> None:
    pairs = all_pairs(stories, 4)
    seen = {(pair.kind, pair.dimension) for pair in pairs}
    assert len(seen) == 9
    for pair in pairs:
        assert pair.chosen != pair.rejected
        whose = [story for story in stories if not check(pair.chosen, story).injuries]
        assert len(whose) == 1
        rejected = check(pair.rejected, whose[0])
        assert (pair.injury is None) == (pair.kind == "optimised")
        assert (pair.weakness is None) == (pair.kind == "degraded")
        assert len(rejected.injuries) == (0 if pair.injury is None else 1)
        if pair.injury is not None:
            assert rejected.injuries[0].dimension == pair.dimension
            assert rejected.injuries[0].name == BY_NAME[pair.injury].finds
        if pair.weakness is not None:
            assert rejected.weaknesses(pair.dimension)
        assert not check(pair.chosen, whose[0]).weaknesses(pair.dimension)
        for word in ("factual", "rigor", "coheren", "injur", "wrong", "skip"):
            assert word not in pair.chosen + pair.rejected


def test_pairs_are_the_same_every_time(stories: list[Story]) -> None:
    assert all_pairs(stories, 1) == all_pairs(stories, 1)


def test_what_is_done_does_not_show_in_the_length(stories: list[Story]) -> None:
    signs: Counter[tuple[str, str]] = Counter()
    for pair in all_pairs(stories, 12):
        signs[pair.kind, pair.dimension] += (len(pair.chosen) > len(pair.rejected)) - (
            len(pair.chosen) < len(pair.rejected)
        )
    assert all(abs(balance) <= 8 for balance in signs.values()), signs


# Classifiers that must fail, and do not where there is something to see.


def sides(chosen: str, rejected: str, number: int) -> list[Sides]:
    return [
        Sides(f"{chosen} {i % 7}", f"{rejected} {i % 7}", "g", held_out=i % 3 == 0)
        for i in range(number)
    ]


def test_a_length_or_a_word_that_tells_is_seen() -> None:
    (report,) = measure_shortcuts(sides("a b c d", "a b c d e", 90))
    assert (report.length, report.words) == (1.0, 1.0)
    (report,) = measure_shortcuts(sides("yes", "noo", 90))
    assert (report.length, report.words) == (0.5, 1.0)


def test_a_coin_is_a_coin() -> None:
    rng = random.Random(1)
    pairs = [
        Sides(f"a {rng.randrange(99)}", f"a {rng.randrange(99)}", "g", i % 2 == 0)
        for i in range(2_000)
    ]
    (report,) = measure_shortcuts(pairs)
    assert report.length is not None
    assert report.words is not None
    assert abs(report.length - 0.5) < 0.06
    assert abs(report.words - 0.5) < 0.06


def test_too_few_pairs_say_nothing() -> None:
    (report,) = measure_shortcuts(sides("a", "b", MIN_PAIRS))
    assert (report.length, report.words) == (None, None)


def test_a_story_remembers_nothing_of_how_it_was_told(stories: list[Story]) -> None:
    story = stories[0]
    assert told(story, 3) == told(replace(story), 3)
