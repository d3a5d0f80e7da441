"""The kinds beyond the paper's: what is asked, what never is, worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from asking import ALIASES, KINDS, SEARCH, ask, trace

from tracer.derivation import derive
from tracer.questions import QUESTION_KINDS
from tracer.runner import Runner
from tracer.verification import verify


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


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
