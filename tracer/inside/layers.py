"""Names of the layers of containment, for both sides of the sandbox."""

from __future__ import annotations

from collections.abc import Mapping

LAYERS = (
    "rlimits",
    "memory",
    "user",
    "pid",
    "mount",
    "network",
    "ipc",
    "landlock",
    "seccomp",
)
"""In the order of every report."""

SWITCH = "TRACEFOUNDRY_SANDBOX_OFF"
"""The environment variable that names layers to leave out, with commas between them."""


def layers_off(environment: Mapping[str, str]) -> frozenset[str]:
    """Return the layers that :data:`SWITCH` leaves out.

    Raises:
        ValueError: it names something else.
    """
    names = {name.strip() for name in environment.get(SWITCH, "").split(",")} - {""}
    unknown = sorted(names.difference(LAYERS))
    if unknown:
        raise ValueError(f"{SWITCH} names {', '.join(unknown)}; layers are {', '.join(LAYERS)}")
    return frozenset(names)
