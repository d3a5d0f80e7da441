"""The kinds beyond the paper's: what is asked, what never is, worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_programs import generate
from strategies import lists_of_ints

from tracer.derivation import derive
from tracer.questions import QUESTION_KINDS
from tracer.questions.base import balance
from tracer.records import Call, Limits, Outcome, Program, Question, Trace
from tracer.runner import Runner
from tracer.values import canonical
from tracer.verification import verify

KINDS = ("executed", "branch", "loop_count", "call_stack", "alias", "exception")
YES_NO = ("executed", "branch", "alias")


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


def trace(runner: Runner, source: str, args: str = "", entry: str | None = "f") -> Trace:
    return runner.run(Program(dedent(source).lstrip("\n"), entry), Call(args))


def ask(seen: Trace, kind: str) -> dict[tuple[object, ...], str]:
    """Every question that may be asked, by line, occurrence and variable; other arguments would
    choose others of them."""
    found: dict[tuple[object, ...], str] = {}
    for seed in range(40):
        for each in derive(replace(seen, args=f"{seed}"), [kind], limit=100):
            place = (each.line, each.occurrence, each.variable)
            place = tuple(part for part in place if part is not None)
            assert found.setdefault(place, each.key) == each.key
    return found


SEARCH = """
def last(xs):
    while xs:
        x = xs.pop()
        if x > 2:
            return x
        elif x < 0:
            raise ValueError("negative")
    return None

def never():
    return 1

def f(a, b):
    try:
        found = last(a)
    except ValueError:
        found = last(b)
    if found is None:
        found = 0
    else:
        found += 1
    return found
