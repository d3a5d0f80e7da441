"""Puts the zygote, and then each child, behind every layer that the platform offers.

Each layer is tried once, when the zygote starts; one that is missing is reported by name with the
reason. A layer in force that then fails in a child stops the job: no program ever runs behind fewer
layers than were reported.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from tracer.inside import landlock, linux, namespaces, seccomp
from tracer.inside.layers import LAYERS
from tracer.inside.limits import (
    address_space,
    highest_descriptor,
    impose,
    memory_ceilings,
    resource_ceilings,
)

Step: TypeAlias = tuple[str, Callable[[], None]]

_JOB_FOLDER = "job"
_PROBE_LIMITS = {"cpu_s": 1.0, "output_bytes": 65536, "memory_bytes": 64 * 1024 * 1024}


@dataclass(slots=True)
class Containment:
    """What the zygote holds ready for its children."""

    missing: dict[str, str]
    """Reason by the name of each layer that is not in force."""
    work: int = -1
    """Descriptor of the directory in which programs work."""
    ruleset: int = -1
    """Descriptor of the Landlock rules."""
    system_filter: seccomp.Filter | None = None
    base: int = 0
    """Address space of a child before it runs anything, in bytes."""
    library: dict[str, int] = field(default_factory=dict)
    """Descriptors, by path, through which a standard library in a closed folder is reached."""
    children: int = -1
    """Descriptor of the kernel's list of this process's children."""
    home: tuple[int, str] = (-1, "")
    """Where the zygote's directory lies (a descriptor) and its name there."""

    def has(self, layer: str) -> bool:
        """Tell whether ``layer`` is in force."""
        return layer not in self.missing

    def enter_work_folder(self) -> None:
        """Make an empty directory of the program's own the current one."""
        if self.has("mount"):
            os.fchdir(self.work)
            return
        os.mkdir(_JOB_FOLDER, 0o700, dir_fd=self.work)
        inner = os.open(_JOB_FOLDER, os.O_RDONLY | os.O_DIRECTORY, dir_fd=self.work)
        os.fchdir(inner)
        os.close(inner)

    def remove_home(self) -> None:
        """Remove the zygote's own directory, at the end and as far as that is possible."""
        place, name = self.home
        with contextlib.suppress(OSError):
            os.rmdir(name, dir_fd=place)

    def report(self) -> list[tuple[str, bool, str]]:
        """Return ``(name, in force, reason if not)`` for every layer."""
        return [(name, self.has(name), self.missing.get(name, "")) for name in LAYERS]


def contain_zygote(folder: str, off: Collection[str]) -> Containment:
    """Contain this process, which must have a single thread and have loaded all it needs.

    With the ``pid`` layer the caller goes on in a *new* process, number 1 of its namespace; the
    old one only waits for it to end.

    Args:
        folder: an empty directory of our own.
        off: layers to leave out.
    """
    known = {path: os.open(path, os.O_RDONLY) for path in sys.path if os.path.isdir(path)}
    place, name = os.path.split(folder)
    here = Containment({}, library=known, home=(os.open(place, os.O_RDONLY), name))
    here.missing.update(namespaces.separate(off))
    if here.has("pid"):
        _continue_as_first(here)
    elif linux.MISSING is None:
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        with contextlib.suppress(OSError):
            name = f"/proc/self/task/{os.getpid()}/children"
            here.children = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
    _try(here, off, "memory", lambda: setattr(here, "base", address_space()))
    if here.has("mount"):
        _try(here, off, "mount", lambda: namespaces.enter_private_root(folder))
    place = namespaces.WORK_FOLDER if here.has("mount") else folder
    here.work = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    _try(here, off, "user", lambda: _drop_privileges(here.work))
    if linux.MISSING is None:
        linux.prctl(linux.PR_SET_DUMPABLE, 0)
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        if here.has("pid"):
            linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    _reach_library(here)
    _try(here, off, "landlock", lambda: setattr(here, "ruleset", _make_ruleset(here)))
    _try(here, off, "seccomp", lambda: setattr(here, "system_filter", _make_filter()))
    _try(here, off, "rlimits", lambda: None)
    here.missing.update(_probe(here))
    return here


