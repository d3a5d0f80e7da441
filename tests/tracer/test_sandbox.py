from __future__ import annotations

import ast
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from interpreters import find_interpreters
from sandboxes import (
    SHORT,
    descendants,
    make_job,
    run_source,
    value_of,
    verdict_of,
    wait_until_gone,
)

from tracer.inside.clock import SHIFT_NS
from tracer.inside.protocol import NONCE_BYTES, ProtocolError, pack_message, unpack_message
from tracer.records import Limits
from tracer.sandbox import Zygote

linux_only = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
NONCE = bytes(range(NONCE_BYTES))


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote(hash_seed=1) as found:
        yield found


# What a program finds.


def test_program_prints_exactly_what_it_printed(zygote: Zygote) -> None:
    source = """
        def f():
            print({"stdout": "x"})
            print(2 + 2, end="")
            return None
    """
    raw = run_source(zygote, source)
    assert raw.payload is not None
    assert raw.payload["stdout"] == "{'stdout': 'x'}\n4"
    assert value_of(raw) == "None"


def test_stdin_is_a_real_descriptor(zygote: Zygote) -> None:
    source = """
        import sys

        def f():
            first = sys.stdin.buffer.readline()
            rest = sys.stdin.buffer.read()
            return first.strip(), len(rest.split())

        def g():
            return open(0).read()
    """
    assert value_of(run_source(zygote, source, stdin="3 5\n1 2 3\n")) == "(b'3 5', 3)"
    assert value_of(run_source(zygote, source, "g()", stdin="3 5\n1 2 3\n")) == "'3 5\\n1 2 3\\n'"


def test_missing_stdin_is_end_of_file(zygote: Zygote) -> None:
    source = "def f():\n    return input('name? ')"
    given_text = run_source(zygote, source, stdin="Hello World!")
    assert value_of(given_text) == "'Hello World!'"
    assert given_text.payload is not None
    assert given_text.payload["stdout"] == "name? "
    missing = run_source(zygote, source)
    assert missing.payload is not None
    assert missing.payload["outcome"]["type"] == "EOFError"
    assert missing.payload["outcome"]["kind"] == "raised"


@pytest.mark.parametrize(("size", "times"), [(60, 50), (5_000_000, 5)])
def test_unread_stdin_disturbs_nothing(zygote: Zygote, size: int, times: int) -> None:
    outcomes = []
    for _ in range(times):
        raw = run_source(zygote, 'print("Hello"\n', None, stdin="x" * size)
        assert raw.payload is not None
        outcomes.append((raw.payload["outcome"]["type"], raw.payload["outcome"]["message"]))
    assert set(outcomes) == {("SyntaxError", "line 1: '(' was never closed")}


def test_stdin_of_any_text_arrives(zygote: Zygote) -> None:
    source = "import sys\ndef f():\n    return len(sys.stdin.buffer.read())"
    assert value_of(run_source(zygote, source, stdin="é\ud800\0")) == "6"


def test_same_seed_same_hash_and_only_then() -> None:
    values = []
    for seed in (1, 1, 2):
        with Zygote(hash_seed=seed) as one:
            values.append(value_of(run_source(one, "def f():\n    return hash('abc')")))
    assert values[0] == values[1] != values[2]


def test_program_sees_a_bare_interpreter(zygote: Zygote) -> None:
    source = """
        import sys, os, __main__

        def f():
            ours = [name for name in sys.modules if name.split(".")[0] in ("tracer", "pytest")]
            places = [path for path in sys.path if "site-packages" in path]
            return ours, places, sorted(os.environ), sys.argv, hasattr(__main__, "start")

        def g():
            import tracer

        def h():
            exit(3)
    """
    assert value_of(run_source(zygote, source)) == "([], [], ['TMPDIR', 'TZ'], ['program'], False)"
    missing = run_source(zygote, source, "g()")
    assert missing.payload is not None
    assert missing.payload["outcome"]["type"] == "ModuleNotFoundError"
    leaving = run_source(zygote, source, "h()")
    assert leaving.payload is not None
    assert leaving.payload["outcome"]["type"] == "SystemExit"


