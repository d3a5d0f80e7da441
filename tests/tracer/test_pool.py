"""Many calls at once: in order, and nothing a program does reaches another's trace."""

from __future__ import annotations

import itertools
from textwrap import dedent

import pytest
from sandboxes import descendants

from tracer import Call, Limits, Pool, Program

SUM = Program(
    dedent(
        """
        def f(n):
            total = 0
            for i in range(n):
                total += i
            return total
        """
    ),
    "f",
)

HARMFUL = {
    "endless loop": "while True: pass",
    "endless loop that catches all": "while True:\n    try: 1 // 0\n    except BaseException: pass",
    "endless recursion": "return f(n)",
    "endless generator": "return sum(1 for _ in iter(int, 1))",
    "endless sort": "return sorted(iter(int, 1))",
    "memory in one piece": "return bytearray(10**10)",
    "memory bit by bit": "x = []\nwhile True: x.append('x' * 10**6)",
    "memory in text": "return len('x' * 10**11)",
    "huge power": "return 9 ** 9 ** 9",
    "slow pattern": "import re\nreturn re.match('(a+)+$', 'a' * 60 + 'b')",
    "compressed bomb": "import zlib\nreturn len(zlib.decompress(zlib.compress(bytes(10**9))))",
    "quits": "import os\nos._exit(0)",
    "aborts": "import os\nos.abort()",
    "kills itself": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)",
    "kills its group": "import os, signal\nos.killpg(0, signal.SIGKILL)",
    "alarm": "import signal\nsignal.alarm(1)\nwhile True: pass",
    "exits": "raise SystemExit(0)",
    "interrupts": "raise KeyboardInterrupt",
    "prints for ever": "while True: print('x' * 10**4)",
    "waits for input": "return input()",
    "sleeps": "import time\ntime.sleep(100)",
    "forks": "import os\nwhile True: os.fork()",
    "starts threads": "import threading\nwhile True: threading.Thread(target=f, args=(n,)).start()",
    "deep value": "x = []\nfor _ in range(10**5): x = [x]\nreturn x",
    "self-made cycle": "x = []\nx.append(x)\nreturn x == [x]",
    "writes much": "h = open('big', 'wb')\nwhile True: h.write(bytes(10**6))",
    "closes everything": "import os\nos.closerange(0, 10**4)",
    "breaks builtins": "import builtins\nbuiltins.__dict__.clear()",
    "breaks modules": "import sys\nsys.modules.clear()\nreturn n",
    "finalizer without end": "class A:\n    def __del__(self):\n        A()\nA()",
}


def harmful(name: str) -> Program:
    body = "".join(f"    {line}\n" for line in HARMFUL[name].splitlines())
    return Program(f"def f(n):\n{body}", "f")


def test_results_come_in_order_from_an_endless_source() -> None:
    with Pool(workers=2) as pool:
        calls = ((SUM, Call(str(n))) for n in itertools.count())
        values = [t.outcome.value for t in itertools.islice(pool.run_all(calls), 12)]
    assert values == [str(n * (n - 1) // 2) for n in range(12)]


def test_a_pool_without_workers_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one worker, not 0"):
        Pool(workers=0)


@pytest.mark.slow
def test_harmful_programs_leave_the_others_as_they_are() -> None:
    limits = Limits(cpu_s=0.5, wall_s=4.0, memory_bytes=256 * 1024 * 1024)
    calls = []
    for number, name in enumerate(HARMFUL):
        calls += [(harmful(name), Call("3")), (SUM, Call(str(number)))]
    with Pool(workers=2, limits=limits) as pool:
        alone = list(pool.run_all((SUM, Call(str(n))) for n in range(len(HARMFUL))))
        mixed = list(pool.run_all(calls))
        assert mixed[1::2] == alone
        kinds = dict(zip(HARMFUL, (t.outcome.kind for t in mixed[::2]), strict=True))
        for name, kind in kinds.items():
            assert kind not in ("infrastructure",), name
        for name in ("endless loop", "huge power", "slow pattern", "sleeps", "endless sort"):
            assert kinds[name] in ("timeout", "step_limit", "memory"), (name, kinds[name])
        for name in ("memory in one piece", "memory bit by bit", "memory in text"):
            # Half a second of processor time can be over first on a busy machine.
            assert kinds[name] in ("memory", "timeout"), (name, kinds[name])
        for name in ("forks", "starts threads"):
            assert kinds[name] == "blocked", (name, kinds[name])
    assert not descendants()
