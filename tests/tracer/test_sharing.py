"""Calls that share a process: each trace is that of a fresh process, whoever the others are."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import oracle_cases
import pytest
from corpora import draw_programs
from harmful_programs import HARMFUL, SUM, harmful
from sandboxes import descendants

from tracer.isolation import keeps_to_itself
from tracer.records import Call, Limits, Program
from tracer.runner import Runner
from tracer.sharing import CALLS_A_PROCESS, Calls, share

PROGRAMS = Path(__file__).parents[1] / "programs"


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


def written() -> Iterator[tuple[Program, Call]]:
    """The programs of ``tests/programs`` with the calls in their comments."""
    for path in sorted(PROGRAMS.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        for line in source.splitlines():
            if line.startswith("# call: "):
                call = ast.parse(line.removeprefix("# call: "), mode="eval").body
                assert isinstance(call, ast.Call)
                args = ", ".join(map(ast.unparse, [*call.args, *call.keywords]))
                yield Program(source, ast.unparse(call.func)), Call(args)


def cases(seeds: range, draws: int) -> list[tuple[Program, Call]]:
    """Calls of programs of every origin."""
    known = [*oracle_cases.published(), *oracle_cases.written(), *oracle_cases.generated(seeds)]
    found = [(Program(case.source, case.entry_point), Call(case.args)) for case in known]
    found += written()
    return found + [(sample.program, sample.call) for sample in draw_programs(draws)]


def compare(runner: Runner, calls: list[tuple[Program, Call]], rng: random.Random) -> None:
    rng.shuffle(calls)
    together = runner.trace_many(calls)
    for (program, call), trace in zip(calls, together, strict=True):
        assert trace == runner.run(program, call)


def test_together_as_alone(runner: Runner) -> None:
    rng = random.Random(7)
    compare(runner, rng.sample(cases(range(30), 30), 60), rng)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_many_together_as_alone(runner: Runner) -> None:
    compare(runner, cases(range(400), 400), random.Random(11))


def test_the_order_of_the_others_is_nothing_to_a_trace(runner: Runner) -> None:
    calls = random.Random(3).sample(cases(range(30), 30), 60)
    known = dict(zip(calls, runner.trace_many(calls), strict=True))
    for seed in range(4):
        some = random.Random(seed).sample(calls, 20 + 10 * seed)
        assert runner.trace_many(some) == tuple(known[each] for each in some)


def counting(runner: Runner, calls: list[tuple[Program, Call]]) -> int:
    """Number of jobs that tracing the calls takes."""
    jobs = []
    with pytest.MonkeyPatch.context() as patch:
        for zygote in (runner._traced, runner._plain):
            run = zygote.run
            patch.setattr(zygote, "run", lambda *job, run=run: jobs.append(job) or run(*job))
        runner.trace_many(calls)
    return len(jobs)


def test_calls_do_share_processes(runner: Runner) -> None:
    calls = [(SUM, Call(str(n))) for n in range(CALLS_A_PROCESS[0])]
    assert counting(runner, calls) == 3  # one of them runs nothing, but compiles
    assert counting(runner, calls) == 2  # that is known now
    assert counting(runner, calls[:1]) == 3
    reaching = Program("import os\ndef f(n):\n    return n\n", "f")
    assert counting(runner, [(reaching, Call("1")), (reaching, Call("2"))]) == 6
    assert counting(runner, [(SUM, Call("1", "text")), (SUM, Call("1"))]) == 6
    assert counting(runner, [(SUM, Call("len(__import__('os').name)")), (SUM, Call("1"))]) == 6


def test_a_step_limit_ends_only_its_own_call() -> None:
    endless = Program("def f(n):\n    while True:\n        n += 1\n", "f")
    calls = [(SUM, Call("3")), (endless, Call("0")), (SUM, Call("4")), (SUM, Call("5"))]
    with Runner(Limits(max_steps=50)) as small:
        assert counting(small, calls) == 4
        traces = small.trace_many(calls)
        assert traces == tuple(small.run(*each) for each in calls)
    kinds = [trace.outcome.kind for trace in traces]
    assert kinds == ["returned", "step_limit", "returned", "returned"]
    assert len(traces[1].steps) == 50


DEEP = """
    def f(n):
        return 0 if n == 0 else 1 + f(n - 1)
    def g(n):
        try:
            return f(n)
        except RecursionError:
            return -1
    """


def test_the_recursion_limit_is_where_it_is_in_a_process_of_its_own(runner: Runner) -> None:
    depths = [*range(984, 1000, 2), 5000]
    calls = [(Program(dedent(DEEP), "fg"[n % 4 // 2]), Call(str(n))) for n in depths]
    assert runner.trace_many(calls) == tuple(runner.run(*each) for each in calls)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_harmful_programs_leave_the_traces_beside_them_as_they_are() -> None:
    """Loops, memory, exits: those that pass the static check do share with the others."""
    limits = Limits(cpu_s=0.5, wall_s=8.0, memory_bytes=256 * 1024 * 1024)
    calls = []
    for number, name in enumerate(HARMFUL):
        calls += [(harmful(name), Call("3")), (SUM, Call(str(number)))]
    together = [name for name in HARMFUL if keeps_to_itself(harmful(name).source, "3")]
    assert len(together) >= 12
    with Runner(limits) as runner:
        alone = [runner.run(*each) for each in calls[1::2]]
        random.Random(1).shuffle(calls)
        mixed = dict(zip(calls, runner.trace_many(calls), strict=True))
        beside = [(SUM, Call(str(number))) for number in range(len(HARMFUL))]
        assert [mixed[each] for each in beside] == alone
    assert not descendants()


CARRIERS = [
    "import enum\ndef f(x):\n    enum.sys.count = 1\n",
    "import enum\ndef f(x):\n    return enum.sys.modules.setdefault('n', x)\n",
    "from collections import _sys\ndef f(x):\n    return _sys.modules.setdefault('n', x)\n",
    "from re import _cache\ndef f(x):\n    return len(_cache)\n",
    "import statistics\ndef f(x):\n    statistics.random.seed(x)\n",
    "import re\ndef f(x):\n    g = re\n    return g.enum\n",
    "import re as self\ndef f(x):\n    self.count = x\n",
    "def f(x):\n    self = (i for i in [1])\n    self = self.gi_frame\n    return self.f_back\n",
    "def f(x):\n    match print:\n        case object(__self__=m):\n            return m\n",
    "import numbers\ndef f(x):\n    numbers.Integral.register(str)\n",
    "import copy\ndef f(x):\n    copy.dispatch_table[int] = x\n",
    "from operator import attrgetter\ndef f(x):\n    return attrgetter('__globals__')(f)\n",
    "import string\ndef f(x):\n    return string.Formatter().get_field('0.real', (x,), {})\n",
    "from dataclasses import dataclass\nfrom collections import Counter\n"
    "def f(x):\n    dataclass(Counter)\n",
    "from re import RegexFlag\nclass A:\n    def keep(self):\n        self.count = 1\n"
    "def f(x):\n    A.keep(RegexFlag)\n",
    "import re\nclass A:\n    def keep(self):\n        self.n = 1\ndef f(x):\n    A.keep(re.I)\n",
    "from typing import get_type_hints\ndef f(x: 'x'):\n    return get_type_hints(f)\n",
    "class A:\n    def __del__(self):\n        print('late')\ndef f(x):\n    A()\n",
    "def f(x):\n    return \N{MATHEMATICAL BOLD SMALL E}val('x')\n",
    "class A:\n    pass\ndef f(x):\n    return [type(a) for a in {A(), A(), A()}]\n",
    "def f(x):\n    return [a() for a in {g, h}]\ndef g():\n    return 1\ndef h():\n    return 2\n",
    "def f(x):\n    return [a() for a in {lambda: 1, lambda: 2}]\n",
    "def f(x):\n    return id(x) == id([])\n",
    "__name__ = '__main__'\nif __name__ == '__main__':\n    import sys\ndef f(x):\n    return x\n",
]


@pytest.mark.parametrize("source", CARRIERS, ids=range(len(CARRIERS)))
def test_what_may_carry_something_on_is_run_alone(source: str) -> None:
    ast.parse(source)
    assert not keeps_to_itself(source)


KEPT = [
    "import re\ndef f(x):\n    return re.sub('a', 'b', x)\n",
    "import math as m\nfrom functools import lru_cache\n@lru_cache(maxsize=None)\n"
    "def f(x):\n    return m.pi if x < 1 else f(x - 1)\n",
    "from collections import Counter, defaultdict\nclass A:\n    def __init__(self):\n"
    "        self.seen = Counter()\n        self.d = defaultdict(list)\ndef f(x):\n    return A\n",
    "from dataclasses import dataclass\nfrom typing import Optional\n@dataclass\nclass A:\n"
    "    n: Optional[int] = None\ndef f(x):\n    return A(x)\n",
    "class A:\n    def __init__(self):\n        self._n = 0\n    def next(self):\n"
    "        self._n += 1\n        return self._n\ndef f(x):\n    return A().next()\n",
    "def f(x):\n    return sorted(set(x) - {'a'})\n",
    "def f(x):\n    return x\nif __name__ == '__main__':\n    import sys\n    sys.exit(f(0))\n",
]


@pytest.mark.parametrize(
    "args", ["collections", "[collections.Counter]", "collections.abc.sys", "f", "eval('1')"]
)
def test_arguments_that_hand_a_library_over_are_passed_alone(args: str) -> None:
    kept = args == "f"
    assert keeps_to_itself("class A:\n    pass\ndef f(x):\n    return x\n", args) is kept


@pytest.mark.parametrize("source", KEPT, ids=range(len(KEPT)))
def test_what_keeps_to_itself_may_share(source: str) -> None:
    assert keeps_to_itself(source, "[1], k={2: collections.deque([3])}")


def test_calls_are_made_again_with_fewer_and_at_last_alone() -> None:
    """The rules of sharing on their own, with numbers for results."""
    program = Program("def f(x):\n    return x\n", "f")
    calls = [(program, Call(str(n))) for n in range(20)]
    groups: list[int] = []
    alone: list[str] = []

    def run_shared(group: Calls) -> list[int | None]:
        groups.append(len(group))
        numbers = [int(call.args) for _, call in group]
        if 13 in numbers:  # the process of number 13 never ends well
            return []
        done = [None if n == 2 else n for n in numbers]
        return done[: numbers.index(5) + 1] if 5 in numbers else done  # 5 ends its process

    def run_alone(_: Program, call: Call) -> int:
        alone.append(call.args)
        return int(call.args)

    assert share([*calls, calls[3]], run_shared, run_alone) == (*range(20), 3)
    assert groups == [20, 8, 2, 8, 4]
    assert alone == ["2", *map(str, range(8, 16))]
