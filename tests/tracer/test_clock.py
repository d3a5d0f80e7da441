from __future__ import annotations

import ast
import time

import pytest
from interpreters import find_interpreters
from sandboxes import run_source, value_of

from tracer.inside.clock import SHIFT_NS
from tracer.sandbox import Zygote

CLOCK = """
    import datetime, time

    def f():
        own = (
            time.time(), time.time_ns() / 1e9, time.clock_gettime(time.CLOCK_REALTIME),
            time.mktime(time.localtime()), time.mktime(time.gmtime()),
            time.mktime(time.strptime(time.ctime())), time.mktime(time.strptime(time.asctime())),
            float(time.strftime("%s")),
            datetime.datetime.now().timestamp(),
            datetime.datetime.now(datetime.timezone.utc).timestamp(),
            datetime.datetime.today().timestamp(),
            datetime.datetime.utcnow().timestamp(),
        )
        return own, datetime.date.today().isoformat()

    def g():
        class Mine(datetime.datetime):
            pass
        moment = Mine.now(datetime.timezone(datetime.timedelta(hours=2)))
        given = datetime.datetime.fromtimestamp(0, datetime.timezone.utc)
        return (
            type(moment).__name__, moment.utcoffset().seconds, repr(given), str(given.tzinfo),
            type(time.monotonic()).__name__, time.gmtime(0).tm_year, time.time.__name__,
            datetime.datetime.__module__, time.monotonic() < time.monotonic() + 1,
            datetime.datetime.now.__name__,
        )
"""


@pytest.mark.parametrize("python", find_interpreters().values(), ids=find_interpreters())
def test_shifted_clock_moves_all_that_programs_see(python: str) -> None:
    with Zygote(hash_seed=1, shifted_clock=True, python=python) as one:
        moments, today = ast.literal_eval(value_of(run_source(one, CLOCK)))
        types = ast.literal_eval(value_of(run_source(one, CLOCK, "g()")))
    expected = time.time() + SHIFT_NS / 1e9
    assert [m for m in moments if abs(m - expected) > 60] == []
    assert today != time.strftime("%Y-%m-%d", time.gmtime())
    with Zygote(hash_seed=1, python=python) as one:
        moments, _ = ast.literal_eval(value_of(run_source(one, CLOCK)))
        assert types == ast.literal_eval(value_of(run_source(one, CLOCK, "g()")))
    assert [m for m in moments if abs(m - time.time()) > 60] == []
