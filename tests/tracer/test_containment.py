from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sandboxes import descendants, linux_only, run_source, value_of, verdict_of

from tracer.containment import ContainmentReport, probe_containment
from tracer.inside import linux, seccomp
from tracer.inside.containment import LAYERS
from tracer.inside.folders import empty_folder
from tracer.inside.layers import SWITCH
from tracer.inside.syscalls import CHECKED, syscall_numbers
from tracer.sandbox import Zygote

ROOT = Path(__file__).resolve().parents[2]

# The report.


@pytest.fixture(scope="module")
def whole() -> ContainmentReport:
    return probe_containment()


def test_report_names_every_layer_and_every_reason(whole: ContainmentReport) -> None:
    assert tuple(layer.name for layer in whole.layers) == LAYERS
    assert all(layer.active == (layer.reason == "") for layer in whole.layers)
    assert (whole.level == "full") == all(layer.active for layer in whole.layers)


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_switched_off_is_missing_alone(name: str, whole: ContainmentReport) -> None:
    report = probe_containment(frozenset({name}))
    found = {layer.name: layer.reason for layer in report.layers}
    assert found.pop(name) == "switched off"
    assert found == {layer.name: layer.reason for layer in whole.layers if layer.name != name}
    assert report.level != "full"


ASK_LEVEL = """
from tracer import Call, Program, run
from tracer.containment import probe_containment

report = probe_containment()
print(report.level, [(layer.name, layer.reason) for layer in report.layers if not layer.active])
print(run(Program("def f(x):\\n    return x + 1", "f"), Call("2")).outcome.value)
"""


@linux_only
def test_root_of_a_rootless_container_is_contained_as_well(whole: ContainmentReport) -> None:
    prefix = ["unshare", "--user", "--map-root-user"]
    if shutil.which(prefix[0]) is None or subprocess.run([*prefix, "true"]).returncode:
        pytest.skip("no user namespace can be made here")
    level, value = _ask_level([*prefix, sys.executable], ROOT)
    assert level.split()[0] == whole.level, level
    assert value == "3"


@linux_only
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_an_ordinary_user_is_contained_as_well() -> None:
    python = "/usr/bin/python3"
    version = "import sys; sys.exit(sys.version_info < (3, 11))"
    if not os.path.exists(python) or subprocess.run([python, "-c", version]).returncode:
        pytest.skip("no Python that every user can read")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(ROOT / "tracer", Path(folder) / "tracer")
        level, value = _ask_level([python], Path(folder), user=12345)
    assert level.split()[0] in ("full", "reduced", "rlimits-only"), level
    assert value == "3"


