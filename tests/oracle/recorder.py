"""Writes down steps, states and activations while an instrumented program runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from oracle.encoding import Encoder
from oracle.objects import ATOMS, is_unseen, type_text
from oracle.scopes import Names, is_dunder
from oracle.statements import Statements

State = dict[str, tuple[str, str, int]]
"""Visible name -> type text, value text, identity (-1 for immutable atoms)."""
ROOM = 3000
CO_OPTIMIZED = 1


class Activation:
    """One activation and what is under way in it."""

    def __init__(self, record: dict[str, Any], code: CodeType, names: Names) -> None:
        self.record = record
        self.code = code
        self.names = names
        self.depth = 0
        self.state: State = {}
        self.pending: tuple[State, set[str]] | None = None
        self.step: dict[str, Any] = {}
        self.readers: dict[str, Callable[[], object]] = {}
        self.marker: tuple[int | None, object] = (None, None)
        self.exc_id: int | None = None
        self.exc_stmt: int | None = None
        self.saved: dict[int, Any] = {}
        self.failure: str | None = None
        self.closing = False


def check_room(depth: int = 12) -> None:
    """Fail as the program would where the probes themselves have no room on the stack."""
    if depth:
        check_room(depth - 1)


def read_locals(frame: FrameType) -> list[tuple[str, object]]:
    """Names and values; nothing of them is kept in the frame, as Python 3.11 and 3.12 would."""
    space: Any = frame.f_locals
    pairs = list(dict.items(space) if isinstance(space, dict) else space.items())
    optimized = frame.f_code.co_flags & CO_OPTIMIZED
    if optimized and isinstance(space, dict) and sys.getrefcount(space) <= 3:
        space.clear()
    return pairs


class Recorder:
    """All that one run leaves; the methods are called by the probes."""

    def __init__(
        self,
        table: Statements,
        scopes: dict[tuple[str, int], Names],
        limits: tuple[int, int],
        cut: Callable[[], None],
    ) -> None:
        self.table = table
        self.scopes = scopes
        self.max_steps = limits[0]
        self.encoder = Encoder(limits[1])
        self.cut = cut
        self.on = False
        self.file_name = ""
        self.entry_code: CodeType | None = None
        self.entry: Activation | None = None
        self.live: dict[int, Activation] = {}
        self.stack: list[Activation] = []
        self.steps: list[dict[str, Any]] = []
        self.activations: list[Activation] = []
        self.counts: dict[int, int] = {}
        self.readers: dict[int, dict[str, Callable[[], object]]] = {}
        self.recursion = False

    def find(self, frame: FrameType) -> Activation | None:
        """The activation of a frame, if it has begun a step."""
        found = self.live.get(id(frame)) if self.on else None
        return found if found is not None and found.code is frame.f_code else None

    def read(self, act: Activation, frame: FrameType) -> tuple[State, set[str]]:
        """The visible variables, and the names that hold what is never visible."""
        held: dict[str, object] = {}
        for name in act.names.named_globals:
            if name in frame.f_globals:
                held[name] = frame.f_globals[name]
        for name, reader in act.readers.items():
            try:
                held[name] = reader()
            except NameError:
                continue
        for name, value in read_locals(frame):
            if type(name) is str and name.isidentifier() and not is_dunder(name):
                held[name] = value
        state: State = {}
        hidden: set[str] = set()
        for name, value in held.items():
            if is_unseen(value):
                hidden.add(name)
                continue
            mark = -1 if type(value) in ATOMS else id(value)
            state[name] = (*self.encoder.encode(value), mark)
        return state, hidden

    def end_step(self, act: Activation, new: tuple[State, set[str]]) -> None:
        """List what the activation's current step changed."""
        old, (state, hidden), stmt = act.state, new, act.step["stmt"]
        changes = []
        for name in sorted(old.keys() | state.keys()):
            before, after = old.get(name), state.get(name)
            if after is None and name in hidden:
                continue
            if before is not None and after is not None:
                if before[:2] == after[:2]:
                    continue
                op = "mutate" if before[2] == after[2] != -1 else "rebind"
            elif after is not None:
                op = "bind"
            else:
                own = name in self.table.deleted[stmt]
                op = (
                    "implicit_delete" if name in self.table.as_names[stmt] and not own else "delete"
                )
            kind, text = (after[0], after[1]) if after else (None, None)
            changes.append({"name": name, "op": op, "type": kind, "value": text})
        act.step["changes"] = changes
        act.state = state

    def start(self, frame: FrameType) -> Activation:
        """A new activation, numbered by the step that is about to begin."""
        code = frame.f_code
        top = self.stack[-1] if self.stack else None
        line = 0 if code.co_name == "<module>" else code.co_firstlineno
        record: dict[str, Any] = {
            "activation": len(self.activations),
            "function": code.co_qualname.replace("<locals>.", ""),
            "parent_step": top.step["index"] if top else None,
            "entry": [],
            "end": "running",
            "end_stmt": None,
            "type": None,
            "value": None,
        }
        act = Activation(record, code, self.scopes[(code.co_name, line)])
        act.readers = self.readers.pop(id(frame), {})
        act.depth = top.depth + 1 if top else 0
        act.state = self.read(act, frame)[0]
        record["entry"] = [
            {"name": n, "type": k, "value": v} for n, (k, v, _) in sorted(act.state.items())
        ]
        if top is None and self.entry is None and code is self.entry_code:
            self.entry = act
        self.live[id(frame)] = act
        self.activations.append(act)
        self.stack.append(act)
        return act

    def begin_step(self, frame: FrameType, stmt: int, header: bool = False) -> None:
        """End the activation's previous step and begin this one."""
        if not self.on:
            return
        check_room()
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(min(limit + ROOM, 2**31 - 1))
        if len(self.steps) >= self.max_steps:
            self.cut()
        act = self.find(frame)
        if act is None:
            act = self.start(frame)
        else:
            self.end_step(act, self.read(act, frame))
        self.counts[stmt] = self.counts.get(stmt, 0) + 1
        act.step = {
            "index": len(self.steps),
            "stmt": stmt,
            "line": self.table.rows[stmt]["line"],
            "activation": act.record["activation"],
            "depth": act.depth,
            "occurrence": self.counts[stmt],
            "completed": True,
            "changes": [],
        }
        self.steps.append(act.step)
        if not header:
            act.exc_id = None
        sys.setrecursionlimit(limit)

    def note_exception(self, frame: FrameType, error: BaseException) -> None:
        """An exception leaves the current step, unless it is only passing through."""
        if isinstance(error, RecursionError):
            self.recursion = True
        act = self.find(frame)
        if act is None:
            return
        if act.pending is not None:
            self.resume(id(frame), closing=isinstance(error, GeneratorExit))
        if act.exc_id != id(error):
            act.exc_id = id(error)
            act.exc_stmt = act.step["stmt"]
            act.step["completed"] = False

    def forget_exception(self, frame: FrameType) -> None:
        """A context manager swallowed what was under way."""
        act = self.find(frame)
        if act is not None:
            act.exc_id = None

    def suspend(self, frame: FrameType) -> None:
        """A generator is about to yield."""
        act = self.find(frame)
        if act is None:
            return
        check_room()
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(min(limit + ROOM, 2**31 - 1))
        act.pending = self.read(act, frame)
        self.pop(act)
        sys.setrecursionlimit(limit)

    def resume(self, key: int, closing: bool = False) -> None:
        """A generator goes on, below whoever resumed it."""
        act = self.live.get(key) if self.on else None
        if act is None or act.pending is None:
            return
        act.pending = None
        act.closing = closing
        act.depth = self.stack[-1].depth + 1 if self.stack else 0
        self.stack.append(act)

    def pop(self, act: Activation) -> None:
        """Take an activation off the stack, with what a stack overflow left above it."""
        if act in self.stack:
            del self.stack[self.stack.index(act) :]

    def fail(self, frame: FrameType, error: BaseException) -> None:
        """An exception is about to leave the activation."""
        self.note_exception(frame, error)
        act = self.find(frame)
        if act is not None:
            act.failure = type_text(type(error))

    def leave(self, frame: FrameType) -> None:
        """The activation returns or unwinds."""
        act = self.find(frame)
        if act is None:
            return
        check_room()
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(min(limit + ROOM, 2**31 - 1))
        self.end_step(act, self.read(act, frame))
        record = act.record
        if act.failure is None:
            end, value = act.marker
            record["end"] = "returned"
            record["end_stmt"] = act.step["stmt"] if end is None else end
            record["type"], record["value"] = self.encoder.encode(value)
        elif act.closing and act.failure == "GeneratorExit":
            record["end"], record["end_stmt"] = "closed", act.step["stmt"]
        else:
            record.update(end="raised", end_stmt=act.exc_stmt, type=act.failure)
        act.marker, act.saved, act.readers = (None, None), {}, {}
        self.pop(act)
        del self.live[id(frame)]
        if act is self.entry:
            self.on = False
        sys.setrecursionlimit(limit)

    def close(self) -> None:
        """Settle what is still suspended or running when the trace ends."""
        self.on = False
        for act in self.activations:
            if act.record["end"] != "running":
                continue
            act.step["completed"] = False
            if act.pending is not None:
                self.end_step(act, act.pending)
                act.record.update(end="suspended", end_stmt=act.step["stmt"])
