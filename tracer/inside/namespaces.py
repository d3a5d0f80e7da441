"""Namespaces, and a private root directory, for the zygote and its children.

The private root is a read-only ``tmpfs`` that holds read-only views of the standard library, of
the system's shared libraries and of a few devices, and one small writable directory. So the
standard library stays importable for an unprivileged user even when it lies under a closed home.

Source: Linux ``namespaces(7)``, ``user_namespaces(7)``, ``pivot_root(2)``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from tracer.inside import linux

NOBODY = 65534
WORK_FOLDER = "/program"
_ROOT_OPTIONS = "mode=0755,size=1m,nr_inodes=1024"
_WORK_OPTIONS = f"mode=0700,uid={NOBODY},gid={NOBODY},size=64m,nr_inodes=8192"

NAMESPACES = {
    "pid": linux.CLONE_NEWPID,
    "mount": linux.CLONE_NEWNS,
    "network": linux.CLONE_NEWNET,
    "ipc": linux.CLONE_NEWIPC,
}
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
_LIBRARIES = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/lib32", "/nix/store")
_DATA = ("/usr/share/zoneinfo", "/etc/ld.so.cache")


def readable_paths() -> tuple[str, ...]:
    """Return what a program may read: Python's library, shared libraries, time zones, devices."""
    own = os.path.dirname(os.__file__)
    return (*sys.path, own, os.path.dirname(own), *_LIBRARIES, *_DATA, *DEVICES)


def separate(off: Iterable[str]) -> dict[str, str]:
    """Move this process (for ``pid``: its children) to new namespaces.

    Returns:
        For each of :data:`NAMESPACES` that could not be entered, why.
    """
    missing = {name: "switched off" for name in NAMESPACES if name in off}
    wanted = [name for name in NAMESPACES if name not in missing]
    if linux.MISSING is not None:
        return missing | dict.fromkeys(wanted, linux.MISSING)
    if wanted and (os.geteuid() != 0 or not _has_nobody()):
        try:
            _become_nobody_inside()
        except OSError as error:
            reason = f"an ordinary user needs user namespaces: {error.strerror}"
            return missing | dict.fromkeys(wanted, reason)
    for name in wanted:
        try:
            linux.unshare(NAMESPACES[name])
        except OSError as error:
            missing[name] = f"unshare: {error.strerror}"
    return missing


def _has_nobody() -> bool:
    """Whether the user nobody exists here: root of a rootless container may have no other user."""
    for name in ("uid_map", "gid_map"):
        with open(f"/proc/self/{name}", encoding="ascii") as file:
            ranges = [tuple(map(int, line.split())) for line in file]
        if not any(inside <= NOBODY < inside + size for inside, _, size in ranges):
            return False
    return True


def _become_nobody_inside() -> None:
    uid, gid = os.geteuid(), os.getegid()
    linux.unshare(linux.CLONE_NEWUSER)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{NOBODY} {uid} 1"),
        ("gid_map", f"{NOBODY} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def enter_private_root(folder: str) -> None:
    """Build the private root on ``folder``, an empty directory, and move into it.

    Raises:
        OSError: the kernel refuses; then nothing has changed that a program could see.
    """
    linux.mount("none", "/", None, linux.MS_REC | linux.MS_PRIVATE)
    flags = linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("tmpfs", folder, "tmpfs", flags, _ROOT_OPTIONS)
    try:
        for path in _outermost(readable_paths()):
            _show(path, folder + path)
        work = folder + WORK_FOLDER
        os.mkdir(work)
        linux.mount("tmpfs", work, "tmpfs", flags | linux.MS_NOEXEC, _WORK_OPTIONS)
        linux.change_root(folder)
    except OSError:
        linux.unmount(folder)
        raise
    linux.mount("none", "/", None, linux.MS_REMOUNT | linux.MS_RDONLY | flags, _ROOT_OPTIONS)


def _outermost(paths: Iterable[str]) -> list[str]:
    chosen: list[str] = []
    for path in sorted(set(paths), key=lambda path: (path.count("/"), path)):
        covered = any(path.startswith(f"{above}/") for above in chosen)
        if path.startswith("/") and os.path.exists(path) and not covered:
            chosen.append(path)
    return chosen


def _show(source: str, target: str) -> None:
    """Make ``source`` visible, read-only, as ``target``."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(source) and not os.path.isabs(os.readlink(source)):
        os.symlink(os.readlink(source), target)
        return
    if os.path.isdir(source):
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL, 0o644))
    linux.mount(source, target, None, linux.MS_BIND | linux.MS_REC)
    kept = os.statvfs(source).f_flag & (linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    extra = linux.MS_NOSUID if source in DEVICES else linux.MS_NOSUID | linux.MS_RDONLY
    linux.mount("none", target, None, linux.MS_REMOUNT | linux.MS_BIND | kept | extra)
