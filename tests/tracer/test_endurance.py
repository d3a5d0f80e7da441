"""Ten thousand runs in one parent: its memory stays flat and nothing is left behind."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from sandboxes import descendants, linux_only, make_job

from tracer.records import Limits
from tracer.sandbox import Zygote

RUNS = 10_000


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


@linux_only
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_memory_is_flat_over_many_runs() -> None:
    limits = Limits()
    job = make_job("def f():\n    return [1, 2, 3]\n", limits=limits)
    with Zygote(hash_seed=1) as zygote:
        for _ in range(500):
            zygote.run(job, limits)
        gc.collect()
        before = resident_bytes()
        for number in range(RUNS):
            raw = zygote.run(job, limits)
            assert raw.status == "result", (number, raw)
        gc.collect()
        assert resident_bytes() - before < 4 * 1024 * 1024
        assert not [state for state in descendants().values() if state == "Z"]
    assert not descendants()
