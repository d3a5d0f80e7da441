"""Moves the clock that programs see, so that results which depend on the time show themselves.

The time functions of Python are replaced in this process, before anything else binds them, and the
two methods of ``datetime.datetime`` that read the system's clock themselves. Types, and what they
print, stay those of a normal process.

Source: own. ``date.today`` and ``datetime.today`` go through ``time.time`` in every version.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from typing import Any

SHIFT_NS = ((400 * 24 + 13) * 3600 + 17 * 60 + 23) * 1_000_000_000 + 456_789_123
"""400 days, 13 hours, 17 minutes, 23.456789123 seconds: year, month, day, weekday, hour, half of
the day, minute and second all change."""

_READERS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
_CONVERTERS = ("localtime", "gmtime", "ctime")


def shift_clock() -> None:
    """Move every clock of this process by :data:`SHIFT_NS`; call it once, early."""
    now = time.time
    converters = {name: getattr(time, name) for name in _CONVERTERS}
    for name in _READERS:
        if hasattr(time, name):
            _replace(time, name, _moved_seconds(getattr(time, name)))
            _replace(time, f"{name}_ns", _moved_nanoseconds(getattr(time, f"{name}_ns")))
    if hasattr(time, "clock_gettime"):
        _replace(time, "clock_gettime", _moved_seconds(time.clock_gettime))
        _replace(time, "clock_gettime_ns", _moved_nanoseconds(time.clock_gettime_ns))
    for name, original in converters.items():
        _replace(time, name, _converting(original))
    local = converters["localtime"]
    for name in ("asctime", "strftime"):
        _replace(time, name, _formatting(getattr(time, name), local, now))
    _shift_datetime()


def _replace(owner: Any, name: str, function: Callable[..., Any]) -> None:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "time"
    setattr(owner, name, function)


def _moved_seconds(original: Callable[..., float]) -> Callable[..., float]:
    return lambda *args: original(*args) + SHIFT_NS / 1e9


def _moved_nanoseconds(original: Callable[..., int]) -> Callable[..., int]:
    return lambda *args: original(*args) + SHIFT_NS


def _converting(original: Callable[..., Any]) -> Callable[..., Any]:
    def convert(seconds: float | None = None, /) -> Any:
        return original(time.time() if seconds is None else seconds)

    return convert


def _formatting(
    original: Callable[..., str],
    local: Callable[[float], time.struct_time],
    now: Callable[[], float],
) -> Callable[..., str]:
    moment = 0 if original.__name__ == "asctime" else 1

    def form(*args: Any) -> str:
        if len(args) == moment:
            return original(*args, local(now() + SHIFT_NS / 1e9))
        return original(*args)

    return form


def _shift_datetime() -> None:
    import datetime

    moment = datetime.datetime
    delta = datetime.timedelta(microseconds=SHIFT_NS // 1000)
    read_now, utc = moment.now, datetime.UTC

    def now(cls: type[datetime.datetime], tz: datetime.tzinfo | None = None) -> datetime.datetime:
        return cls.fromtimestamp((read_now(utc) + delta).timestamp(), tz)

    def utcnow(cls: type[datetime.datetime]) -> datetime.datetime:
        return cls.fromtimestamp((read_now(utc) + delta).timestamp(), utc).replace(tzinfo=None)

    own = next(found for found in gc.get_referents(moment.__dict__) if type(found) is dict)
    for function in (now, utcnow):
        function.__qualname__ = f"datetime.{function.__name__}"
        function.__module__ = "datetime"
        own[function.__name__] = classmethod(function)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(moment))
    assert abs(moment.now(utc) - read_now(utc)) > delta / 2, sys.version
