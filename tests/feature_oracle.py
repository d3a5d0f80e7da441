"""A second opinion on features: runs a program here, under ``sys.settrace``, and looks at objects.

``features_seen(source, entry, calls)`` names the features that some call really shows. It shares
nothing with the factory's checks, which read syntax trees and recorded traces.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

CO_GENERATOR = 0x20
_CONTAINERS = (list, dict, set)
_DEEPEST = 3


class Watcher:
    """Sees frames come and go in one call."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.seen: set[str] = set()
        self.entered: Counter[int] = Counter()
        self.frames: list[FrameType] = []
        self.raised: set[int] = set()
        self.cells: dict[tuple[CodeType, str], set[str]] = {}
        self.methods = 0
        self.states: dict[int, str] = {}

    def trace(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        if code.co_filename != self.file:
            return None
        if event == "call":
            self.begin(frame)
        elif event == "exception":
            self.raised.add(id(frame))
        elif event == "line" and id(frame) in self.raised and arg is None:
            self.seen.add("exceptions")
        self.look(frame)
        return self.trace

    def begin(self, frame: FrameType) -> None:
        code = frame.f_code
        self.frames.append(frame)
        self.entered[id(frame)] += 1
        if code.co_flags & CO_GENERATOR and self.entered[id(frame)] > 2:
            self.seen.add("generators")
        stack, above = 0, frame
        while above is not None:
            stack += above.f_code is code
            above = above.f_back  # type: ignore[assignment]
        if stack >= _DEEPEST and not code.co_name.startswith("<"):
            self.seen.add("recursion")
        for name in code.co_freevars:
            values = self.cells.setdefault((code, name), set())
            values.add(repr(frame.f_locals.get(name)))
            if len(values) > 1 and not code.co_name.startswith("<"):
                self.seen.add("closures")
        owner = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        if type(owner).__module__ == "program" and code.co_name != "__init__":
            self.methods += 1
            if self.methods > 1:
                self.seen.add("classes")

    def look(self, frame: FrameType) -> None:
        """Objects that changed since they were last seen, and the names that reach them."""
        held: dict[int, tuple[object, int]] = {}
        above: FrameType | None = frame
        while above is not None and above.f_code.co_filename == self.file:
            for value in list(above.f_locals.values()):
                inner = value if isinstance(value, list | tuple) else ()
                inner = list(value.values()) if isinstance(value, dict) else inner
                for each in (value, *inner):
                    if isinstance(each, _CONTAINERS):
                        held[id(each)] = (each, held.get(id(each), (each, 0))[1] + 1)
            above = above.f_back
        for key, (value, names) in held.items():
            text = repr(value)
            if names > 1 and self.states.get(key, text) != text:
                self.seen.add("aliasing")
            self.states[key] = text


def features_seen(source: str, entry: str, calls: tuple[str, ...]) -> set[str]:
    """Features that the program shows in one of the calls ``entry(args)``."""
    namespace: dict[str, Any] = {"__name__": "program", "__builtins__": builtins}
    module = type(sys)("program")
    module.__dict__.update(namespace)
    sys.modules["program"] = module
    try:
        exec(compile(source, "<feature>", "exec"), module.__dict__)
        seen: set[str] = set()
        for args in calls:
            watcher = Watcher("<feature>")
            given = eval(f"lambda call: call({args})", dict(module.__dict__))
            sys.settrace(watcher.trace)
            try:
                given(getattr(module, entry))
            finally:
                sys.settrace(None)
            seen |= watcher.seen
    finally:
        del sys.modules["program"]
    if any(map(_rich, ast.walk(ast.parse(source)))):
        seen.add("comprehensions")
    return seen


def _rich(node: ast.AST) -> bool:
    if not isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp):
        return False
    inner = [each for each in ast.walk(node) if isinstance(each, ast.comprehension)]
    return len(inner) > 1 or bool(inner[0].ifs)
