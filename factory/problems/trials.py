"""Hidden tests of a problem: the program passes all of them, and each mutant fails one.

The inputs that a build selected come first; then inputs near them are tried, first a few, then
many, until no mutant is left alive or there are no more. All runs of a program and its mutants
share a few processes (:meth:`tracer.runner.Runner.run_many`); of a program whose runs may not share
one, fewer are made.

Source: own.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from factory.errors import InfrastructureError
from factory.inputs import mutate_calls
from factory.problems.edges import edge_calls
from factory.problems.mutants import Mutant, make_mutants
from factory.training_records import Problems
from tracer.isolation import keeps_to_itself
from tracer.records import Call, Outcome, Program
from tracer.runner import Runner
from tracer.values import NotFaithful, is_faithful, parse

MAX_TRIES = 3
CPU_S = 1.0
"""Most processor seconds of a call of a mutant."""
ALONE = {"tests": 4, "inputs": 8, "mutants": 4}
"""Most of each for a program of which every run needs a process of its own."""
BATCH = 12
"""Inputs that are tried at a time on mutants that are still alive."""
MAX_TEST_CHARS = 600
"""Longest call or result of a test, in characters."""


@dataclass(frozen=True, slots=True)
class Case:
    """A call with its result, both as text."""

    args: str
    value: str


@dataclass(frozen=True, slots=True)
class Trials:
    """Examples that are shown, tests that are not, and what the tests are worth."""

    examples: tuple[Case, ...]
    tests: tuple[Case, ...]
    mutants: int
    killed: int


def find_trials(
    program: Program,
    cases: Sequence[Case],
    lines: frozenset[int],
    plan: Problems,
    runner: Runner,
    seed: str,
) -> Trials | str:
    """Examples and tests for a program, or why there are none, as a slug.

    Args:
        program: The reference.
        cases: The executed inputs of the build.
        lines: Lines of the program that they execute, which mutants may change.
        plan: How many of everything.
        runner: Runs programs.
        seed: Decides further inputs and mutants.

    Raises:
        InfrastructureError: The sandbox failed :data:`MAX_TRIES` times.
    """
    if not keeps_to_itself(program.source):
        plan = replace(plan, **{key: min(getattr(plan, key), n) for key, n in ALONE.items()})
    usable = [case for case in cases if _is_usable(case)]
    examples = sorted(usable, key=lambda c: len(c.args) + len(c.value))[: plan.examples]
    if not examples:
        return "no_example"
    shown = {case.args for case in examples}
    hidden = [case for case in usable if case.args not in shown]
    tree, rng = ast.parse(program.source), random.Random(seed)
    search = _Search(program, tree, [case.args for case in cases], runner, seed, rng)
    reserve = search.first(plan.inputs)
    lacking = max(0, plan.tests - len(hidden))
    tests, reserve = [*hidden[: plan.tests], *reserve[:lacking]], reserve[lacking:]
    if not tests:
        return "no_test"
    if len({case.value for case in (*tests, *examples)}) == 1:
        return "one_result"
    alive = make_mutants(tree, lines, plan.mutants, rng)
    made = len(alive)
    alive, _ = _survivors(alive, tests, program, runner)
    alive = _hunt(alive, reserve, tests, program, runner)
    if alive:
        alive = _hunt(alive, search.second(plan.inputs), tests, program, runner)
    return Trials(tuple(examples), tuple(tests), made, made - len(alive))


def _hunt(
    alive: Sequence[Mutant],
    reserve: Sequence[Case],
    tests: list[Case],
    program: Program,
    runner: Runner,
) -> tuple[Mutant, ...]:
    """The mutants that survive further cases; ``tests`` gets those that others fail."""
    for start in range(0, len(reserve), BATCH):
        if not alive:
            break
        alive, killers = _survivors(alive, reserve[start : start + BATCH], program, runner)
        tests += killers
    return tuple(alive)


class _Search:
    """Looks for inputs on which a program returns."""

    def __init__(
        self,
        program: Program,
        tree: ast.Module,
        known: Sequence[str],
        runner: Runner,
        seed: str,
        rng: random.Random,
    ) -> None:
        self._program = program
        self._tree = tree
        self._known = list(known)
        self._runner = runner
        self._seed = seed
        self._rng = rng
        self._seen = set(known)

    def first(self, count: int) -> list[Case]:
        """Cases near the known inputs and at their edges, in turn."""
        return self._cases(self._near(count), self._edges(self._known, count // 2))

    def second(self, count: int) -> list[Case]:
        """More of them, also at the edges of those that were found near."""
        near = self._near(2 * count)
        return self._cases(near[count:], self._edges(near[:8], count))

    def _near(self, count: int) -> list[str]:
        calls = [Call(args) for args in self._known]
        made = mutate_calls(self._program, calls, count, self._seed).calls
        return [call.args for call in made if not call.stdin]

    def _edges(self, around: Sequence[str], count: int) -> list[str]:
        each = max(1, count // len(around)) if around else 0
        return [e for args in around for e in edge_calls(self._tree, args, self._rng, each)]

    def _cases(self, first: Sequence[str], second: Sequence[str]) -> list[Case]:
        """The usable cases of two lists in turn, each only once in a search."""
        both = chain.from_iterable(zip_longest(first, second))
        new = [args for args in dict.fromkeys(both) if args is not None and args not in self._seen]
        self._seen.update(new)
        outcomes = _run([(self._program, Call(args)) for args in new], self._runner)
        found = [
            Case(args, outcome.value)
            for args, outcome in zip(new, outcomes, strict=True)
            if outcome.kind == "returned" and outcome.value is not None
        ]
        return [case for case in found if _is_usable(case)]


def _is_usable(case: Case) -> bool:
    """Whether a test can say it: short, and equal to itself."""
    if len(case.args) > MAX_TEST_CHARS or len(case.value) > MAX_TEST_CHARS:
        return False
    return is_faithful(case.value) and "nan" not in case.value


def _survivors(
    mutants: Sequence[Mutant], cases: Sequence[Case], program: Program, runner: Runner
) -> tuple[tuple[Mutant, ...], list[Case]]:
    """The mutants that no case tells from the program, and the cases that tell others."""
    calls = [
        (replace(program, source=mutant.source), Call(case.args))
        for mutant in mutants
        for case in cases
    ]
    outcomes = iter(_run(calls, runner))
    alive: list[Mutant] = []
    killers: dict[int, Case] = {}
    for mutant in mutants:
        failed = [
            place for place, case in enumerate(cases) if not passes(next(outcomes), case.value)
        ]
        if failed:
            killers[failed[0]] = cases[failed[0]]
        else:
            alive.append(mutant)
    return tuple(alive), [killers[place] for place in sorted(killers)]


def passes(outcome: Outcome, value: str) -> bool:
    """Whether a result is equal to the expected one, as an assert compares them."""
    if outcome.kind != "returned" or outcome.value is None:
        return False
    if outcome.value == value:
        return True
    try:
        return bool(parse(outcome.value) == parse(value))
    except (NotFaithful, RecursionError):
        return False


def _run(calls: Sequence[tuple[Program, Call]], runner: Runner) -> tuple[Outcome, ...]:
    limits = runner.limits
    runner.limits = replace(limits, cpu_s=min(limits.cpu_s, CPU_S))
    try:
        for _ in range(MAX_TRIES):
            outcomes = runner.run_many(calls)
            broken = [each.message for each in outcomes if each.kind == "infrastructure"]
            if not broken:
                return outcomes
    finally:
        runner.limits = limits
    raise InfrastructureError(f"the sandbox failed {MAX_TRIES} times: {broken[0]}")