REST_OF_THE_LIBRARY = """
    import concurrent.futures, csv, ctypes, email.mime.text, hashlib, html.parser
    import importlib.resources, logging.handlers, sqlite3, unittest.mock, uuid, xml.dom.minidom

    def f():
        return hashlib.md5(b"").hexdigest(), xml.dom.minidom.parseString("<a/>").toxml()
"""


@pytest.mark.parametrize("off", [(), ("mount",), ("mount", "landlock"), ("user",)])
def test_whole_standard_library_can_be_imported(off: tuple[str, ...]) -> None:
    with Zygote(hash_seed=1, off=frozenset(off)) as one:
        text = value_of(run_source(one, REST_OF_THE_LIBRARY))
    assert ast.literal_eval(text)[0] == "d41d8cd98f00b204e9800998ecf8427e"


def test_each_program_has_an_empty_directory(zygote: Zygote) -> None:
    source = """
        import os, tempfile

        def f():
            before = os.listdir(".")
            open("left", "w").write("x")
            os.makedirs("a/b")
            os.chmod("a", 0)
            with tempfile.NamedTemporaryFile() as file:
                file.write(b"x")
            return before

        def g():
            return os.listdir(".")
    """
    run_source(zygote, source)
    assert value_of(run_source(zygote, source, "g()")) == "[]"


def test_introspection_is_no_crime(zygote: Zygote, tmp_path: Path) -> None:
    source = f"""
        class Shape:
            sides = 0
            def name(self):
                return self.__class__.__name__

        class Square(Shape):
            sides = 4

        def f():
            s = Square()
            s.__dict__["colour"] = "red"
            bases = [b.__name__ for b in Square.__mro__]
            text = "{{0.__class__.__name__}}/{{0.sides}}".format(s)
            return s.name(), bases, text, vars(s)

        def g():
            for c in ().__class__.__base__.__subclasses__():
                if c.__name__ == "_wrap_close":
                    return c.__init__.__globals__["system"]("touch {tmp_path}/marker")
    """
    expected = "('Square', ['Square', 'Shape', 'object'], 'Square/4', {'colour': 'red'})"
    assert value_of(run_source(zygote, source)) == expected
    run_source(zygote, source, "g()")
    assert os.listdir(tmp_path) == []


# Limits.


def test_a_loop_in_c_ends_at_its_limit(zygote: Zygote) -> None:
    source = """
        from collections import deque
        from itertools import repeat

        def f(n):
            deque(repeat(None, n), maxlen=0)
            return n
    """
    begun = time.monotonic()
    raw = run_source(zygote, source, "f(4_000_000_000)")
    assert (raw.status, raw.payload) == ("timeout", None)
    assert "processor time" in raw.detail
    assert time.monotonic() - begun < 8
    assert value_of(run_source(zygote, source, "f(10)")) == "10"


@linux_only
def test_twenty_timeouts_leave_no_zombie(zygote: Zygote) -> None:
    source = "import time\ndef f():\n    time.sleep(600)"
    value_of(run_source(zygote, "def f():\n    return 1"))
    before = descendants()
    statuses = [run_source(zygote, source, limits=Limits(wall_s=0.05)).status for _ in range(20)]
    assert statuses == ["timeout"] * 20
    assert set(descendants()) == set(before)
    assert "Z" not in descendants().values()


def test_memory_is_a_verdict_of_its_own(zygote: Zygote) -> None:
    source = "def f(n):\n    block = [0] * n\n    return len(block)"
    assert value_of(run_source(zygote, source, "f(1_000_000)")) == "1000000"
    assert verdict_of(run_source(zygote, source, "f(2_000_000_000)")) == "memory"


@pytest.mark.parametrize(("extra", "verdict"), [(0, "returned"), (1, "output_limit")])
def test_output_is_limited_by_size(zygote: Zygote, extra: int, verdict: str) -> None:
    source = "def f(n):\n    print('x' * n, end='', flush=True)"
    limits = Limits(output_bytes=5000)
    raw = run_source(zygote, source, f"f({5000 + extra})", limits=limits)
    assert verdict_of(raw) == verdict


