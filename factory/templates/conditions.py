"""Conditions that split what is known of the values they test.

Variables carry samples (seed values, elements of seed lists, loop counters). A condition is chosen
such that some samples satisfy it and some do not, so that no branch is dead by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from factory.constraints.types import INT, STR
from factory.templates import nodes
from factory.templates.nodes import Expr
from factory.templates.writer import Unwritable, Variable, Writer

_MINORITY = 0.2


@dataclass(frozen=True, slots=True)
class Test:
    """A condition on one variable, as an expression and as a predicate."""

    subject: Variable
    make: Callable[[], Expr]
    holds: Callable[[Any], bool]


def _number_tests(w: Writer, variable: Variable) -> list[Test]:
    values = sorted(set(w.samples(variable)))
    middle = values[(len(values) - 1) // 2]
    divisor = w.rng.randint(2, 4)
    rest = w.rng.randrange(divisor)

    def remainder(symbol: str) -> Callable[[], Expr]:
        return lambda: nodes.compare(
            nodes.binary(w.read(variable), "%", nodes.literal(divisor)),
            symbol,
            nodes.literal(rest),
        )

    def bound(symbol: str) -> Callable[[], Expr]:
        return lambda: nodes.compare(w.read(variable), symbol, nodes.literal(middle))

    return [
        Test(variable, remainder("=="), lambda value: value % divisor == rest),
        Test(variable, remainder("!="), lambda value: value % divisor != rest),
        Test(variable, bound(">"), lambda value: value > middle),
        Test(variable, bound("<="), lambda value: value <= middle),
    ]


def _text_tests(w: Writer, variable: Variable) -> list[Test]:
    values = list(w.samples(variable))
    lengths = sorted(map(len, values))
    middle = lengths[(len(lengths) - 1) // 2]
    letters = sorted({letter for value in values for letter in value if letter.isalpha()}) or ["a"]
    letter = w.rng.choice(letters)
    words = sorted(set(values))
    pivot = words[len(words) // 2]

    def read() -> Expr:
        return w.read(variable)

    tests = [
        Test(
            variable,
            lambda: nodes.compare(nodes.literal(letter), "in", read()),
            lambda value: letter in value,
        ),
        Test(
            variable,
            lambda: nodes.compare(read(), "<", nodes.literal(pivot)),
            lambda value: value < pivot,
        ),
    ]
    if lengths[-1] > 1:
        tests += [
            Test(
                variable,
                lambda: nodes.compare(nodes.call("len", read()), ">", nodes.literal(middle)),
                lambda value: len(value) > middle,
            ),
            Test(
                variable,
                lambda: nodes.compare(
                    nodes.binary(nodes.call("len", read()), "%", nodes.literal(2)),
                    "==",
                    nodes.literal(0),
                ),
                lambda value: len(value) % 2 == 0,
            ),
        ]
    else:
        vowels = "aeiou"
        tests.append(
            Test(
                variable,
                lambda: nodes.compare(read(), "in", nodes.literal(vowels)),
                lambda value: value in vowels,
            )
        )
    if w.allow_methods:
        tests.append(
            Test(
                variable,
                lambda: w.method(read(), "startswith", nodes.literal(letter)),
                lambda value: value.startswith(letter),
            )
        )
    return tests


def _container_tests(w: Writer, variable: Variable) -> list[Test]:
    values = list(w.samples(variable))
    lengths = sorted(map(len, values))
    middle = lengths[(len(lengths) - 1) // 2]
    items = sorted({item for value in values for item in value})
    probe = w.rng.choice(items) if items else 0
    return [
        Test(
            variable,
            lambda: nodes.compare(nodes.call("len", w.read(variable)), ">", nodes.literal(middle)),
            lambda value: len(value) > middle,
        ),
        Test(
            variable,
            lambda: nodes.compare(nodes.literal(probe), "in", w.read(variable)),
            lambda value: probe in value,
        ),
    ]


def _tests(w: Writer, variable: Variable) -> list[Test]:
    if variable.type == INT:
        return _number_tests(w, variable)
    if variable.type == STR:
        return _text_tests(w, variable)
    simple = all(arg in (INT, STR) for arg in variable.type.args[:1])
    if variable.type.name in ("list", "tuple", "set", "dict") and simple:
        return _container_tests(w, variable)
    return []


def split_on(w: Writer, variable: Variable) -> Test | None:
    """A condition on ``variable`` that some of its samples satisfy and some do not."""
    values = w.samples(variable)
    if len(set(map(repr, values))) < 2:
        return None
    tests = _tests(w, variable)
    w.rng.shuffle(tests)
    for test in tests:
        share = sum(map(test.holds, values)) / len(values)
        if _MINORITY <= share <= 1 - _MINORITY:
            return test
    return None


def split(w: Writer) -> Test:
    """A condition that some samples satisfy and some do not; inner variables are preferred.

    Raises:
        Unwritable: no variable in scope can be split.
    """
    candidates = [each for each in w.visible() if len(set(map(repr, w.samples(each)))) >= 2]
    inner = [each for each in candidates if not each.is_parameter]
    w.rng.shuffle(candidates)
    w.rng.shuffle(inner)
    if w.chance(0.85):
        candidates = inner + candidates
    if w.can_add_parameter() and (not candidates or (not w.in_loop and w.chance(0.3))):
        candidates.insert(0, w.parameter(w.rng.choice((INT, INT, STR))))
    for variable in candidates:
        test = split_on(w, variable)
        if test is not None:
            return test
    raise Unwritable("no condition splits the known values")


@contextmanager
def narrowed(w: Writer, test: Test, outcome: bool) -> Iterator[None]:
    """Inside, only samples remain for which ``test`` comes out as ``outcome``."""
    variable = test.subject
    before, live = variable.samples, w.frame.live
    if variable.is_parameter:
        w.frame.live = tuple(place for place in live if bool(test.holds(before[place])) is outcome)
    else:
        variable.samples = tuple(value for value in before if bool(test.holds(value)) is outcome)
    try:
        yield
    finally:
        variable.samples, w.frame.live = before, live
