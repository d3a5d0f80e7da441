"""What tests hold in place of the solution and of what it returned, in a process without it.

A call goes through the parent to the process that holds the solution. Plain data comes back as
plain data; functions and iterators come back as stand-ins; every other object comes back opaque: it
equals nothing, and has a truth value only if its class is a library's.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, NoReturn

from tracer.inside.plain import PlainWriter, is_updatable, read_text, update_in_place
from tracer.inside.talk import Talk

MAX_ITEMS = 10_000
"""Most items that are taken from one iterator of the solution."""
_MAX_SHOWN = 200


class SolutionError(Exception):
    """The solution raised something that tests can't catch by name."""


class SolutionGone(BaseException):
    """The solution's process has ended; no test can go on."""


class CannotSend(BaseException):
    """A test passes something to the solution that is no plain data."""


class Line:
    """The way to the solution, and what happened on it during one test."""

    def __init__(self, talk: Talk, writer: PlainWriter) -> None:
        self.talk = talk
        self.writer = writer
        self.calls = 0
        """Calls of the entry point since :meth:`begin`."""
        self.raised: BaseException | None = None
        """What the last call raised here."""
        self.last = ""
        """What the last call gave, for a person."""

    def begin(self) -> None:
        """Forget what happened before."""
        self.calls, self.raised, self.last = 0, None, ""

    def call(self, handle: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call what ``handle`` stands for; arguments change here as they do there."""
        sent = [self._text(value) for value in args]
        named = {name: self._text(value) for name, value in kwargs.items()}
        reply = self._ask({"call": handle, "args": sent, "kwargs": named})
        if handle == 0:
            self.calls += 1
        for place, text in reply.get("changed", ()):
            old = kwargs[place] if isinstance(place, str) else args[place]
            new = read_text(text)
            if not is_updatable(old, new):
                raise TypeError("the solution claims to have changed what can't change")
            update_in_place(old, new)
        return self._given(reply)

    def advance(self, handle: int) -> Any:
        """Ask the iterator that ``handle`` stands for for its next item."""
        reply = self._ask({"next": handle})
        if "end" in reply:
            raise StopIteration
        return self._given(reply)

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.talk.send(message)
        reply = self.talk.receive()
        if reply is None or "gone" in reply:
            raise SolutionGone
        return reply

    def _text(self, value: Any) -> str:
        text = self.writer.text(value)
        if text is None:
            if isinstance(value, Foreign):
                raise TypeError(f"the solution returned {value!r}, which it is given back")
            raise CannotSend(f"an argument of type {self.writer.type_text(value)}")
        return text

    def _given(self, reply: dict[str, Any]) -> Any:
        if "raised" in reply:
            self._raise(reply)
        if "value" in reply:
            text = reply["value"]
            self.last = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
            value = read_text(text)
            return VIEWS[reply["view"]](value) if "view" in reply else value
        if "handle" in reply:
            kind = Iterator if reply["kind"] == "iterator" else Function
            self.last = "an iterator" if kind is Iterator else "a function"
            return kind(self, reply["handle"])
        self.last = f"an object of type {reply['opaque']}"
        return Opaque(reply["opaque"], reply.get("truth"))

    def _raise(self, reply: dict[str, Any]) -> NoReturn:
        message, name = reply["message"], reply["raised"]
        self.last = f"{name}: {message}" if message else name
        base = getattr(builtins, reply["base"], None)
        error: BaseException = SolutionError(self.last)
        if isinstance(base, type) and issubclass(base, Exception) and base is not StopIteration:
            try:
                error = base(message)
            except TypeError:  # some, such as UnicodeDecodeError, take other arguments
                error = SolutionError(self.last)
        self.raised = error
        raise error


VIEWS: dict[str, Callable[[list[Any]], Any]] = {
    "keys": lambda parts: dict.fromkeys(parts).keys(),
    "values": lambda parts: dict(enumerate(parts)).values(),
    "items": lambda parts: dict(parts).items(),
}
"""Views of dicts from the lists of what is in them."""


class Foreign:
    """Something that stayed with the solution: equal to nothing, neither true nor false."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    def __bool__(self) -> bool:
        raise TypeError(f"the solution returned {self!r}, not plain data")


class Opaque(Foreign):
    """An object that is no plain data.

    Args:
        type_text: its type.
        truth: whether it is true, for an object of a library's class such as ``re.Match``.
    """

    def __init__(self, type_text: str, truth: bool | None) -> None:
        self._type_text, self._truth = type_text, truth

    def __bool__(self) -> bool:
        return super().__bool__() if self._truth is None else self._truth

    def __repr__(self) -> str:
        return f"<{self._type_text}>"


class Function(Foreign):
    """A function that the solution returned."""

    def __init__(self, line: Line, handle: int) -> None:
        self._line, self._handle = line, handle

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it where it is."""
        return self._line.call(self._handle, args, kwargs)

    def __repr__(self) -> str:
        return "<function>"


class Iterator(Foreign):
    """An iterator that the solution returned."""

    def __init__(self, line: Line, handle: int) -> None:
        self._line, self._handle, self._taken = line, handle, 0

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        self._taken += 1
        if self._taken > MAX_ITEMS:
            raise TypeError(f"the solution's iterator gives more than {MAX_ITEMS} items")
        return self._line.advance(self._handle)

    def __repr__(self) -> str:
        return "<iterator>"


def stand_in(line: Line, name: str) -> Any:
    """Return a function of that name which calls the solution's entry point."""

    def candidate(*args: Any, **kwargs: Any) -> Any:
        return line.call(0, args, kwargs)

    candidate.__name__ = candidate.__qualname__ = name
    return candidate
