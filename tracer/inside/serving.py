"""The solution's side of a unit test: holds the model's code and nothing else.

It says that it is ready, and only then is it sent the code. A *function* job then answers calls: it
receives plain data, calls, and returns plain data or how the call ended, with the new content of
arguments that the call changed. A *program* job runs the code as ``__main__`` once and returns what
it printed. No expected value is ever sent to this process; what it sends is only what the model's
code claims.

Messages to it: ``{"code", "entry_point"}``, then calls ``{"call": handle, "args": [text],
"kwargs": {name: text}}`` and ``{"next": handle}``. Handle 0 is the entry point; others are
functions and iterators that calls returned.

Source: own (DESIGN, section 3, "Verification").
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from os import _exit
from typing import Any, NoReturn

from tracer.inside.encode import Encoder
from tracer.inside.objects import mro_of
from tracer.inside.outcomes import PROGRAM_MODULE, describe_exception
from tracer.inside.plain import PlainWriter, read_text
from tracer.inside.streams import open_streams, read_output, restart_output
from tracer.inside.talk import Talk

FILE_NAME = "<solution>"
RECURSION_LIMIT = 1000
_OWN_FRAMES = 20
"""Frames of ours below the first one of the model's code, with some to spare."""
_VIEWS = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def execute(job: dict[str, Any], deliver: Callable[[dict[str, Any]], NoReturn]) -> NoReturn:
    """Load the code that is sent, then serve calls of it until the parent hangs up."""
    talk = Talk(job["_talk_fd"])
    talk.send({"ready": True})
    order = talk.receive()
    if order is None:
        _exit(0)
    open_streams()
    sys.setrecursionlimit(RECURSION_LIMIT + _OWN_FRAMES)
    limits = job["limits"]
    server = _Server(PlainWriter(limits["max_value_chars"], PROGRAM_MODULE))
    if order["entry_point"] is None:
        talk.send(server.run_program(order["code"], limits["output_bytes"]))
        _exit(0)
    talk.send(server.load(order["code"], order["entry_point"]))
    while (order := talk.receive()) is not None:
        talk.send(server.answer(order))
        restart_output()
    _exit(0)


class _Server:
    def __init__(self, writer: PlainWriter) -> None:
        self._writer = writer
        self._encoder = Encoder(program_module=PROGRAM_MODULE)
        self._handles: list[Any] = []

    def load(self, code: str, entry_point: str) -> dict[str, Any]:
        """Run the module code and find the entry point."""
        module = types.ModuleType(PROGRAM_MODULE)
        sys.modules[PROGRAM_MODULE] = module
        try:
            exec(compile(code, FILE_NAME, "exec", dont_inherit=True), module.__dict__)
        except BaseException as error:
            return self._raised(error)
        entry = module.__dict__.get(entry_point)
        if not callable(entry):
            return {"missing": entry_point}
        self._handles.append(entry)
        return {"loaded": True}

    def run_program(self, code: str, output_bytes: int) -> dict[str, Any]:
        """Run the code as a script; a plain exit is as good as its end."""
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        ended: dict[str, Any] = {}
        try:
            exec(compile(code, FILE_NAME, "exec", dont_inherit=True), module.__dict__)
        except SystemExit as leaving:
            if leaving.code is not None and leaving.code != 0:
                ended = self._raised(leaving)
        except BaseException as error:
            ended = self._raised(error)
        return {**ended, "stdout": read_output(output_bytes)}

    def answer(self, order: dict[str, Any]) -> dict[str, Any]:
        """Serve one call."""
        if "next" in order:
            try:
                value = next(self._handles[order["next"]])
            except StopIteration:
                return {"end": True}
            except BaseException as error:
                return self._raised(error)
            return self._described(value)
        args = [read_text(text) for text in order["args"]]
        kwargs = {name: read_text(text) for name, text in order["kwargs"].items()}
        try:
            value = self._handles[order["call"]](*args, **kwargs)
        except BaseException as error:
            reply = self._raised(error)
        else:
            reply = self._described(value)
        changed = self._changes(enumerate(args), order["args"])
        changed += self._changes(kwargs.items(), order["kwargs"])
        if changed:
            reply["changed"] = changed
        return reply

    def _changes(self, now: Any, before: Any) -> list[list[Any]]:
        """``[place or name, new text]`` of the arguments that the call changed."""
        changed = []
        for place, value in now:
            text = self._writer.text(value)
            if text is not None and text != before[place]:
                changed.append([place, text])
        return changed

    def _described(self, value: Any) -> dict[str, Any]:
        try:
            return self._returned(value)
        except BaseException as error:
            return self._raised(error)

    def _returned(self, value: Any) -> dict[str, Any]:
        text = self._writer.text(value)
        if text is not None:
            return {"value": text}
        cls = type(value)
        view = _VIEWS.get(cls)
        if view is not None:
            text = self._writer.text(list(value))
            if text is not None:
                return {"view": view, "value": text}
        kind = None
        if isinstance(value, _FUNCTIONS):
            kind = "function"
        elif hasattr(cls, "__next__"):
            kind = "iterator"
        if kind is not None:
            self._handles.append(value)
            return {"handle": len(self._handles) - 1, "kind": kind}
        opaque: dict[str, Any] = {"opaque": self._writer.type_text(value)}
        if cls.__module__ != PROGRAM_MODULE:
            opaque["truth"] = bool(value)
        return opaque

    def _raised(self, error: BaseException) -> dict[str, Any]:
        ended = describe_exception(error, self._encoder)
        base = next(cls for cls in mro_of(type(error)) if cls.__module__ == "builtins")
        return {"raised": ended["type"], "base": base.__name__, "message": ended["message"] or ""}