"""


def test_search(runner: Runner) -> None:
    """``a`` is emptied down to -1, which raises; ``b`` then gives 5 at once."""
    seen = trace(runner, SEARCH, "[-1, 1], [5]")
    assert seen.outcome.value == "6"
    assert ask(seen, "branch") == {
        (4, 1): "no",
        (4, 2): "no",
        (4, 3): "yes",
        (6, 1): "no",
        (6, 2): "yes",
        (2, 1): "yes",
        (2, 2): "yes",
        (2, 3): "yes",
        (16, 1): "yes",
        (18, 1): "no",
    }
    assert ask(seen, "loop_count") == {(2,): "3"}
    assert ask(seen, "executed") == {
        (3,): "yes",
        (4,): "yes",
        (5,): "yes",
        (6,): "yes",
        (7,): "yes",
        (8,): "no",
        (11,): "no",
        (17,): "yes",
        (19,): "no",
        (21,): "yes",
    }
    stacks = ask(seen, "call_stack")
    assert stacks[4, 3] == "f > last"
    assert set(stacks.values()) == {"f > last"}
    assert ask(seen, "exception") == {(1, 1): "ValueError", (1, 2): "returns"}


def test_texts_say_how_to_answer(runner: Runner) -> None:
    seen = trace(runner, SEARCH, "[-1, 1], [5]")
    texts = {each.kind: each.text for each in derive(seen, KINDS, limit=100)}
    assert "`f([-1, 1], [5])`" in texts["executed"]
    for kind in ("executed", "branch"):
        assert texts[kind].endswith("Answer with `yes` or `no`.")
    assert "on line 2 (`while xs:`) entered?" in texts["loop_count"]
    assert texts["loop_count"].endswith("Answer with a whole number, `0` if it never is.")
    assert "outermost first, joined by `>`" in texts["call_stack"]
    assert "call of `last`, defined on line 1 (`def last(xs):`), end?" in texts["exception"]
    assert "Answer with `returns` if" in texts["exception"]


def test_a_call_that_raises(runner: Runner) -> None:
    seen = trace(runner, SEARCH, "[], [-2]")
    assert seen.outcome.value == "0"
    seen = trace(runner, SEARCH, "[-1], [-2]")
    assert (seen.outcome.kind, seen.complete) == ("raised", True)
    whole, *inner = derive(seen, ["exception"], limit=100)
    assert (whole.key, whole.line, inner) == ("ValueError", None, [])
    assert whole.text.startswith("The call `f([-1], [-2])` ends with an exception.")
    assert "negative" not in whole.text + whole.key
    assert ask(seen, "loop_count") == {(2,): "2"}
    assert ask(seen, "executed")[19,] == "no"
    paper = [each.name for each in QUESTION_KINDS if each.name not in KINDS]
    assert derive(seen, paper) == ()


def test_stack_of_recursion_and_methods(runner: Runner) -> None:
    source = """
        class Tree:
            def __init__(self, *below):
                self.below = below

            def depth(self):
                if not self.below:
                    return 1
                return 1 + max(map(Tree.depth, self.below))

        def f():
            return Tree(Tree()).depth()
        """
    seen = trace(runner, source)
    assert ask(seen, "call_stack") == {
        (3, 1): "f > Tree.__init__",
        (3, 2): "f > Tree.__init__",
        (6, 1): "f > Tree.depth",
        (6, 2): "f > Tree.depth > Tree.depth",
        (7, 1): "f > Tree.depth > Tree.depth",
        (8, 1): "f > Tree.depth",
    }
    deep = next(q for q in derive(seen, ["call_stack"], limit=9) if q.key.count(">") == 2)
    assert deep.valid == ("f > depth > depth",)
    for answer in ("f > depth > depth", "f() -> Tree.depth() -> Tree.depth()", "`f, depth, depth`"):
        assert verify(deep, answer).status == "correct"
    for answer in ('["f", "Tree.depth", "Tree.depth"]', "f\nTree.depth\nTree.depth"):
        assert verify(deep, answer).status == "correct"
    for answer in ("f > depth", "depth > depth > f", "f > Tree.depth > depth", "Tree.depth"):
        assert verify(deep, answer).status == "incorrect"
    assert verify(deep, "f > 2").status == "unparsed"


def test_the_entry_is_asked_for_its_stack_only_where_it_recurs(runner: Runner) -> None:
    source = "def f(n):\n    if n:\n        return f(n - 1)\n    return n\n"
    assert ask(trace(runner, source, "2"), "call_stack") == {
        (2, 1): "f",
        (2, 2): "f > f",
        (2, 3): "f > f > f",
        (3, 1): "f",
        (3, 2): "f > f",
        (4, 1): "f > f > f",
    }


def test_no_stack_with_a_generator_or_class_body_in_it(runner: Runner) -> None:
    source = """
        def log(xs, x):
            xs.append(x)

        def count(xs):
            log(xs, 0)
            yield 1
            log(xs, 1)
            yield 2

        def drain(made):
            return list(made)

        def f():
            xs = []
            made = count(xs)
            first = next(made)
            class Held:
                log(xs, 7)
            return first, drain(made), xs
        """
    seen = trace(runner, source)
    assert seen.outcome.value == "(1, [2], [0, 7, 1])"
    assert ask(seen, "call_stack") == {(11, 1): "f > drain"}
    assert ask(seen, "exception") == {}


ALIASES = """
def add(xs, x):
    xs.append(x)

def f(xs):
    ys = xs
    zs = xs[:]
    box = [xs]
    ys.append(1)
    zs += [1]
    add(xs, 2)
    ys[0] = 5
    ws = list(ys)
    del ws[0]
    n = xs.pop()
    return xs, zs, ws, box