def test_verdict_does_not_depend_on_load(zygote: Zygote) -> None:
    source = """
        def f(n):
            total = 0
            for i in range(n):
                total += i * i % 7
            return total
    """
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        job = make_job(source, "f(20000)", limits=Limits())
        values = {value_of(zygote.run(job, Limits())) for _ in range(30)}
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert values == {"39998"}


# The clock.

CLOCK = """
    import datetime, time

    def f():
        own = (
            time.time(), time.time_ns() / 1e9, time.clock_gettime(time.CLOCK_REALTIME),
            time.mktime(time.localtime()), time.mktime(time.gmtime()),
            time.mktime(time.strptime(time.ctime())), time.mktime(time.strptime(time.asctime())),
            float(time.strftime("%s")),
            datetime.datetime.now().timestamp(),
            datetime.datetime.now(datetime.timezone.utc).timestamp(),
            datetime.datetime.today().timestamp(),
            datetime.datetime.utcnow().timestamp(),
        )
        return own, datetime.date.today().isoformat()

    def g():
        class Mine(datetime.datetime):
            pass
        moment = Mine.now(datetime.timezone(datetime.timedelta(hours=2)))
        given = datetime.datetime.fromtimestamp(0, datetime.timezone.utc)
        return (
            type(moment).__name__, moment.utcoffset().seconds, repr(given), str(given.tzinfo),
            type(time.monotonic()).__name__, time.gmtime(0).tm_year, time.time.__name__,
            datetime.datetime.__module__, time.monotonic() < time.monotonic() + 1,
            datetime.datetime.now.__name__,
        )
"""


@pytest.mark.parametrize("python", find_interpreters().values(), ids=find_interpreters())
def test_shifted_clock_moves_all_that_programs_see(python: str) -> None:
    with Zygote(hash_seed=1, shifted_clock=True, python=python) as one:
        moments, today = ast.literal_eval(value_of(run_source(one, CLOCK)))
        types = ast.literal_eval(value_of(run_source(one, CLOCK, "g()")))
    expected = time.time() + SHIFT_NS / 1e9
    assert [m for m in moments if abs(m - expected) > 60] == []
    assert today != time.strftime("%Y-%m-%d", time.gmtime())
    with Zygote(hash_seed=1, python=python) as one:
        moments, _ = ast.literal_eval(value_of(run_source(one, CLOCK)))
        assert types == ast.literal_eval(value_of(run_source(one, CLOCK, "g()")))
    assert [m for m in moments if abs(m - time.time()) > 60] == []


# The zygote itself.


@linux_only
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_dead_zygote_is_replaced(number: int) -> None:
    others = set(descendants())
    with Zygote(hash_seed=1) as one:
        assert value_of(run_source(one, "def f():\n    return 1")) == "1"
        _kill_all(set(descendants()) - others, number)
        time.sleep(0.1)
        assert value_of(run_source(one, "def f():\n    return 2")) == "2"


@linux_only
def test_a_zygote_that_dies_at_work_is_replaced_once() -> None:
    source = "import time\ndef f():\n    time.sleep(1)\n    return 3"
    others = set(descendants())
    with Zygote(hash_seed=1) as one:
        value_of(run_source(one, "def f():\n    return 1"))
        first = set(descendants()) - others
        timer = threading.Timer(0.3, _kill_all, (first, signal.SIGKILL))
        timer.start()
        assert value_of(run_source(one, source)) == "3"
        timer.join()
        assert not wait_until_gone(first)


@linux_only
def test_a_zygote_that_cannot_live_is_our_failure() -> None:
    done = threading.Event()
    others = set(descendants())

    def persecute() -> None:
        while not done.wait(0.02):
            _kill_all(set(descendants()) - others, signal.SIGKILL)

    with Zygote(hash_seed=1) as one:
        hunter = threading.Thread(target=persecute)
        hunter.start()
        try:
            raw = run_source(one, "import time\ndef f():\n    time.sleep(5)")
        finally:
            done.set()
            hunter.join()
        assert raw.status == "infrastructure"
        assert value_of(run_source(one, "def f():\n    return 4")) == "4"


