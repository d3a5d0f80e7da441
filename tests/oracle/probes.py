"""The builtins that an instrumented program calls."""

from __future__ import annotations
import __future__ as features

import builtins
import sys
from typing import Any

from oracle.recorder import Recorder
from oracle.wrappers import Body, Loop, delegate, manage

_frame = sys._getframe


def install(rec: Recorder) -> None:
    """Put the probes of one run among the builtins."""

    def step(stmt: int) -> bool:
        rec.begin_step(_frame(1), stmt)
        return False

    def tried(frame: Any, stmt: int, first: bool, key: int) -> None:
        error = sys.exc_info()[1]
        if first and error is not None:
            rec.note_exception(frame, error)
            act = rec.find(frame)
            if key and act is not None:
                act.saved[-key] = [(id(error), act.exc_stmt)]
        rec.begin_step(frame, stmt, header=True)

    def handler(stmt: int, first: bool, key: int) -> bool:
        tried(_frame(1), stmt, first, key)
        return False

    def any_handler(stmt: int, first: bool, key: int) -> type[BaseException]:
        tried(_frame(1), stmt, first, key)
        return BaseException

    def exc() -> None:
        rec.note_exception(_frame(1), sys.exc_info()[1])  # type: ignore[arg-type]

    def star_begin(key: int) -> None:
        act = rec.find(_frame(1))
        if act is not None:
            act.saved.pop(-key, None)

    def star_exc(key: int) -> None:
        error, act = sys.exc_info()[1], rec.find(_frame(1))
        rec.note_exception(_frame(1), error)  # type: ignore[arg-type]
        if act is not None:
            act.saved.setdefault(-key, []).append((id(error), act.exc_stmt))

    def star_end(key: int) -> None:
        error, act = sys.exc_info()[1], rec.find(_frame(1))
        seen = act.saved.pop(-key, []) if act is not None else []
        known = any(id(error) == one for one, _ in seen)
        if act is not None and seen and (known or isinstance(error, BaseExceptionGroup)):
            act.exc_id, act.exc_stmt = id(error), seen[-1][1]
        else:
            rec.note_exception(_frame(1), error)  # type: ignore[arg-type]

    def enter_finally(key: int) -> None:
        act = rec.find(_frame(1))
        if act is not None:
            act.saved[key] = (act.marker, act.exc_id, act.exc_stmt)

    def exit_finally(key: int) -> None:
        act = rec.find(_frame(1))
        if act is not None and key in act.saved:
            act.marker, act.exc_id, act.exc_stmt = act.saved.pop(key)

    def begin() -> None:
        rec.live.pop(id(_frame(1)), None)
        rec.readers.pop(id(_frame(1)), None)

    def free(readers: Any) -> None:
        if rec.on:
            rec.readers[id(_frame(1))] = readers

    def mark(frame: Any, stmt: int | None, value: Any) -> None:
        act = rec.find(frame)
        if act is not None:
            act.marker = (stmt, value)

    def fell() -> None:
        mark(_frame(1), None, None)

    def ret(stmt: int, value: Any) -> Any:
        mark(_frame(1), stmt, value)
        return value

    def suspend(value: Any) -> Any:
        rec.suspend(_frame(1))
        return value

    def resume(value: Any) -> Any:
        rec.resume(id(_frame(1)))
        return value

    def future(name: str) -> Any:
        return getattr(features, name)

    probes = {
        **{f.__name__: f for f in (step, handler, any_handler, exc, star_begin, star_exc)},
        **{f.__name__: f for f in (star_end, enter_finally, exit_finally, begin, free, fell)},
        **{f.__name__: f for f in (ret, suspend, resume, future)},
        "activation": Body(rec),
        "loop": lambda stmt, iterable: Loop(rec, stmt, iterable),
        "manager": lambda manager: manage(rec, manager),
        "delegate": lambda iterable: delegate(rec, iterable),
    }
    for name, probe in probes.items():
        setattr(builtins, f"@{name}", probe)