def plan_child(here: Containment, limits: dict[str, Any]) -> tuple[Step, ...]:
    """Prepare, in the zygote, how a child is contained: ``(layer, what the child is to call)``."""
    steps: list[Step] = []
    if linux.MISSING is None and not here.has("pid"):
        steps.append(("pid", partial(linux.prctl, linux.PR_SET_PDEATHSIG, signal.SIGKILL)))
    if here.has("rlimits"):
        steps.append(("rlimits", partial(impose, resource_ceilings(limits))))
    if here.has("memory"):
        steps.append(("memory", partial(impose, memory_ceilings(here.base, limits))))
    if here.has("landlock"):
        steps.append(("landlock", partial(landlock.restrict, here.ruleset)))
    if here.system_filter is not None and here.has("seccomp"):
        steps.append(("seccomp", here.system_filter.install))
    return tuple(steps)


def _try(here: Containment, off: Collection[str], name: str, step: Callable[[], None]) -> None:
    if name in off:
        here.missing[name] = "switched off"
        return
    try:
        step()
    except OSError as error:
        here.missing[name] = error.strerror or str(error)


def _continue_as_first(here: Containment) -> None:
    first = os.fork()
    if first:
        place, _ = here.home
        os.closerange(3, place)
        os.closerange(place + 1, highest_descriptor())
        _, status = os.waitpid(first, 0)
        here.remove_home()
        os._exit(0 if status == 0 else 1)
    # Numbers that differ from zygote to zygote show that a result depends on them.
    with contextlib.suppress(OSError):
        number = 1000 + int.from_bytes(os.urandom(2), "big") % 25000
        with open("/proc/sys/kernel/ns_last_pid", "w", encoding="ascii") as file:
            file.write(str(number))


def _drop_privileges(work: int) -> None:
    if os.geteuid() == 0:
        os.fchown(work, namespaces.NOBODY, namespaces.NOBODY)
        os.setgroups([])
        os.setresgid(*[namespaces.NOBODY] * 3)
        os.setresuid(*[namespaces.NOBODY] * 3)
    if linux.MISSING is None:
        linux.drop_capabilities()


def _reach_library(here: Containment) -> None:
    """Reach a standard library that lies in a closed folder through descriptors opened before."""
    closed = not all(os.access(path, os.R_OK | os.X_OK) for path in here.library)
    if not closed:
        for descriptor in here.library.values():
            os.close(descriptor)
        here.library = {}
        return
    for number, (path, descriptor) in enumerate(here.library.items(), 1):
        high = highest_descriptor() - number
        os.dup2(descriptor, high, inheritable=False)
        os.close(descriptor)
        here.library[path] = high
    _rewrite_paths({path: f"/proc/self/fd/{high}" for path, high in here.library.items()})


def _rewrite_paths(new: dict[str, str]) -> None:
    sys.path[:] = [new[path] for path in sys.path if path in new]
    for module in list(sys.modules.values()):
        folders = getattr(module, "__path__", None)
        if isinstance(folders, list):
            for old in new:
                folders[:] = [
                    new[old] + folder[len(old) :] if folder.startswith(f"{old}/") else folder
                    for folder in folders
                ]


def _make_ruleset(here: Containment) -> int:
    if linux.MISSING is not None:
        raise OSError(linux.MISSING)
    if here.has("mount"):
        return landlock.make_ruleset(["/"], [namespaces.WORK_FOLDER, "/dev/null"])
    readable: list[int | str] = [*here.library.values(), *namespaces.readable_paths()]
    return landlock.make_ruleset(readable, [here.work, "/dev/null"])


def _make_filter() -> seccomp.Filter:
    if linux.MISSING is not None:
        raise OSError(linux.MISSING)
    return seccomp.Filter()


def _probe(here: Containment) -> dict[str, str]:
    """Let a child enter every layer; return the reasons of those that are refused."""
    plan = plan_child(here, _PROBE_LIMITS)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        failed: dict[str, str] = {}
        for name, step in plan:
            try:
                step()
            except (OSError, ValueError) as error:
                failed[name] = getattr(error, "strerror", None) or str(error)
        os.write(writing, json.dumps(failed).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    found: dict[str, str] = json.loads(text) if text else {"seccomp": "it ends the process"}
    return found