def _ask_level(command: list[str], folder: Path, user: int | None = None) -> list[str]:
    done = subprocess.run(
        [*command, "-c", ASK_LEVEL],
        env={"PYTHONPATH": str(folder), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=folder,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_levels_say_how_much_is_there() -> None:
    kernel = frozenset(LAYERS) - {"rlimits", "memory", "user"}
    assert probe_containment(kernel).level == "rlimits-only"
    assert probe_containment(kernel - {"seccomp"}).level in ("reduced", "rlimits-only")
    assert probe_containment(frozenset(LAYERS)).level == "none"


# With one layer missing the others hold.

INTRUSIONS = {
    "write": "open(OUTSIDE + '/marker', 'w')",
    "read": "print(open(OUTSIDE + '/secret').read())",
    "shell": "os.system(f'touch {OUTSIDE}/marker')",
    "kill the parent": "os.kill(PARENT, signal.SIGKILL)",
    "kill everybody": "os.kill(-1, signal.SIGKILL)",
    "connect": "import socket\n    socket.create_connection(('127.0.0.1', PORT), 2).send(b'x')",
    "escape": (
        "import time\n    for _ in range(3):\n        if os.fork() == 0:\n            os.setsid()\n"
        "            os.fork()\n            time.sleep(60)"
    ),
    "thread": "import threading, time\n    threading.Thread(target=time.sleep, args=(60,)).start()",
}


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        yield server


@linux_only
@pytest.mark.parametrize("off", ["", *LAYERS])
def test_no_intrusion_with_one_layer_missing(
    off: str, tmp_path: Path, listener: socket.socket, whole: ContainmentReport
) -> None:
    if whole.level != "full":
        pytest.skip("this machine lacks a layer already")
    (tmp_path / "secret").write_text("a secret")
    head = (
        f"import os, signal\nOUTSIDE, PARENT = {str(tmp_path)!r}, {os.getpid()}\n"
        f"PORT = {listener.getsockname()[1]}\n"
    )
    with Zygote(hash_seed=1, off=frozenset({off} - {""})) as one:
        value_of(run_source(one, "def f():\n    return 1"))
        before = set(descendants())
        for name, body in INTRUSIONS.items():
            raw = run_source(one, f"{head}def f():\n    {body}\n")
            assert "a secret" not in str(raw.payload), name
            assert verdict_of(raw) in ("blocked", "raised", "returned", "crashed"), (name, raw)
            assert os.listdir(tmp_path) == ["secret"], name
            assert set(descendants()) == before, name
            with pytest.raises(BlockingIOError):
                listener.accept()
        assert value_of(run_source(one, "def f():\n    return 2")) == "2"


@linux_only
@pytest.mark.parametrize("off", [("pid", "seccomp", "rlimits"), ("seccomp", "rlimits", "user")])
def test_descendants_are_hunted_down_where_forks_are_possible(off: tuple[str, ...]) -> None:
    source = """
        import os, time

        def f():
            for _ in range(5):
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        time.sleep(60)
                    time.sleep(60)
            print("forked")
    """
    with Zygote(hash_seed=1, off=frozenset(off)) as one:
        value_of(run_source(one, "def f():\n    return 1"))
        before = set(descendants())
        for _ in range(3):
            raw = run_source(one, source)
            assert raw.payload is not None
            assert raw.payload["stdout"] == "forked\n"
            assert set(descendants()) == before


# The system call filter, by an interpreter of its own instructions.

ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050001
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
OWN = 4321


def decide(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Return what the filter of ``machine`` answers to one system call."""
    data = struct.pack(
        "=IIQ6Q",
        number,
        architecture or ARCHITECTURES[machine],
        0,
        *(value & (1 << 64) - 1 for value in (*arguments, *[0] * 6)[:6]),
    )
    program = seccomp.write_filter(machine, OWN)
    accumulator = at = 0
    while True:
        kind, yes, no, value = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        if kind == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif kind == 0x54:
            accumulator &= value
        elif kind == 0x06:
            return int(value)
        else:
            holds = {0x15: accumulator == value, 0x25: accumulator > value}.get(
                kind, accumulator >= value
            )
            at += yes if holds else no


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_filter_allows_exactly_the_listed_calls(machine: str) -> None:
    numbers = syscall_numbers(machine)
    free = {number for name, number in numbers.items() if name not in CHECKED}
    checked = {numbers[name] for name in CHECKED}
    for number in range(600):
        if number not in checked:
            expected = ALLOW if number in free else REFUSE
            assert decide(machine, number) == expected, number


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("kill", (OWN, signal.SIGUSR1), ALLOW),
        ("kill", (OWN, signal.SIGKILL), REFUSE),
        ("kill", (OWN, signal.SIGSTOP), REFUSE),
        ("kill", (OWN + 1, 0), REFUSE),
        ("kill", (0, signal.SIGTERM), REFUSE),
        ("kill", (-1, signal.SIGTERM), REFUSE),
        ("tkill", (1, signal.SIGTERM), REFUSE),
        ("tgkill", (OWN, OWN, signal.SIGABRT), ALLOW),
        ("tgkill", (OWN, OWN, signal.SIGKILL), REFUSE),
        ("tgkill", (1, 1, signal.SIGTERM), REFUSE),
        ("prlimit64", (0, 7, 0, 1), ALLOW),
        ("prlimit64", (OWN, 7, 0, 1), ALLOW),
        ("prlimit64", (1, 7, 0, 1), REFUSE),
        ("prlimit64", (0, 7, 0x7FFE_0000_0010, 0), REFUSE),
        ("prlimit64", (0, 7, 0x7FFE_0000_0000, 0), REFUSE),
        ("socketpair", (1, 1, 0), ALLOW),
        ("socketpair", (1, 1 | 0o2000000, 0), ALLOW),
        ("socketpair", (1, 2, 0), REFUSE),
        ("socketpair", (2, 1, 0), REFUSE),
        ("fcntl", (3, 1030, 10), ALLOW),
        ("fcntl", (3, 8, 1), REFUSE),
        ("fcntl", (3, 15, 1), REFUSE),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x5412), REFUSE),
        ("prctl", (15, 0), ALLOW),
        ("prctl", (4, 1), REFUSE),
    ],
)
def test_filter_looks_at_arguments(
    machine: str, name: str, arguments: tuple[int, ...], answer: int
) -> None:
    assert decide(machine, syscall_numbers(machine)[name], *arguments) == answer


def test_filter_kills_foreign_conventions() -> None:
    assert decide("x86_64", 1, architecture=0x40000003) == KILL
    assert decide("x86_64", 0x40000000 | 1) == KILL
    assert decide("aarch64", 64, architecture=0x40000028) == KILL


def test_a_machine_without_a_table_is_a_reason() -> None:
    assert syscall_numbers("vax") == {}
    with pytest.raises(OSError, match="vax"):
        seccomp.Filter("vax")


@linux_only
@pytest.mark.skipif(linux.MACHINE != "x86_64", reason="the bytes are those of x86-64")
def test_a_foreign_call_is_blocked() -> None:
    source = """
        import ctypes, mmap

        def f():
            code = bytes.fromhex("b814000000cd80c3")  # mov eax, 20; int 0x80; ret
            memory = mmap.mmap(-1, 4096, prot=7)
            memory.write(code)
            address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
            return ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    """
    with Zygote(hash_seed=1) as one:
        if not {name: active for name, active, _ in one.layers()}["seccomp"]:
            pytest.skip("no seccomp here")
        assert run_source(one, source).status == "blocked"


# Emptying a directory.

TREES = st.recursive(
    st.sampled_from(["file", "link", "closed"]),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


def _grow(place: Path, tree: object) -> None:
    if isinstance(tree, dict):
        place.mkdir()
        for name, inner in tree.items():
            _grow(place / name, inner)
        place.chmod(0o500)
    elif tree == "link":
        place.symlink_to("/etc")
    else:
        place.write_text("x")
        if tree == "closed":
            place.chmod(0)


@given(st.dictionaries(st.sampled_from("abc"), TREES))
def test_any_tree_is_removed(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, object]
) -> None:
    place = tmp_path_factory.mktemp("tree") / "root"
    _grow(place, tree)
    descriptor = os.open(place, os.O_RDONLY)
    try:
        empty_folder(descriptor)
    finally:
        os.close(descriptor)
    assert os.listdir(place) == []
    assert Path("/etc/passwd").exists()


def test_a_path_too_long_for_the_system_is_removed(tmp_path: Path) -> None:
    here = os.getcwd()
    try:
        os.chdir(tmp_path)
        for _ in range(60):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
    finally:
        os.chdir(here)
    descriptor = os.open(tmp_path, os.O_RDONLY)
    empty_folder(descriptor)
    os.close(descriptor)
    assert os.listdir(tmp_path) == []


# The switch in the environment.


def test_layers_are_switched_off_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, whole: ContainmentReport
) -> None:
    monkeypatch.setenv(SWITCH, "landlock, seccomp,")
    reasons = {layer.name: layer.reason for layer in probe_containment().layers}
    assert (reasons.pop("landlock"), reasons.pop("seccomp")) == ("switched off", "switched off")
    assert reasons == {layer.name: layer.reason for layer in whole.layers if layer.name in reasons}
    with Zygote(hash_seed=1, off=frozenset()) as one:  # what the caller says wins
        assert [layer[0] for layer in one.layers() if layer[2] == "switched off"] == []


def test_a_switch_that_is_no_layer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "landlock,selinux")
    with pytest.raises(ValueError, match="names selinux; layers are rlimits, memory, user, pid"):
        Zygote(hash_seed=1)
