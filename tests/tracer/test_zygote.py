"""How the zygote lives, dies and is replaced."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path

import pytest
from sandboxes import descendants, linux_only, run_source, value_of, wait_until_gone

from tracer.sandbox import Zygote


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


def _script(body: str, off: str = "", place: Path | None = None) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    text = textwrap.dedent(SCRIPT) + textwrap.dedent(body)
    return subprocess.Popen(
        [sys.executable, "-c", text, off],
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(root), str(root / "tests"))),
            "TMPDIR": str(place or tempfile.gettempdir()),
        },
    )


@linux_only
@pytest.mark.parametrize("off", ["", "pid", "pid seccomp"])
def test_zygote_and_child_die_with_their_parent(off: str, tmp_path: Path) -> None:
    body = """
        value_of(run_source(one, "def f():\\n    return 1"))
        print("ready", flush=True)
        run_source(one, "import time\\ndef f():\\n    time.sleep(600)")
    """
    with _script(body, off, tmp_path) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        time.sleep(0.3)
        below = set(descendants(parent.pid))
        assert len(below) >= 2
        parent.kill()
    assert not wait_until_gone(below)
    left = list(tmp_path.glob("*" if "pid" not in off else "*/*"))
    assert left == []


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
