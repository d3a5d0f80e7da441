"""Failures of the machine in the course of a training, as one line with the mend.

Source: own.
"""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

from trainer.errors import TrainingError

LEAST_FREE = 16 * 1024 * 1024
"""Bytes below which a disk counts as full: less than any checkpoint takes."""


class MachineError(TrainingError):
    """The disk or the memory of a device is full."""

    exit_code = 3


def explain(error: Exception, out: Path) -> MachineError | None:
    """What the user can do about an error of the trainer; ``None`` where it is no such failure.

    Args:
        error: What the trainer raised. Its libraries hide a full disk in errors of their own.
        out: The folder of the run.
    """
    if type(error).__name__ == "OutOfMemoryError":
        return MachineError(
            "the memory of the device is full: --set a smaller per_device_batch, or max_length "
            "or max_completion, or lora_rank=16; the same command then begins or goes on in "
            "another --out folder"
        )
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    full = full or "No space left on device" in str(error)
    free = shutil.disk_usage(out if out.is_dir() else out.parent).free
    if not full and free >= LEAST_FREE:
        return None
    return MachineError(
        f"the disk of {out} is full ({free / 1e6:.0f} MB free): make room, or --set "
        "keep_checkpoints=1, then repeat the command; it goes on from the newest whole checkpoint"
    )
