from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sandboxes import (
    SHORT,
    descendants,
    linux_only,
    make_job,
    run_source,
    value_of,
    verdict_of,
)

from tracer.records import Limits
from tracer.sandbox import Zygote


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
    import concurrent.futures, csv, email.mime.text, hashlib, html.parser
    import importlib.resources, logging.handlers, sqlite3, unittest.mock, uuid, xml.dom.minidom

    def f():
        return hashlib.md5(b"").hexdigest(), xml.dom.minidom.parseString("<a/>").toxml()
"""


@pytest.mark.parametrize("off", [(), ("mount",), ("mount", "landlock"), ("user",)])
def test_whole_standard_library_can_be_imported(off: tuple[str, ...]) -> None:
    with Zygote(hash_seed=1, off=frozenset(off)) as one:
        text = value_of(run_source(one, REST_OF_THE_LIBRARY, limits=Limits()))
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


def test_limits_reach_the_child(zygote: Zygote) -> None:
    source = """
        import resource

        def f():
            names = ("CPU", "FSIZE", "NPROC", "CORE", "NOFILE")
            return [resource.getrlimit(getattr(resource, "RLIMIT_" + n))[0] for n in names]
    """
    assert value_of(run_source(zygote, source)) == f"[1, {SHORT.output_bytes}, 0, 0, 64]"
