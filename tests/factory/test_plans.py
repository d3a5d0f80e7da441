"""Reasoning that precedes code: plans, the checker that reads only their text, and pairs."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.reasoning.checking import DIMENSIONS
from factory.reasoning.claims import can_be_written
from factory.reasoning.lengths import PairLengths, count_tokens
from factory.reasoning.pairs import PAIR_KINDS
from factory.reasoning.plans.checking import check_plan
from factory.reasoning.plans.injuries import BY_NAME, INJURIES
from factory.reasoning.plans.outline import Plan, plan_of
from factory.reasoning.plans.pairs import make_plan_pairs
from factory.reasoning.plans.sentences import WORDINGS, Step, read_step, write_step
from factory.reasoning.plans.telling import plan_text, tell_plan
from factory.reasoning.plans.weaknesses import BY_NAME as WEAKNESS
from factory.reasoning.plans.weaknesses import WEAKNESSES
from tracer import Call, Program, Runner

SOURCE = """\
def share(total, parts):
    return total // max(parts, 1)


def f(prices, limit):
    kept = []
    total = 0
    for price in prices:
        if price > limit:
            kept.append(price)
            total = total + price * 2
        elif price - limit < 3:
            total -= share(price, limit)
        if limit - total > price:
            limit = limit - 1
    rest = len(prices) - len(kept)
    mean = total // (rest + 1)
    return (total - mean, rest)
