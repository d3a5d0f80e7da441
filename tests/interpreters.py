"""The Python interpreters of the supported versions that this machine has."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

VERSIONS = ((3, 11), (3, 12), (3, 13))


@functools.cache
def find_interpreters() -> dict[str, str]:
    """Return ``{"3.11": path, …}``: the running interpreter, then those found beside it."""
    found = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    for major, minor in VERSIONS:
        name = f"{major}.{minor}"
        if name in found:
            continue
        for candidate in _candidates(name):
            if _version_of(candidate) == name:
                found[name] = candidate
                break
    return dict(sorted(found.items()))


def _candidates(name: str) -> list[str]:
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    try:
        installed = [str(p) for p in sorted(root.glob(f"{name}.*/bin/python"), reverse=True)]
    except OSError:
        installed = []
    on_path = shutil.which(f"python{name}")
    return [*([on_path] if on_path else []), *installed]


def _version_of(executable: str) -> str | None:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(
            [executable, "-I", "-c", code], capture_output=True, text=True, timeout=20, check=False
        )
    except OSError:
        return None
    return done.stdout.strip() or None
