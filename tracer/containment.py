"""Which layers of containment this machine offers; for ``doctor`` and the manifest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tracer.sandbox import Zygote

_PLAIN = frozenset({"rlimits", "memory", "user"})
"""Layers that every Unix offers."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of containment."""

    name: str
    """``rlimits``, ``memory``, ``user``, ``pid``, ``mount``, ``network``, ``ipc``, ``landlock``
    or ``seccomp``."""
    active: bool
    reason: str
    """Why it is missing; empty when it is in force."""


@dataclass(frozen=True, slots=True)
class ContainmentReport:
    """What stands between a program and this machine."""

    layers: tuple[Layer, ...]
    level: str
    """``full`` (every layer), ``reduced`` (some of the kernel's isolation is missing),
    ``rlimits-only`` (none of it is there) or ``none``."""


def probe_containment(off: frozenset[str] | None = None) -> ContainmentReport:
    """Start a sandbox and report what it reached.

    Args:
        off: layers to leave out, as a machine without them would; ``None`` leaves it to the
            environment.

    Raises:
        ValueError: the environment names a layer that doesn't exist.
        OSError: the sandbox cannot be started at all.
    """
    with Zygote(hash_seed=0, off=off) as zygote:
        layers = tuple(Layer(*layer) for layer in zygote.layers())
    return ContainmentReport(layers, _level(layers))


def _level(layers: Iterable[Layer]) -> str:
    active = {layer.name for layer in layers if layer.active}
    if all(layer.active for layer in layers):
        return "full"
    if active - _PLAIN:
        return "reduced"
    return "rlimits-only" if "rlimits" in active else "none"
