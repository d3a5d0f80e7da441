"""Hidden tests of a problem: the program passes all of them, and each mutant fails one.

The inputs that a build selected come first; then inputs near them are tried, first a few, then
many, until no mutant is left alive or there are no more. Programs are looked at together: their
runs and those of their mutants share a few processes (:meth:`tracer.runner.Runner.run_many`); of a
program whose runs may not share one, fewer are made.

Source: own.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from typing import TypeAlias

from factory.errors import InfrastructureError
from factory.inputs import mutate_calls
from factory.problems.edges import edge_calls
from factory.problems.mutants import Mutant, make_mutants
from factory.training_records import Problems
from tracer.isolation import keeps_to_itself
from tracer.records import Call, Outcome, Program
from tracer.runner import Runner
from tracer.sharing import Calls
from tracer.values import NotFaithful, is_faithful, parse

MAX_TRIES = 3
CPU_S = 1.0
"""Most processor seconds of a call of a mutant."""
ALONE = {"tests": 4, "inputs": 8, "mutants": 4}
"""Most of each for a program of which every run needs a process of its own."""
BATCH, GROWTH = 12, 4
"""Inputs that are tried first on mutants which the tests let live; so many times as many next."""
FEW = 8
"""Inputs near the known ones that are looked for at first."""
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


Search: TypeAlias = Generator[Calls, Sequence[Outcome], Trials | str]


def find_trials(
    program: Program,
    cases: Sequence[Case],
    lines: frozenset[int],
    plan: Problems,
    runner: Runner,
    seed: str,
) -> Trials | str:
    """What a single :func:`search_trials` finds.

    Raises:
        InfrastructureError: The sandbox failed :data:`MAX_TRIES` times.
    """
    (found,) = run_together([search_trials(program, cases, lines, plan, seed)], runner)
    return found


def run_together(searches: Sequence[Search], runner: Runner) -> tuple[Trials | str, ...]:
    """What searches find, each as if it were alone; what they ask for at a time is run together.

    Raises:
        InfrastructureError: The sandbox failed :data:`MAX_TRIES` times.
    """
    found: dict[int, Trials | str] = {}
    outcomes: dict[int, Sequence[Outcome]] = {}
    while len(found) < len(searches):
        wanted: dict[int, Calls] = {}
        for place, search in enumerate(searches):
            if place not in found:
                try:
                    known = outcomes.get(place)
                    wanted[place] = next(search) if known is None else search.send(known)
                except StopIteration as ended:
                    found[place] = ended.value
        results = iter(_run([*chain.from_iterable(wanted.values())], runner))
        outcomes = {place: [*islice(results, len(calls))] for place, calls in wanted.items()}
    return tuple(found[place] for place in range(len(searches)))


def search_trials(
    program: Program, cases: Sequence[Case], lines: frozenset[int], plan: Problems, seed: str
) -> Search:
    """Look for examples and tests for a program: yields calls, and is sent their outcomes.

    Args:
        program: The reference.
        cases: The executed inputs of the build.
        lines: Lines of the program that they execute, which mutants may change.
        plan: How many of everything.
        seed: Decides further inputs and mutants.

    Returns:
        Examples and tests, or why there are none, as a slug.
    """
    if not keeps_to_itself(program.source):
        plan = replace(plan, **{key: min(getattr(plan, key), n) for key, n in ALONE.items()})
    usable = [case for case in cases if _is_usable(case)]
    examples = sorted(usable, key=lambda c: len(c.args) + len(c.value))[: plan.examples]
    if not examples:
        return "no_example"
    shown = {case.args for case in examples}
    tests = [case for case in usable if case.args not in shown][: plan.tests]
    tree, rng = ast.parse(program.source), random.Random(seed)
    around = _Around(program, tree, [case.args for case in cases], seed, rng)
    inputs = around.first(plan.inputs)
    lacking, found = max(0, plan.tests - len(tests)), list[Case]()
    while len(found) < lacking and (new := [*islice(inputs, 2 * (lacking - len(found)))]):
        more = _cases(new, (yield [(program, Call(args)) for args in new]))
        found += [case for case in more if case is not None]
    tests += found[:lacking]
    inputs = chain([case.args for case in found[lacking:]], inputs)
    if not tests:
        return "no_test"
    if len({case.value for case in (*tests, *examples)}) == 1:
        return "one_result"
    alive: Sequence[Mutant] = make_mutants(tree, lines, plan.mutants, rng)
    made = len(alive)
    for part in (tests[:1], tests[1:4], tests[4:]):
        calls = [(mutant.of(program), Call(case.args)) for mutant in alive for case in part]
        alive, _ = _split(alive, part, (yield calls))
    alive = yield from _hunt(alive, inputs, tests, program)
    if alive:
        alive = yield from _hunt(alive, around.second(plan.inputs), tests, program)
    return Trials(tuple(examples), tuple(tests), made, made - len(alive))


def _hunt(
    alive: Sequence[Mutant], inputs: Iterator[str], tests: list[Case], program: Program
) -> Generator[Calls, Sequence[Outcome], Sequence[Mutant]]:
    """The mutants that survive further inputs; ``tests`` gets those that others fail."""
    count = BATCH
    while alive and (new := [*islice(inputs, count)]):
        programs = [program, *(mutant.of(program) for mutant in alive)]
        outcomes = yield [(each, Call(args)) for each in programs for args in new]
        alive, killers = _split(alive, _cases(new, outcomes[: len(new)]), outcomes[len(new) :])
        tests += killers
        count *= GROWTH
    return alive


def _cases(inputs: Sequence[str], outcomes: Sequence[Outcome]) -> list[Case | None]:
    """The case of each input on which a program gave a result that a test can use."""
    found = [
        None if outcome.kind != "returned" or outcome.value is None else Case(args, outcome.value)
        for args, outcome in zip(inputs, outcomes, strict=True)
    ]
    return [None if case is None or not _is_usable(case) else case for case in found]


def _split(
    mutants: Sequence[Mutant], cases: Sequence[Case | None], outcomes: Sequence[Outcome]
) -> tuple[list[Mutant], list[Case]]:
    """The mutants that no case tells from the program, and the first cases that tell others."""
    alive: list[Mutant] = []
    killers: dict[int, Case] = {}
    given = iter(outcomes)
    for mutant in mutants:
        for place, (case, outcome) in enumerate(
            zip(cases, [*islice(given, len(cases))], strict=True)
        ):
            if case is not None and not passes(outcome, case.value):
                killers[place] = case
                break
        else:
            alive.append(mutant)
    return alive, [killers[place] for place in sorted(killers)]


class _Around:
    """Arguments around those that are known, each text only once."""

    def __init__(
        self,
        program: Program,
        tree: ast.Module,
        known: Sequence[str],
        seed: str,
        rng: random.Random,
    ) -> None:
        self._program = program
        self._tree = tree
        self._known = list(known)
        self._seed = seed
        self._rng = rng
        self._seen = set(known)

    def first(self, count: int) -> Iterator[str]:
        """Arguments near the known ones and at their edges, in turn."""
        return self._unseen(count, 0, self._edges(self._known, count // 2))

    def second(self, count: int) -> Iterator[str]:
        """More of them, also at the edges of those that were found near."""
        edges = self._edges(self._near(2 * count)[:8], count)
        return self._unseen(2 * count, count, edges)

    def _unseen(self, count: int, start: int, edges: Sequence[str]) -> Iterator[str]:
        """``count`` near ones from the place ``start`` on, in turn with those at edges.

        Few are looked for to begin with, since often no more are needed.
        """
        few = self._near(min(count, start + FEW))[start:]
        yield from self._new(few, edges[: len(few)])
        yield from self._new(self._near(count)[start + len(few) :], edges[len(few) :])

    def _new(self, first: Sequence[str], second: Sequence[str]) -> Iterator[str]:
        for args in chain.from_iterable(zip_longest(first, second)):
            if args is not None and args not in self._seen:
                self._seen.add(args)
                yield args

    def _near(self, count: int) -> list[str]:
        calls = [Call(args) for args in self._known]
        made = mutate_calls(self._program, calls, count, self._seed).calls
        return [call.args for call in made if not call.stdin]

    def _edges(self, around: Sequence[str], count: int) -> list[str]:
        each = max(1, count // len(around)) if around else 0
        return [e for args in around for e in edge_calls(self._tree, args, self._rng, each)]


def _is_usable(case: Case) -> bool:
    """Whether a test can say it: short, and equal to itself."""
    if len(case.args) > MAX_TEST_CHARS or len(case.value) > MAX_TEST_CHARS:
        return False
    return is_faithful(case.value) and "nan" not in case.value


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
