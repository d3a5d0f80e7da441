"""Looks at the machine: what is installed, what the sandbox can do, what each lack costs."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["ok", "missing", "warning"]

DISTRIBUTION = "tracefoundry"
EXTRAS = {
    "train": "no training and no evaluation of models, no measured difficulty",
    "vllm": "no programs, rationales or measurements from a local vLLM server",
    "ray": "no builds on a cluster; one machine does all the work",
    "plots": "no pictures of training curves",
}
"""What each extra of the distribution is needed for."""
PYTHONS = ("3.11", "3.12", "3.13")
LOW_DISK_BYTES = 2 * 1024**3
PROBE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    area: str
    """``python``, ``package``, ``extra``, ``gpu``, ``sandbox``, ``interpreter``, …"""
    name: str
    status: Status
    found: str
    """What is there, or why it is not."""
    cost: str = ""
    """What does not work without it."""
    mend: str = ""
    """What to type or do."""


def examine(folder: Path | None = None) -> tuple[Check, ...]:
    """Look at everything; ``folder`` is where the disk space is measured (default: here)."""
    return (
        *_check_python(),
        *_check_packages(),
        *_check_extras(),
        *_check_gpu(),
        *_check_sandbox(),
        *_check_interpreters(),
        _check_disk(folder or Path.cwd()),
        _check_token(),
    )


def _check_python() -> list[Check]:
    version = platform.python_version()
    minor = ".".join(version.split(".")[:2])
    tested = minor in PYTHONS
    checks = [
        Check(
            "python",
            "interpreter",
            "ok" if tested else "warning",
            f"{version} ({sys.executable})",
            "" if tested else "not tested on this version",
            "" if tested else f"use Python {', '.join(PYTHONS)}",
        ),
        Check("python", "platform", "ok", f"{platform.system()} {platform.machine()}"),
    ]
    if sys.platform == "win32":
        checks[1] = Check(
            "python",
            "platform",
            "missing",
            "Windows",
            "programs cannot be run: the sandbox needs POSIX",
            "install WSL (`wsl --install`) and use tracefoundry inside it",
        )
    return checks


def _check_packages() -> list[Check]:
    """One check for each package that the base install requires."""
    checks = []
    for name in _requirements().get(None, []):
        version = _installed(name)
        mend = f"pip install {DISTRIBUTION}"
        checks.append(
            Check("package", name, "ok", version)
            if version
            else Check("package", name, "missing", "not installed", "the install is broken", mend)
        )
    return checks


def _check_extras() -> list[Check]:
    """One check for each extra, with all of its packages."""
    checks = []
    for extra, cost in EXTRAS.items():
        versions = {name: _installed(name) for name in _requirements().get(extra, [])}
        lacking = [name for name, version in versions.items() if not version]
        there = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
        mend = f"pip install '{DISTRIBUTION}[{extra}]'"
        checks.append(
            Check("extra", extra, "missing", f"without {', '.join(lacking)}", cost, mend)
            if lacking
            else Check("extra", extra, "ok", there)
        )
    return checks


def _installed(name: str) -> str:
    """Version of an installed package, or empty text."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _requirements() -> dict[str | None, list[str]]:
    """Names of the required packages by extra, ``None`` standing for the base install."""
    import re

    found: dict[str | None, list[str]] = {}
    for requirement in metadata.requires(DISTRIBUTION) or []:
        name = re.match(r"[A-Za-z0-9._-]+", requirement)
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", requirement)
        if name:
            found.setdefault(extra.group(1) if extra else None, []).append(name.group())
    return found


def _check_gpu() -> list[Check]:
    cost = "training and vLLM run on the processor, slowly; building data needs no GPU"
    smi = shutil.which("nvidia-smi")
    names = ""
    if smi:
        query = [smi, "--query-gpu=name,memory.total", "--format=csv,noheader"]
        names = "; ".join(_output(query).splitlines())
    checks = [
        Check("gpu", "NVIDIA", "ok", names)
        if names
        else Check("gpu", "NVIDIA", "missing", "no GPU found", cost)
    ]
    if not _installed("torch"):
        return checks
    code = "import torch; print(torch.version.cuda or 'no', torch.cuda.is_available())"
    cuda, _, usable = _output([sys.executable, "-c", code], seconds=60).partition(" ")
    if usable == "True":
        checks.append(Check("gpu", "torch", "ok", f"CUDA {cuda} usable"))
    elif names:
        mend = "install the torch build for this driver"
        checks.append(Check("gpu", "torch", "warning", f"CUDA {cuda}: not usable", cost, mend))
    return checks


def _check_sandbox() -> list[Check]:
    if sys.platform == "win32":
        return [Check("sandbox", "all layers", "missing", "needs POSIX", "no program can be run")]
    from tracer.containment import probe_containment
    from tracer.inside.layers import SWITCH, layers_off

    try:
        report = probe_containment()
    except OSError as error:
        return [Check("sandbox", "all layers", "missing", str(error), "no program can be run")]
    return [
        Check("sandbox", layer.name, "ok", "in force")
        if layer.active
        else Check(
            "sandbox",
            layer.name,
            "missing",
            layer.reason,
            "untrusted programs are held by the other layers only",
            f"unset {SWITCH}"
            if layer.name in layers_off(os.environ)
            else "run tracefoundry in a container, in gVisor or in a VM",
        )
        for layer in report.layers
    ]


def _check_interpreters() -> list[Check]:
    """Other Python versions, with which `audit` can repeat rows of another version."""
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    checks = []
    for version in PYTHONS:
        if version == own:
            continue
        place = find_interpreter(version)
        checks.append(
            Check("interpreter", f"Python {version}", "ok", str(place))
            if place
            else Check(
                "interpreter",
                f"Python {version}",
                "warning",
                "not found",
                f"rows made on {version} cannot be re-run here",
            )
        )
    return checks


def find_interpreter(version: str) -> Path | None:
    """Path of a working Python of that ``major.minor``: from PATH, or pyenv's folder."""
    found = [Path(p) for p in [shutil.which(f"python{version}")] if p]
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found += sorted(root.glob(f"{version}.*/bin/python"))
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    for place in found:
        if _output([str(place), "-c", code]) == version:
            return place
    return None


def _check_disk(folder: Path) -> Check:
    free = shutil.disk_usage(folder).free
    text = f"{free / 1024**3:.1f} GiB free in {folder}"
    if free >= LOW_DISK_BYTES:
        return Check("disk", "space", "ok", text)
    return Check("disk", "space", "warning", text, "large builds may not fit", "free some space")


def _check_token() -> Check:
    """Whether a Hub token is there; it is never shown."""
    from huggingface_hub import get_token

    if get_token():
        return Check("hub", "token", "ok", "present")
    return Check(
        "hub",
        "token",
        "missing",
        "no token",
        "nothing can be published on the Hub",
        "hf auth login",
    )


def _output(command: list[str], seconds: float = PROBE_SECONDS) -> str:
    """Standard output of a command, empty when it fails or does not end in time."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed commands of ours
            command, capture_output=True, text=True, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
