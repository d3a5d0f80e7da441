"""Bugs to plant in copies of the tracer, and a way to run such a copy without the sandbox.

Each bug is an edit of one line or expression of a module of ``tracer/inside``; it stands for a rule
of the semantics or for a fault seen in other tracers.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import oracle

from tracer.records import Limits, Program
from tracer.serialization import trace_from_columns, trace_to_dict

SOURCE = Path(__file__).parent.parent / "tracer"
WORKER = """
import json, os, sys, tempfile
sys.path.insert(0, sys.argv[1])
from tracer.inside import preload
preload.preload_modules()
from tracer.inside.columns import expand
from tracer.inside.harness import execute

def run(job, channel):
    output = tempfile.TemporaryFile()
    os.dup2(output.fileno(), 1)
    def deliver(result):
        left = json.dumps(result | {"expanded": expand(result)}).encode()
        while left:
            left = left[os.write(channel, left):]
        os._exit(0)
    execute(job, deliver)

for line in sys.stdin:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(0, 2)
            run(json.loads(line), writing)
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, "rb") as stream:
        result = stream.read()
    os.waitpid(child, 0)
    sys.stdout.buffer.write((result or b"null") + b"\\n")
    sys.stdout.flush()
"""


class Bug(NamedTuple):
    """``old`` becomes ``new`` in ``module``; ``rule`` says what that breaks."""

    name: str
    rule: str
    module: str
    old: str
    new: str


BUGS = (
    Bug(
        "wrong first function",
        "B1: the entry point is explicit",
        "harness.py",
        "        function = find_entry(module, entry)\n        arguments",
        "        function = next(\n            value for value in module.__dict__.values()\n"
        "            if isinstance(value, types.FunctionType)\n        )\n        arguments",
    ),
    Bug(
        "calls counted as executions",
        "B2: only begun statements count",
        "columns.py",
        "    counters = [count(1) for _ in statements]\n",
        "    counters = [count(1 + (row['stmt'] in stmts[:1])) for row in statements]\n",
    ),
    Bug(
        "comprehensions are activations",
        "B3: a comprehension is part of its statement",
        "preparation.py",
        "if node is not None and inner.co_name == _name_of(node):",
        "node = node or next(iter(layout.definitions.values()), None)\n"
        "            if node is not None:",
    ),
    Bug(
        "state read after calls is lost",
        "B4: state after a statement is read whatever ran in between",
        "events.py",
        "        else:\n            self.update(frame)",
        "        elif self.step == index - 1:\n            self.update(frame)",
    ),
    Bug(
        "last step before a return has no changes",
        "B5: state after every completed statement",
        "events.py",
        "                        self.step = index\n",
        "                        if self.owner.sites[stmt].is_return:\n"
        "                            self.changes[:] = [c for c in self.changes if c[0] != step]\n"
        "                            self.log.clear()\n"
        "                        self.step = index\n",
    ),
    Bug(
        "loop headers run once",
        "B6: each evaluation of a header is a step",
        "layout.py",
        "table[begin + BEGIN] = table[begin + NEXT] = stmt",
        "table[begin + BEGIN] = stmt",
    ),
    Bug(
        "docstrings are steps",
        "B7: only real statements are steps",
        "layout.py",
        'if is_docstring(body, index) and scope in ("module", "class", "function"):',
        "if False:",
    ),
    Bug(
        "try is a step",
        "B7: a try is no step",
        "layout.py",
        "if isinstance(node, ast.Try | ast.TryStar | ast.Global | ast.Nonlocal):",
        "if isinstance(node, ast.Global | ast.Nonlocal):",
    ),
    Bug(
        "with exits repeat the header",
        "B8: one step per statement",
        "layout.py",
        "node.body = [*_mark_block(node.body, numbers, block), _marker(NEUTRAL)]",
        "node.body = [*_mark_block(node.body, numbers, block), _marker(begin)]",
    ),
    Bug(
        "type from the text",
        "B9: the type is that of the live object",
        "signatures.py",
        "    return name, text, signature\n",
        '    return "list" if name == "tuple" else name, text, signature\n',
    ),
    Bug(
        "what an except* has ended goes on",
        "end_stmt: an exception that was handled while another passes through",
        "sites.py",
        "        body_last = numbering.last[numbering.of[id(node.handlers[-1])]]",
        "        body_last = -1",
    ),
    Bug(
        "what a break in a finally has ended goes on",
        "end_stmt: an exception that was swallowed while another passes through",
        "sites.py",
        "swallows=leaves and around.in_final",
        "swallows=False",
    ),
    Bug(
        "bool is int",
        "value: bool is never int",
        "encode.py",
        "        cls = type(value)\n        if cls is int and -SHORT_INT",
        "        cls = type(value)\n"
        "        if cls is bool:\n            return 'int', repr(value)\n"
        "        if cls is int and -SHORT_INT",
    ),
    Bug(
        "only the first elements are compared",
        "B10: a change past any cut is a change",
        "signatures.py",
        "        if _raw(value, kind, size) != raw:\n",
        "        if _raw(value, kind, size)[:160] != raw[:160]:\n",
    ),
    Bug(
        "length alone proves that nothing changed",
        "change: values are compared",
        "signatures.py",
        "        if _raw(value, kind, size) != raw:\n",
        "        if False:\n",
    ),
    Bug(
        "values of a dict are not compared",
        "change: values are compared",
        "signatures.py",
        "        if not all(map(is_, now, values)):\n",
        "        if False:\n",
    ),
    Bug(
        "containers inside containers are not compared",
        "change: values are compared, deeply",
        "signatures.py",
        "            child = value[index]\n            if not matches(child",
        "            child = value[index]\n            if False and not matches(child",
    ),
    Bug(
        "captures of a match are no targets",
        "change: whatever a statement binds",
        "sites.py",
        "isinstance(inner, ast.MatchAs | ast.MatchStar) and",
        "isinstance(inner, ast.MatchStar) and",
    ),
    Bug(
        "activation numbers start anew",
        "B11: each activation has its own number",
        "steps.py",
        "        activation.number = len(self.activations)\n",
        "        activation.number = len(self.stack.entries) - 1\n",
    ),
    Bug(
        "raising statements complete",
        "B12: a statement that raised did not complete",
        "columns.py",
        '    for step in report["incomplete"]:\n',
        "    for step in ():\n",
    ),
    Bug(
        "raise completes",
        "completed: raise never completes",
        "columns.py",
        "    completed = [stmt not in never for stmt in stmts]\n"
        '    for step in report["incomplete"]:\n        completed[step] = False\n',
        '    completed = [True for _ in stmts]\n    for step in report["incomplete"]:\n'
        "        completed[step] = stmts[step] in never\n",
    ),
    Bug(
        "one step too many",
        "B13: a cut trace keeps exactly the first N steps",
        "events.py",
        "        if index >= self.max_steps:",
        "        if index > self.max_steps:",
    ),
    Bug(
        "aliases are not looked at",
        "B14: all visible variables are compared",
        "arrays.py",
        "            self._watched = (*self._watched, key)\n",
        "            self._watched = self._watched or (key,)\n",
    ),
    Bug(
        "rebinding to an equal value is a change",
        "change: text or type differ",
        "arrays.py",
        "        if was != now:\n",
        "        if True:\n",
    ),
    Bug(
        "calls change nothing",
        "change: whatever a call does to an object that is not named",
        "stillness.py",
        "        return called.id in functions and not call.keywords\n",
        "        return True\n",
    ),
    Bug(
        "methods change nothing",
        "change: whatever a method does to its object",
        "stillness.py",
        "called.attr in _METHODS\n",
        "called.attr != 'missing'\n",
    ),
    Bug(
        "functions keep their names",
        "change: a name of a built-in function may be bound to another",
        "stillness.py",
        "    functions = _FUNCTIONS - bound\n",
        "    functions = _FUNCTIONS\n",
    ),
    Bug(
        "items are no objects",
        "change: what is assigned to a part of an object",
        "stillness.py",
        "kind is ast.Subscript and",
        "kind is ast.Starred and",
    ),
    Bug(
        "augmented assignments only bind",
        "change: an augmented assignment may change the object",
        "stillness.py",
        "STILL_ON_SCALARS if isinstance(node, ast.AugAssign) else STILL\n",
        "STILL\n",
    ),
    Bug(
        "iterators run nothing",
        "change: what the functions of an iterator do when it is asked",
        "picture.py",
        "            self.opaque |= kind not in _INERT\n",
        "",
    ),
    Bug(
        "what stands in a large container runs nothing",
        "change: what the functions of an iterator do when it is asked",
        "picture.py",
        "                self.opaque = True\n",
        "                pass\n",
    ),
    Bug(
        "cells are not bound",
        "change: variables that inner functions share",
        "effects.py",
        "for place in info.slots.cells]}",
        "for place in ()]}",
    ),
    Bug(
        "globals are not bound",
        "change: global variables",
        "effects.py",
        "shared = {*info.global_names, *[",
        "shared = {*[",
    ),
    Bug(
        "mutation is rebinding",
        "op: mutate is the same object",
        "picture.py",
        '            op = "mutate"',
        '            op = "rebind"',
    ),
    Bug(
        "implicit deletion is deletion",
        "op: the as name is unbound by its handler",
        "picture.py",
        'op = "implicit_delete" if implicit else "delete"',
        'op = "delete"',
    ),
    Bug(
        "deletions are not seen",
        "change: unbound is a change",
        "picture.py",
        "            out += (step, name, op, None, None)\n",
        "",
    ),
    Bug(
        "globals are not seen",
        "visible: globals that the code names",
        "arrays.py",
        "            self._globals = (*restless, *range(first_wanted, total))\n",
        "            self._globals = (*restless,)\n",
    ),
    Bug(
        "changes in the order of binding",
        "state: changes are sorted by name",
        "columns.py",
        '_columns(_CHANGE, sorted(_changes(report["changes"]), key=_step_and_name))',
        '_columns(_CHANGE, sorted(_changes(report["changes"]), key=lambda change: change[0]))',
    ),
    Bug(
        "functions are visible",
        "visible: no functions, classes and modules",
        "picture.py",
        "        elif is_hidden(value):\n",
        "        elif False:\n",
    ),
    Bug(
        "depth is that of the first call",
        "depth is that of the current resumer",
        "steps.py",
        "activation.number, len(self.stack.entries) - 1)",
        "activation.number, min(activation.number, len(self.stack.entries) - 1))",
    ),
    Bug(
        "parent is the previous step",
        "activation: parent is the step of the nearest user activation",
        "steps.py",
        "next((a.step for a in reversed(above) if a.step >= 0), None)",
        "len(self.stmts) - 1 if self.stmts else None",
    ),
    Bug(
        "a caught exception fails its handler's try for good",
        "completed: an exception belongs to the statement in which it arises",
        "events.py",
        "            self.failed = False\n",
        "",
    ),
    Bug(
        "handled exceptions are remembered",
        "end_stmt: the statement in which the exception that left arose",
        "activations.py",
        "            self.pending = self.pending[:-1]\n\n    def leaves",
        "            break\n\n    def leaves",
    ),
    Bug(
        "the first return wins",
        "end_stmt: the return that won",
        "activations.py",
        "            self.end_stmt = self.returns[-1].first",
        "            self.end_stmt = self.returns[0].first",
    ),
    Bug(
        "cancelled returns count",
        "end_stmt: finally may cancel a return",
        "activations.py",
        "        if self.returns:\n            self.returns = tuple(",
        "        if False:\n            self.returns = tuple(",
    ),
    Bug(
        "closed generators raise",
        "end: a generator that is closed ends closed",
        "activations.py",
        'return bool(self.pending) and self.pending[-1][1] == "GeneratorExit"',
        "return False",
    ),
    Bug(
        "a resumed generator is a new activation",
        "B11: a generator keeps its number across resumes",
        "steps.py",
        "(known := activation_of(frame, self)) is not None:",
        "(known := None) is not None:",
    ),
    Bug(
        "suspension is forgotten",
        "end: a generator at a yield is suspended",
        "steps.py",
        '"closed" if closed else "suspended"',
        '"closed"',
    ),
    Bug(
        "sets in their own order",
        "value: sets in natural order",
        "signatures.py",
        "repr(sorted(signature[2]))[1:-1]",
        "repr(sorted(signature[2], reverse=True))[1:-1]",
    ),
    Bug(
        "long values are cut",
        "B9: a value is whole or marked too large",
        "signatures.py",
        'return name, f"too_large({size})", (kind, size, [], [], None, ())',
        "return name, repr(value)[:room], None",
    ),
)


def make_copy(folder: Path, bug: Bug | None) -> Path:
    """Write a copy of ``tracer/inside`` with ``bug`` into ``folder`` and return ``folder``."""
    inside = folder / "tracer" / "inside"
    shutil.copytree(SOURCE / "inside", inside, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tracer" / "__init__.py").write_text("")
    if bug is not None:
        path = inside / bug.module
        text = path.read_text(encoding="utf-8")
        assert text.count(bug.old) == 1, f"{bug.name}: {bug.module} holds it {text.count(bug.old)}x"
        path.write_text(text.replace(bug.old, bug.new), encoding="utf-8")
    return folder


def trace_all(folder: Path, jobs: list[oracle.Job]) -> list[dict[str, Any] | None]:
    """Trace the jobs with the copy in ``folder``, each in a fork; ``None`` for one that broke."""
    sent = [
        {
            "mode": "trace",
            "source": job.source,
            "entry_point": job.entry_point,
            "args": job.args,
            "stdin": "",
            "limits": asdict(Limits(max_steps=job.max_steps)),
        }
        for job in jobs
    ]
    done = subprocess.run(
        [sys.executable, "-S", "-s", "-P", "-X", "utf8", "-c", WORKER, str(folder)],
        input="".join(json.dumps(job) + "\n" for job in sent),
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    return [
        None
        if result is None
        else trace_to_dict(trace_from_columns(result["expanded"], result, Program("", None), ""))
        for result in results
    ]
