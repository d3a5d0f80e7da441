"""Many calls at once: in order, and nothing a program does reaches another's trace."""

from __future__ import annotations

import itertools

import pytest
from harmful_programs import HARMFUL, SUM, harmful
from sandboxes import descendants

from tracer import Call, Limits, Pool


def test_results_come_in_order_from_an_endless_source() -> None:
    with Pool(workers=2) as pool:
        calls = ((SUM, Call(str(n))) for n in itertools.count())
        values = [t.outcome.value for t in itertools.islice(pool.run_all(calls), 12)]
    assert values == [str(n * (n - 1) // 2) for n in range(12)]


def test_a_pool_without_workers_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one worker, not 0"):
        Pool(workers=0)


@pytest.mark.slow
def test_harmful_programs_leave_the_others_as_they_are() -> None:
    limits = Limits(cpu_s=0.5, wall_s=8.0, memory_bytes=256 * 1024 * 1024)
    calls = []
    for number, name in enumerate(HARMFUL):
        calls += [(harmful(name), Call("3")), (SUM, Call(str(number)))]
    with Pool(workers=2, limits=limits) as pool:
        alone = list(pool.run_all((SUM, Call(str(n))) for n in range(len(HARMFUL))))
        mixed = list(pool.run_all(calls))
        assert mixed[1::2] == alone
        kinds = dict(zip(HARMFUL, (t.outcome.kind for t in mixed[::2]), strict=True))
        for name, kind in kinds.items():
            assert kind not in ("infrastructure",), name
        for name in ("endless loop", "huge power", "slow pattern", "sleeps", "endless sort"):
            assert kinds[name] in ("timeout", "step_limit", "memory"), (name, kinds[name])
        for name in ("memory in one piece", "memory bit by bit", "memory in text"):
            # Half a second of processor time can be over first on a busy machine.
            assert kinds[name] in ("memory", "timeout"), (name, kinds[name])
        for name in ("forks", "starts threads"):
            assert kinds[name] == "blocked", (name, kinds[name])
    assert not descendants()
