"""Stand-ins that let a `for`, a `with` and a `yield from` tell what happens inside them."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

from oracle.objects import class_dict, mro

if TYPE_CHECKING:
    from oracle.recorder import Recorder

MISSING = object()


def special(value: Any, name: str) -> Any:
    """A method looked up on the type, as the interpreter does."""
    kind = type(value)
    for base in mro(kind):
        if name in class_dict(base):
            found = class_dict(base)[name]
            binder = getattr(type(found), "__get__", None)
            return found if binder is None else binder(found, value, kind)
    return MISSING


class Body:
    """The manager around the body of every function, class and module: tells how it is left."""

    __slots__ = ("recorder",)

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        frame = sys._getframe(1)
        if kind is not None:
            self.recorder.fail(frame, value)
        self.recorder.leave(frame)


class Loop:
    """The iterator of a `for`: begins a step before every `next` but the first."""

    __slots__ = ("it", "recorder", "started", "stmt")

    def __init__(self, recorder: Recorder, stmt: int, iterable: Any) -> None:
        self.recorder = recorder
        self.stmt = stmt
        self.it = iter(iterable)
        self.started = False

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self.started:
            self.recorder.begin_step(sys._getframe(1), self.stmt)
        self.started = True
        return next(self.it)


class Manager:
    """A context manager that tells the recorder about exceptions before they can be swallowed."""

    __slots__ = ("enter", "exit", "recorder")

    def __init__(self, recorder: Recorder, enter: Any, leave: Any) -> None:
        self.recorder = recorder
        self.enter = enter
        self.exit = leave

    def __enter__(self) -> Any:
        return self.enter()

    def __exit__(self, kind: Any, value: Any, trace: Any) -> bool:
        if kind is None:
            self.exit(None, None, None)
            return False
        frame = sys._getframe(1)
        self.recorder.note_exception(frame, value)
        if self.exit(kind, value, trace):
            self.recorder.forget_exception(frame)
            return True
        return False


def manage(recorder: Recorder, manager: Any) -> Any:
    """The stand-in, or the object itself where it is no context manager."""
    enter, leave = special(manager, "__enter__"), special(manager, "__exit__")
    if enter is MISSING or leave is MISSING:
        return manager
    return Manager(recorder, enter, leave)


def delegate(recorder: Recorder, iterable: Any) -> Generator[Any, Any, Any]:
    """What `yield from` does, telling about each suspension of the generator around it."""
    it: Any = iter(iterable)
    del iterable
    key = id(sys._getframe(1))
    try:
        value = next(it)
        while True:
            recorder.suspend(sys._getframe(1))
            try:
                sent = yield value
            except GeneratorExit:
                recorder.resume(key, closing=True)
                close = getattr(it, "close", None)
                if close is not None:
                    close()
                raise
            except BaseException as error:
                recorder.resume(key)
                throw = getattr(it, "throw", None)
                if throw is None:
                    raise
                value = throw(error)
            else:
                recorder.resume(key)
                value = next(it) if sent is None else it.send(sent)
    except StopIteration as stop:
        return stop.value