"""


def test_aliases(runner: Runner) -> None:
    """``ys`` is ``xs``; ``zs``, ``ws`` and ``box``, which holds it, are not."""
    seen = trace(runner, ALIASES, "[0]")
    assert seen.outcome.value == "([5, 1], [0, 1], [1, 2], [[5, 1]])"
    found = ask(seen, "alias")
    assert {place: key for place, key in found.items() if key == "yes"} == {
        (8, 1, "xs, ys"): "yes",
        (11, 1, "xs, ys"): "yes",
    }
    assert found[8, 1, "ys, zs"] == "no"  # both were [0]
    lines = {place[0] for place in found}
    assert lines <= {8, 9, 11, 13}  # a call of the program, and a target beside, prove nothing
    question = derive(seen, ["alias"], limit=1)[0]
    first, second = (question.variable or "").split(", ")
    assert f"`{first} is {second}` would be true" in question.text


@pytest.mark.parametrize(
    "statement",
    [
        "xs.extend(grow(ys))",
        "xs.extend(y for y in (ys.append(1) or ys))",
        "xs.append(table['k'])",
        "xs.append(ys.append(1))",
        "xs[0].append(1)",
        "xs[0] += [1]",
        "xs.sort(key=lambda x: ys.append(1) or 0)",
        "xs = xs + [1]",
        "xs, n = xs * 2, 3",
        "with Room(ys):\n                xs.append(1)",
        "xs.append(1); ys.append(1)",
        "xs.append(node)",
        "xs.append(node.x)",
    ],
)
def test_what_proves_no_alias_is_not_asked(runner: Runner, statement: str) -> None:
    """Two lists change together, or might, without being one."""
    source = f"""
        import collections

        class Node:
            x = 1

        class Room:
            def __init__(self, xs):
                self.xs = xs
            def __enter__(self):
                pass
            def __exit__(self, *caught):
                self.xs.append(1)

        def grow(ys):
            ys.append(1)
            return ys

        def f():
            inner = []
            xs, ys = [inner], [inner]
            same = xs
            table = collections.defaultdict(list)
            node = Node()
            {statement}
            return len(xs)
        """
    seen = trace(runner, source)
    assert seen.outcome.kind == "returned"
    assert not [place for place in ask(seen, "alias") if place[0] in (24, 25)]


def test_a_function_behind_a_name_that_held_a_value(runner: Runner) -> None:
    """``key`` becoming invisible is no change, so its state is the old one."""
    source = """
        def f():
            xs, ys, zs = [2, 1], [1], [9]
            key = 1
            key = lambda x: (ys.append(2) if len(ys) < 2 else None) or x
            xs.sort(key=key)
            return xs, ys, zs
        """
    seen = trace(runner, source)
    assert seen.outcome.value == "([1, 2], [1, 2], [9])"
    assert ask(seen, "alias") == {}


def test_what_goes_with_an_exception_may_change_something(runner: Runner) -> None:
    """The end of the handler drops ``e``, and with it the generator, which then ends."""
    source = """
        def gen(ys):
            try:
                yield
            finally:
                ys.append(1)

        def fail(ys):
            made = gen(ys)
            next(made)
            raise ValueError

        def f():
            xs, ys, zs = [], [], []
            try:
                fail(ys)
            except ValueError as e:
                xs.append(1)
            return xs, ys, zs
        """
    seen = trace(runner, source)
    assert seen.outcome.value == "([1], [1], [])"
    assert [c.name for s in seen.steps if s.line == 17 for c in s.changes] == ["e", "xs", "ys"]
    assert 17 not in {place[0] for place in ask(seen, "alias")}


def test_generators_end_in_their_own_ways(runner: Runner) -> None:
    source = """
        def gen():
            yield 1
            raise ValueError

        def one():
            return 1

        def f():
            try:
                return list(gen())
            except ValueError:
                return one()
        """
    seen = trace(runner, source)
    assert seen.activations[1].end == "raised"
    assert ask(seen, "exception") == {}


def test_shared_parts_are_no_aliases(runner: Runner) -> None:
    source = """
        def f():
            inner = {}
            xs, ys = [inner], [inner]
            zs = xs
            inner['k'] = 1
            xs.append(2)
            return xs, ys, zs
        """
    found = ask(trace(runner, source), "alias")
    assert found == {
        (6, 1, "xs, zs"): "yes",
        (6, 1, "xs, ys"): "no",
    }


def test_lines_that_are_never_asked(runner: Runner) -> None:
    """Docstrings, ``else``, ``finally``, definitions, shared lines, lines with lambdas."""
    source = '''
        K = 1

        def f(n):
            """Text."""
            global K
            later: int
            def inner(x):
                return x
            try:
                a = 1; b = 2
            except KeyError:
                b = 3
            else:
                b = 4
            finally:
                b = 5
            if n: b = 6
            while n > 100: n = 3
            key = lambda x: x
            for x in (y for y in [n]):
                n = 7
            for x in [1]: n = 8
            if n == sum(y for y in [1]):
                n = 9
            if not n:
                n = 10
            if True:
                n = 11
            return n
        '''
    seen = trace(runner, source, "1")
    assert seen.outcome.value == "11"
    assert {place[0] for place in ask(seen, "executed")} <= {8, 12, 14, 16, *range(24, 30), 21}
    assert ask(seen, "executed")[8,] == "no"
    assert ask(seen, "executed")[12,] == "no"
    assert ask(seen, "loop_count") == {}
    assert ask(seen, "branch") == {}
    assert ask(seen, "call_stack") == {}


def test_conditions_that_hold_a_generator_expression_are_not_asked(runner: Runner) -> None:
    source = """
        def f(xs):
            for x in xs:
                if x == TEST:
                    x = 3
            return xs
        """
    with_generator = source.replace("TEST", "sum(y for y in [1])")
    assert ask(trace(runner, with_generator, "[1, 2]"), "branch") == {}
    with_list = source.replace("TEST", "sum([y for y in [1]])")
    found = ask(trace(runner, with_list, "[1, 2]"), "branch")
    assert found == {(3, 1): "yes", (3, 2): "no"}


def test_module_code_before_the_call_is_not_asked(runner: Runner) -> None:
    source = """
        ready = False
        if ready:
            ready = 1
        class C:
            if ready:
                x = 1
        def f(n):
            if n:
                return 1
            return 0
        """
    seen = trace(runner, source, "0")
    assert ask(seen, "executed") == {(9,): "no", (8,): "yes", (10,): "yes"}
    module = trace(runner, source, "", None)
    assert ask(module, "executed")[3,] == "no"
    assert ask(module, "executed")[6,] == "no"
    assert derive(module, ["executed"])[0].text.startswith("While the program runs, is line")


def test_a_case_and_a_handler(runner: Runner) -> None:
    source = """
        def kind(x):
            match x:
                case [a, b] if a < b:
                    return "rising"
                case [a, b]:
                    return "pair"
                case str() as text:
                    return text
                case _:
                    pass
            return "other"

        def f(xs):
            out = []
            for x in xs:
                try:
                    out.append(kind(x))
                except NameError:
                    out.append("name")
                except (TypeError, ValueError):
                    out.append("type")
                except Exception:
                    out.append("any")
            return out
        """
    seen = trace(runner, source, "[[1, 2], [2, 1], 'a', 3, [1, 'a']]")
    assert seen.outcome.value == "['rising', 'pair', 'a', 'other', 'type']"
    asked = derive(seen, ["branch"], limit=1000)
    assert {(q.line, q.occurrence): q.key for q in asked} | ask(seen, "branch") == {
        (3, 1): "yes",
        (3, 2): "no",
        (3, 3): "no",
        (3, 4): "no",
        (5, 1): "yes",
        (5, 2): "no",
        (5, 3): "no",
        (7, 1): "yes",
        (7, 2): "no",
        (18, 1): "no",
        (20, 1): "yes",
    }
    texts = {q.line: q.text for q in asked}
    assert "Does this case match" in texts[3]
    assert "Does this clause catch the exception?" in texts[20]


def test_code_that_runs_when_variables_are_dropped(runner: Runner) -> None:
    """Whether the ``finally`` belongs to the call can be argued; the plain ``yield`` can't."""
    source = """
        def gen(log):
            TRY
                yield 1
                yield 2
            FINALLY
                log.append(3)

        def f(log):
            g = gen(log)
            return next(g)
        """
    held = trace(runner, source.replace("TRY", "try:").replace("FINALLY", "finally:"), "[]")
    assert ask(held, "executed") == {}
    plain = source.replace("TRY", "if log:").replace("FINALLY", "else:")
    plain = plain.replace("log.append(3)", "yield from [3, 4]")
    assert ask(trace(runner, plain, "[]"), "executed")[3,] == "no"


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