def _kill_all(numbers: set[int], number: int) -> None:
    for process in numbers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def test_an_interpreter_that_is_none_is_named() -> None:
    with Zygote(hash_seed=1, python="/nowhere/python") as one:
        raw = run_source(one, "def f():\n    return 1")
        assert raw.status == "infrastructure"
        assert "/nowhere/python" in raw.detail
        with pytest.raises(OSError, match="cannot be started"):
            one.layers()


@linux_only
def test_closing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(descendants())
    for off in ((), ("mount",), ("pid",)):
        with Zygote(hash_seed=1, off=frozenset(off)) as one:
            run_source(one, "def f():\n    open('x', 'w').write('x')")
            assert set(descendants()) - before
        assert set(descendants()) == before
        assert os.listdir(tmp_path) == []


SCRIPT = """
    import os, sys
    from sandboxes import run_source, value_of
    from tracer.sandbox import Zygote
    one = Zygote(hash_seed=1, off=frozenset(sys.argv[1].split()))
"""


def _script(body: str, off: str = "") -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    text = textwrap.dedent(SCRIPT) + textwrap.dedent(body)
    return subprocess.Popen(
        [sys.executable, "-c", text, off],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root), str(root / "tests")))},
    )


@linux_only
@pytest.mark.parametrize("off", ["", "pid", "pid seccomp"])
def test_zygote_and_child_die_with_their_parent(off: str) -> None:
    body = """
        value_of(run_source(one, "def f():\\n    return 1"))
        print("ready", flush=True)
        run_source(one, "import time\\ndef f():\\n    time.sleep(600)")
    """
    with _script(body, off) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        time.sleep(0.3)
        below = set(descendants(parent.pid))
        assert len(below) >= 2
        parent.kill()
    assert not wait_until_gone(below)


@linux_only
def test_a_fork_of_the_parent_gets_a_zygote_of_its_own() -> None:
    body = """
        mine = value_of(run_source(one, "def f():\\n    return 1"))
        child = os.fork()
        if child == 0:
            good = value_of(run_source(one, "def f():\\n    return 2")) == "2"
            one.close()
            os._exit(0 if good else 1)
        _, status = os.waitpid(child, 0)
        again = value_of(run_source(one, "def f():\\n    return 3"))
        one.close()
        print(mine, status, again)
    """
    with _script(body) as parent:
        text, _ = parent.communicate(timeout=60)
    assert text == "1 0 3\n"


def test_a_forgotten_zygote_ends_with_the_program() -> None:
    with _script("print(value_of(run_source(one, 'def f():\\n    return 1')))") as parent:
        text, _ = parent.communicate(timeout=60)
    assert (text, parent.returncode) == ("1\n", 0)


# The message.


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_a_message_comes_back_whole(report: dict[str, object]) -> None:
    import json

    assert unpack_message(NONCE, pack_message(NONCE, json.dumps(report).encode())) == report


@given(st.data())
def test_a_changed_message_is_refused(data: st.DataObject) -> None:
    message = pack_message(NONCE, b'{"status": "result"}')
    position = data.draw(st.integers(0, len(message) - 1))
    kind = data.draw(st.sampled_from(["flip", "cut", "add", "twice"]))
    if kind == "flip":
        bit = 1 << data.draw(st.integers(0, 7))
        changed = message[:position] + bytes([message[position] ^ bit]) + message[position + 1 :]
    elif kind == "cut":
        changed = message[:position]
    else:
        changed = message + (message if kind == "twice" else b"x")
    with pytest.raises(ProtocolError):
        unpack_message(NONCE, changed)


def test_limits_reach_the_child(zygote: Zygote) -> None:
    source = """
        import resource

        def f():
            names = ("CPU", "FSIZE", "NPROC", "CORE", "NOFILE")
            return [resource.getrlimit(getattr(resource, "RLIMIT_" + n))[0] for n in names]
    """
    assert value_of(run_source(zygote, source)) == f"[1, {SHORT.output_bytes}, 0, 0, 64]"
