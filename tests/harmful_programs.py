"""Programs that kill, hang or exhaust, and a harmless one to stand beside them."""

from __future__ import annotations

from textwrap import dedent

from tracer.records import Program

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
