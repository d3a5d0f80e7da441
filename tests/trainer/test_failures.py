"""A full disk and a full device, as one line with the mend."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from trainer.failures import explain


class OutOfMemoryError(RuntimeError):
    """Named as torch names it."""


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk of"),
        (RuntimeError("I/O error: No space left on device (os error 28)"), "the disk of"),
        (OutOfMemoryError("CUDA out of memory"), "the memory of the device is full"),
    ],
)
def test_a_failure_of_the_machine_says_what_to_do(
    tmp_path: Path, error: Exception, message: str
) -> None:
    found = explain(error, tmp_path / "not yet")
    assert found is not None
    assert message in found.message
    assert "--set" in found.message
    assert found.exit_code == 3


def test_other_errors_stay_what_they_are(tmp_path: Path) -> None:
    assert explain(ValueError("a bug"), tmp_path) is None
    assert explain(OSError(errno.EACCES, "denied"), tmp_path) is None


def test_a_disk_with_no_room_left_is_full_whatever_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trainer.failures.LEAST_FREE", 10**18)
    found = explain(RuntimeError("unexpected pos 64 vs 0"), tmp_path)
    assert found is not None
    assert "goes on from the newest whole checkpoint" in found.message