"""
CALLS = ("[5, 9, 2], 4", "[1, 3], 2")


@pytest.fixture(scope="module")
def plan() -> Plan:
    with Runner() as runner:
        traces = [runner.run(Program(SOURCE, "f"), Call(args)) for args in CALLS]
    found = plan_of(SOURCE, "f", traces)
    assert found is not None
    return found


def told(plan: Plan, seed: int) -> list[Step]:
    steps = tell_plan(plan, random.Random(seed))
    assert steps is not None
    return steps


def test_what_needs_a_variable_is_named_as_code_has_it() -> None:
    source = "def f(n):\n    k = n\n    while k:\n        if k > 9:\n            k = 9\n"
    plan = plan_of(f"{source}        k -= 1\n    return k\n", "f", ())
    assert plan is not None
    assert plan.needs["k"] == ("while k", "if k > 9", "k -= 1", "return k")


@pytest.mark.parametrize("seed", range(20))
def test_sentences_that_are_moved_stand_as_deep_as_those_around_them(plan: Plan, seed: int) -> None:
    rng = random.Random(seed)
    told = tell_plan(plan, rng)
    assert told is not None
    for name in ("early_check", "repeated"):
        changed = WEAKNESS[name].change(told, rng, False)
        assert changed is not None
        depths = [step.depth for step in changed]
        moved = next(p for p, step in enumerate(changed) if p >= len(told) or step != told[p])
        assert depths[moved] in (depths[moved - 1], depths[moved + 1])


def test_a_plan_holds_what_the_program_does(plan: Plan) -> None:
    shown = [(step.kind, step.depth, step.name or step.call, step.text) for step in plan.steps]
    assert shown[:7] == [
        ("task", 0, "f(prices, limit)", ""),
        ("helper", 0, "share(total, parts)", ""),
        ("return", 1, "", "total // max(parts, 1)"),
        ("body", 0, "f(prices, limit)", ""),
        ("set", 0, "kept", "[]"),
        ("set", 0, "total", "0"),
        ("loop", 0, "price", "prices"),
    ]
    assert ("elif", 1, "", "price - limit < 3") in shown
    assert ("end", 0, "", "prices") in shown
    assert plan.needs["mean"] == ("return (total - mean, rest)",)
    assert "mean" in plan.examples[0].states
    assert plan.examples[0].call == "f([5, 9, 2], 4)"


codes = st.text(min_size=1, max_size=12).filter(lambda text: can_be_written(text) and text.strip())


@st.composite
def steps(draw: st.DrawFn) -> Step:
    kind = draw(st.sampled_from(sorted(WORDINGS)))
    slots = {slot: draw(codes) for slot in ("name", "text", "call") if f"{{{slot}}}" in
             WORDINGS[kind][0]}  # fmt: skip
    return Step(kind, draw(st.integers(0, 5)), wording=draw(st.integers(0, 2)), **slots)


@given(steps())
def test_a_sentence_is_read_as_it_was_meant(step: Step) -> None:
    assert read_step(write_step(step)) == step


def test_a_sentence_of_another_kind_is_no_step() -> None:
    for text in ("Well.", "Set x to 3.", " Otherwise:", ""):
        assert read_step(text) is None


@pytest.mark.parametrize("seed", range(8))
def test_what_is_told_is_clean(plan: Plan, seed: int) -> None:
    report = check_plan(plan_text(told(plan, seed)), plan)
    assert report.findings == ()
    assert report.claims == len(told(plan, seed))


def test_the_checker_knows_another_program(plan: Plan) -> None:
    other = SOURCE.replace("price * 2", "price * 3")
    found = plan_of(other, "f", ())
    assert found is not None
    changed = replace(found, examples=plan.examples)
    assert [f.name for f in check_plan(plan_text(told(plan, 0)), changed).injuries] == ["wrong"]
    assert check_plan(plan_text(told(plan, 0)) + "\nThat is it.", plan).injuries


@pytest.mark.parametrize("name", [injury.name for injury in INJURIES])
def test_every_injury_is_found_by_its_name(plan: Plan, name: str) -> None:
    injury = BY_NAME[name]
    found: Counter[str] = Counter()
    for seed in range(24):
        changed = injury.change(told(plan, seed), random.Random(seed), seed % 2 == 0)
        if changed is not None:
            injuries = check_plan(plan_text(changed), plan).injuries
            assert injuries
            found[" ".join(sorted({f"{f.dimension}:{f.name}" for f in injuries}))] += 1
    assert found[f"{injury.dimension}:{injury.finds}"] > sum(found.values()) / 2, found


@pytest.mark.parametrize("name", [weakness.name for weakness in WEAKNESSES])
def test_a_weakness_is_none_of_the_injuries(plan: Plan, name: str) -> None:
    weakness, applied = WEAKNESS[name], 0
    for seed in range(24):
        weak = weakness.change(told(plan, seed), random.Random(seed), False)
        if weak is not None:
            applied += 1
            report = check_plan(plan_text(weak), plan)
            assert report.injuries == ()
            assert report.weaknesses(weakness.dimension)
    assert applied > 5


@pytest.mark.parametrize("order", list(permutations(WEAKNESS, 2)))
def test_two_weaknesses_together_are_none_of_the_injuries(
    plan: Plan, order: tuple[str, str]
) -> None:
    for seed in range(12):
        steps = told(plan, seed)
        for name in order:
            steps = WEAKNESS[name].change(steps, random.Random(seed), False) or steps
        assert check_plan(plan_text(steps), plan).injuries == ()


def test_what_may_stand_in_any_order_is_no_injury(plan: Plan) -> None:
    turn = BY_NAME["operands_of_value"]
    for seed in range(30):
        steps_ = [Step("set", name="x", text="a + b"), Step("set", name="y", text="max(a, 2)")]
        assert turn.change(steps_, random.Random(seed), False) is None
    swapped = BY_NAME["swapped"]
    free = [Step("set", name="x", text="1"), Step("set", name="y", text="2")]
    assert swapped.change(free, random.Random(0), False) is None


def test_the_registry_is_whole() -> None:
    assert len(INJURIES) >= 12
    for dimension in DIMENSIONS:
        assert sum(injury.dimension == dimension for injury in INJURIES) >= 3
    for registry in (BY_NAME, WEAKNESS):
        for entry in registry.values():
            twin = registry[entry.twin]
            assert (twin.twin, twin.dimension) == (entry.name, entry.dimension)


def test_pairs_are_what_they_say(plan: Plan) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    signs: Counter[tuple[str, str]] = Counter()
    for seed in range(6):
        for kind in PAIR_KINDS:
            for dimension in DIMENSIONS:
                rng = random.Random(f"{seed} {kind} {dimension}")
                for pair in make_plan_pairs(plan, kind, dimension, rng):
                    seen[kind, dimension] += 1
                    good, bad = check_plan(pair.chosen, plan), check_plan(pair.rejected, plan)
                    assert good.injuries == ()
                    assert good.weaknesses(dimension) == ()
                    assert (pair.injury is None) == (kind == "optimised") == (not bad.injuries)
                    assert {f.dimension for f in bad.injuries} <= {dimension}
                    if kind != "degraded":
                        assert bad.weaknesses(dimension)
                    assert pair.claims == good.claims + bad.claims
                    signs[kind, dimension] += (len(pair.chosen) > len(pair.rejected)) - (
                        len(pair.chosen) < len(pair.rejected)
                    )
    assert len(seen) == 9
    assert all(abs(balance) <= 5 for balance in signs.values()), signs


def test_tokens_are_words_digits_and_signs() -> None:
    assert count_tokens("`total_1` is 42.") == 9
    lengths = PairLengths()
    assert lengths.report() == {}
    for number in range(1, 101):
        lengths.add(number, number + number % 2)
    report = lengths.report()
    assert (report["chosen"]["p5"], report["chosen"]["p50"], report["chosen"]["p95"]) == (5, 50, 95)
    assert report["chosen_minus_rejected"] == {"p5": -1, "p25": -1, "p50": -1, "p75": 0, "p95": 0}
