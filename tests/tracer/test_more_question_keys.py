"""The kinds beyond the paper's: known cases, which answers are right, and how many of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from asking import ALIASES, KINDS, SEARCH, YES_NO, ask, trace
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_programs import generate
from strategies import lists_of_ints

from tracer.derivation import derive
from tracer.questions.base import balance
from tracer.records import Limits, Outcome, Program, Question
from tracer.runner import Runner
from tracer.values import canonical
from tracer.verification import verify


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


CASES = {
    "none_by_return_or_by_raise": (
        """
        def quiet(x):
            if x > 0:
                return
            y = x

        def loud(x):
            return 1 // x

        def f():
            out = []
            out.append(quiet(1))
            out.append(quiet(0))
            try:
                out.append(loud(0))
            except ZeroDivisionError as e:
                out.append(type(e).__name__)
            return out
        """,
        "",
        {
            ("exception", 6, 1): "ZeroDivisionError",
            ("exception", 1, 1): "returns",
            ("exception", 1, 2): "returns",
            ("branch", 2, 1): "yes",
            ("branch", 2, 2): "no",
        },
    ),
    "finally_visited_twice": (
        """
        def f(fail, flag):
            log = []
            try:
                try:
                    if fail:
                        raise KeyError("k")
                    log.append("body")
                finally:
                    if flag:
                        log.append("cleanup")
            except KeyError:
                log.append("handled")
            return log
        """,
        "True, False",
        {
            ("executed", 7): "no",
            ("executed", 10): "no",
            ("executed", 12): "yes",
            ("branch", 9, 1): "no",
            ("branch", 5, 1): "yes",
        },
    ),
    "generator_closed_early": (
        """
        def gen():
            yield 3
            yield 4

        def f():
            g = gen()
            first = next(g)
            return first
        """,
        "",
        {("executed", 3): "no"},
    ),
    "resume_is_not_a_call": (
        """
        def countdown(n):
            while n > 0:
                yield n
                n -= 1

        def f():
            out = []
            for v in countdown(3):
                out.append(v * 10)
            return out
        """,
        "",
        {("loop_count", 2): "3", ("loop_count", 8): "3", ("branch", 2, 4): "no"},
    ),
    "repr_inside_the_traced_file": (
        """
        class P:
            def __init__(self, x):
                self.x = x
            def __repr__(self):
                text = "P(%d)" % self.x
                return text
            def __eq__(self, o):
                same = self.x == o.x
                return same

        def f():
            p = P(1)
            q = P(1)
            same = p == q
            return same
        """,
        "",
        {
            ("executed", 5): "no",
            ("executed", 6): "no",
            ("executed", 8): "yes",
            ("call_stack", 8, 1): "f > P.__eq__",
        },
    ),
    "recursion_that_ends": (
        """
        def halvings(n, depth):
            if n == 1:
                return depth
            return halvings(n // 2, depth + 1)

        def f(n):
            return halvings(n, 0)
        """,
        "4",
        {
            ("call_stack", 3, 1): "f > halvings > halvings > halvings",
            ("branch", 2, 3): "yes",
            ("branch", 2, 1): "no",
        },
    ),
    "snapshot_not_reference": (
        """
        def rotate(m):
            row = m[0]
            m.append(row)
            row.append(len(m))
            m.pop(0)
            row = row[:]
            row[0] = -9
            return m

        def f():
            grid = [[1, 2], [3]]
            return rotate(grid), grid
        """,
        "",
        {("call_stack", 7, 1): "f > rotate"},
    ),
}
"""Public bug reports of other tracers; the sources are named in ``test_known_faults.py``."""


@pytest.mark.parametrize("name", CASES)
def test_known_cases(runner: Runner, name: str) -> None:
    source, args, expected = CASES[name]
    seen = trace(runner, source, args)
    assert seen.outcome.kind == "returned"
    found = {(kind, *place): key for kind in KINDS for place, key in ask(seen, kind).items()}
    assert expected.items() <= found.items(), found


def test_the_depth_of_a_recursion_error_is_never_asked(runner: Runner) -> None:
    source, _, _ = CASES["recursion_that_ends"]
    seen = trace(runner, source, "0")
    assert (seen.outcome.kind, seen.outcome.type) == ("raised", "RecursionError")
    assert derive(seen, limit=100) == ()


def test_a_cut_trace_gives_no_question() -> None:
    source = "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n"
    with Runner(Limits(max_steps=100)) as short:
        seen = trace(short, source, "10", "fib")
    assert seen.outcome.kind == "step_limit"
    assert len(seen.steps) == 100
    assert derive(seen, limit=100) == ()


@pytest.mark.parametrize("kind", ["step_limit", "timeout", "depth_dependent", "nondeterministic"])
def test_only_calls_that_ended_are_asked(runner: Runner, kind: str) -> None:
    seen = trace(runner, SEARCH, "[-1, 1], [5]")
    assert derive(replace(seen, outcome=Outcome(kind)), limit=100) == ()  # type: ignore[arg-type]
    assert derive(replace(seen, complete=False), limit=100) == ()


def test_a_one_line_function_is_not_asked(runner: Runner) -> None:
    source = """
        def double(x): return x * 2
        half = lambda x: x // 2
        def f(a): b = double(a); c = half(b); return b + c
        """
    assert derive(trace(runner, source, "5"), KINDS, limit=100) == ()


def test_a_trace_of_another_text_is_not_asked(runner: Runner) -> None:
    """As when this Python reads the program otherwise than the one that ran it."""
    seen = trace(runner, SEARCH, "[-1, 1], [5]")
    for source in ("x = 1\n", "def f(:\n", SEARCH.replace("if found is None:", "while not found:")):
        other = replace(seen, program=Program(source, "f"))
        assert derive(other, KINDS, limit=100) == ()


def test_a_program_without_steps(runner: Runner) -> None:
    seen = trace(runner, '"""Nothing."""\n', "", None)
    assert seen.complete
    assert derive(seen) == ()


PROGRAMS = [
    (SEARCH, "[-1, 1], [5]"),
    (ALIASES, "[0]"),
    (CASES["recursion_that_ends"][0], "20"),
]
WRONG = {
    "executed": ("maybe", "line 3", "yes, no"),
    "branch": ("maybe", "neither", "1"),
    "alias": ("maybe", "xs", "yes and no"),
    "loop_count": ("17", "-1", "many", "3.0", "[3]"),
    "call_stack": ("f", "last > f", "1 > 2", "f > f > f > f > f > f", ""),
    "exception": ("KeyError", "LookupError", "Exception", "it fails", "3"),
}


def test_keys_are_right_and_others_are_not(runner: Runner) -> None:
    seen_kinds = set()
    for source, args in PROGRAMS:
        for question in derive(trace(runner, source, args), KINDS, limit=100):
            seen_kinds.add(question.kind)
            for key in (question.key, *question.valid):
                for reply in (key, f"<answer>\n{key}\n</answer>", f"`{key}`", f"```\n{key}\n```"):
                    assert verify(question, reply).status == "correct", (question, reply)
            for wrong in (*WRONG[question.kind], flip(question)):
                verdict = verify(question, wrong)
                assert verdict.status in ("incorrect", "unparsed", "no_answer"), (question, wrong)
                assert verdict.reason
    assert seen_kinds == set(KINDS)


def flip(question: Question) -> str:
    """The nearest wrong answer."""
    if question.kind in YES_NO:
        return "no" if question.key == "yes" else "yes"
    if question.kind == "loop_count":
        return str(int(question.key) + 1)
    if question.kind == "call_stack":
        return question.key.partition(" > ")[2] or "g"
    return "returns" if question.key != "returns" else "ValueError"


def test_yes_and_no_are_equally_many_in_every_trace(runner: Runner) -> None:
    """With an even limit exactly; with an odd one the toss is fair over many traces."""
    single: Counter[str] = Counter()
    for seed in range(12):
        source, entry, args, _ = generate(seed)
        seen = trace(runner, source, args, entry)
        for kind in YES_NO:
            for limit in (2, 4, 6, 100):
                keys = Counter(q.key for q in derive(seen, [kind], limit=limit))
                assert keys["yes"] == keys["no"] <= limit // 2
        for kind in ("executed", "branch"):
            for other in range(16):
                again = replace(seen, args=f"{args}, {other}")
                single.update(q.key for q in derive(again, [kind], limit=1))
        calls = Counter(q.key for q in derive(seen, ["exception"], limit=100) if q.line)
        assert calls["returns"] * 2 == calls.total()
        counts = [q.key for q in derive(seen, ["loop_count"], limit=100)]
        assert counts.count("0") * 2 <= len(counts)
    assert single.total() > 200
    assert abs(single["yes"] - single["no"]) < 0.15 * single.total()


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.randoms(use_true_random=False))
def test_balance(yes: int, no: int, limit: int, rng: object) -> None:
    groups = [[("yes", n)] for n in range(yes)], [[("no", n)] for n in range(no)]
    chosen = balance(*groups, limit, rng)  # type: ignore[arg-type]
    counts = Counter(answer for answer, _ in chosen)
    assert len(set(chosen)) == len(chosen) == min(limit, 2 * min(yes, no))
    assert abs(counts["yes"] - counts["no"]) == len(chosen) % 2


@settings(max_examples=15)
@given(xs=lists_of_ints)
def test_keys_follow_the_program(runner: Runner, xs: list[int]) -> None:
    """Compares with a plain Python account of the program, kept beside it here."""
    source = """
        def f(xs):
            n = 0
            for x in xs:
                if x % 2:
                    n += 1
                while n > 2:
                    n -= 2
            return n
        """
    halved = 0
    n = 0
    for x in xs:
        n += x % 2
        while n > 2:
            n -= 2
            halved += 1
    seen = trace(runner, source, canonical(xs))
    for (line, *rest), key in ask(seen, "branch").items():
        if line == 4:
            assert key == ("yes" if xs[int(str(rest[0])) - 1] % 2 else "no")
    counts = ask(seen, "loop_count")
    assert counts.get((3,), "0") == str(len(xs))
    assert counts.get((6,), "0") == str(halved)
