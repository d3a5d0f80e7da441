"""One attack per test: each gets its verdict, this machine is untouched, the queue goes on."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sandboxes import SHORT, descendants, run_source, value_of, verdict_of

from tracer.inside.protocol import pack_message
from tracer.records import Limits
from tracer.sandbox import Zygote


@dataclass(frozen=True)
class Attack:
    """What a program does; it prints the name of what stopped it."""

    body: str
    """Body of ``f()``; ``OUTSIDE`` is a directory of this machine, ``PARENT`` the test."""
    verdicts: str
    """Acceptable verdicts, between blanks."""
    stopped_by: str | None = None
    """What the program saw, where it may go on."""
    limits: Limits = SHORT


PATIENT = replace(SHORT, cpu_s=5.0)
"""For attacks that must reach another limit than that of the processor, on a busy machine too."""

ATTACKS = {
    # The eleven that every sandbox is measured by.
    "memory": Attack(
        "x = []\nwhile True: x.append(bytearray(10_000_000))", "memory", limits=PATIENT
    ),
    "write outside": Attack("open(OUTSIDE + '/marker', 'w')", "blocked", "FileNotFoundError"),
    "big file": Attack("h = open('big', 'wb')\nwhile True: h.write(bytes(65536))", "output_limit"),
    "read a secret": Attack(
        "print(open(OUTSIDE + '/secret').read())", "raised", "FileNotFoundError"
    ),
    "network": Attack("import socket\nsocket.socket()", "blocked", "PermissionError"),
    "fork": Attack("while True: os.fork()", "blocked", "PermissionError"),
    "exec": Attack("os.execv('/bin/sh', ['sh', '-c', 'true'])", "blocked", "PermissionError"),
    "thread": Attack(
        "import threading\nthreading.Thread(target=print).start()", "blocked raised", "RuntimeError"
    ),
    "kill the parent": Attack("os.kill(PARENT, 9)", "blocked", "PermissionError"),
    "fork by libc": Attack(
        "import ctypes\nc = ctypes.CDLL(None)\nassert c.fork() == -1\n"
        "assert c.system(f'touch {OUTSIDE}/marker'.encode()) != 0",
        "blocked",
    ),
    "processor": Attack("while True: pass", "timeout"),
    # Their siblings: other processes.
    "kill the zygote": Attack("os.kill(os.getppid(), 9)", "blocked", "PermissionError"),
    "kill everybody": Attack("os.kill(-1, 9)", "blocked", "PermissionError"),
    "stop oneself": Attack("os.kill(os.getpid(), signal.SIGSTOP)", "blocked", "PermissionError"),
    "stop the group": Attack("os.killpg(0, signal.SIGSTOP)", "blocked raised", "PermissionError"),
    "double fork": Attack("if not os.fork(): os.setsid()", "blocked", "PermissionError"),
    "subprocess": Attack("import subprocess\nsubprocess.run(['ls'])", "blocked", "PermissionError"),
    "system": Attack("os.system(f'touch {OUTSIDE}/marker')", "blocked"),
    "trace the zygote": Attack(
        "import ctypes\nc = ctypes.CDLL(None)\nassert c.ptrace(16, os.getppid(), 0, 0) == -1",
        "blocked",
    ),
    "own memory by file": Attack("open('/proc/self/mem', 'r+b')", "blocked", "FileNotFoundError"),
    "mount": Attack(
        "import ctypes\nc = ctypes.CDLL(None)\nassert c.mount(b'a', b'.', b'tmpfs', 0, 0) == -1\n"
        "assert c.unshare(0x10000000) == -1",
        "blocked",
    ),
    "more limits": Attack(
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))",
        "raised",
        "ValueError",
    ),
    # Ways to end.
    "_exit": Attack("os._exit(0)", "crashed"),
    "_exit with a code": Attack("os._exit(3)", "crashed"),
    "sys.exit": Attack("sys.exit(3)", "raised", "SystemExit"),
    "abort": Attack("os.abort()", "crashed"),
    "terminate oneself": Attack("signal.raise_signal(signal.SIGTERM)", "crashed"),
    "segmentation fault": Attack("import ctypes\nctypes.string_at(0)", "crashed blocked"),
    "recursion in C": Attack(
        "sys.setrecursionlimit(10**9)\nx = []\nfor _ in range(10**6): x = [x]\nrepr(x)",
        "crashed timeout memory",
    ),
    "exit hook": Attack("import atexit\natexit.register(os._exit, 7)", "returned"),
    "raising finalizer": Attack(
        "class A:\n    def __del__(self): raise ValueError\nA()", "returned"
    ),
    "sleep": Attack("import time\ntime.sleep(600)", "timeout", limits=Limits(wall_s=0.5)),
    "ignored signals": Attack(
        "for n in (signal.SIGTERM, signal.SIGXCPU): signal.signal(n, signal.SIG_IGN)\n"
        "while True: pass",
        "timeout",
    ),
    # Forgery.
    "close every descriptor": Attack(
        "for n in range(5000):\n    try: os.close(n)\n    except OSError: pass", "crashed"
    ),
    "garbage to every descriptor": Attack(
        "for n in range(3, 5000):\n    try: os.write(n, b'garbage')\n    except OSError: pass",
        "crashed",
    ),
    "forged result": Attack(
        "for n in range(3, 5000):\n    try: os.write(n, FORGED)\n    except OSError: pass\n"
        "os._exit(0)",
        "crashed",
    ),
    "flood every descriptor": Attack(
        "for n in range(3, 5000):\n    try:\n        while True: os.write(n, bytes(65536))\n"
        "    except OSError: pass",
        "crashed",
    ),
    "replaced tools": Attack(
        "import builtins, json\n"
        "json.dumps = json.JSONEncoder.encode = json.encoder.c_make_encoder = None\n"
        "os._exit = os.write = os.lseek = print\n"
        "for n in ('len', 'isinstance', 'bytes', 'memoryview', 'str'): setattr(builtins, n, None)",
        "returned",
    ),
    # Its directory and its output.
    "remove the directory": Attack("os.rmdir(os.getcwd())", "raised returned"),
    "close the directory": Attack("os.mkdir('a')\nos.chmod('.', 0)", "blocked returned"),
    "fill the disk": Attack(
        "for i in range(10**6): open(f'f{i}', 'wb').write(bytes(1_000_000))", "raised timeout"
    ),
    "deep directories": Attack(
        "for _ in range(1200):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)", "returned"
    ),
    "print for ever": Attack("while True: print('x' * 1000)", "output_limit"),
    "print for ever, unheard": Attack(
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nwhile True: print('x' * 1000)", "raised"
    ),
    "a big result": Attack("return 'x' * 10**8", "returned memory"),
}
FORGED = pack_message(bytes(16), b'{"status": "result", "payload": {}, "detail": ""}')


def program_of(attack: Attack, outside: Path) -> str:
    """Return a module whose ``f`` attacks, and prints what stopped it before raising it again."""
    body = "\n".join(f"        {line}" for line in attack.body.splitlines())
    return (
        "import os, signal, sys\n"
        f"OUTSIDE, PARENT, FORGED = {str(outside)!r}, {os.getpid()}, {FORGED!r}\n"
        f"def f():\n    try:\n{body}\n"
        "    except BaseException as error:\n"
        "        sys.stdout.write(type(error).__name__)\n"
        "        raise\n"
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text("a secret")
    return outside, tmp_path_factory.mktemp("sandbox")


@pytest.fixture(scope="module")
def zygote(folders: tuple[Path, Path]) -> Iterator[Zygote]:
    with pytest.MonkeyPatch.context() as patch, Zygote(hash_seed=1) as found:
        patch.setattr(tempfile, "tempdir", str(folders[1]))
        if not {name: active for name, active, _ in found.layers()}["seccomp"]:
            pytest.skip("without seccomp some of these would harm this machine")
        value_of(run_source(found, "def f():\n    return 1"))
        yield found


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(name: str, zygote: Zygote, folders: tuple[Path, Path]) -> None:
    attack, outside = ATTACKS[name], folders[0]
    complete = all(active for _, active, _ in zygote.layers())
    before = descendants()
    raw = run_source(zygote, program_of(attack, outside), limits=attack.limits)
    assert verdict_of(raw) in attack.verdicts.split(), raw
    if raw.payload is not None:
        assert "a secret" not in str(raw.payload)
        if attack.stopped_by is not None and complete:
            assert raw.payload["stdout"] == attack.stopped_by
    assert descendants().keys() == before.keys()
    assert "Z" not in descendants().values()
    assert os.listdir(outside) == ["secret"]
    here = [path for path in folders[1].rglob("*") if path.name != "job"]
    assert [path.parent for path in here] == [folders[1]]
    listing = run_source(zygote, "import os\ndef f():\n    return os.listdir('.'), os.getcwd()[:1]")
    assert value_of(listing) == "([], '/')"


def test_nothing_is_left_at_the_end(folders: tuple[Path, Path], zygote: Zygote) -> None:
    zygote.close()
    assert os.listdir(folders[1]) == []


def test_unread_input_and_endless_output_together(zygote: Zygote) -> None:
    raw = run_source(zygote, "while True: print('x')", None, stdin="y" * 5_000_000)
    assert raw.status == "output_limit"
    assert value_of(run_source(zygote, "def f():\n    return 1")) == "1"
