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

from tracer.records import Limits

SOURCE = Path(__file__).parent.parent / "tracer"
WORKER = """
import json, os, sys, tempfile
sys.path.insert(0, sys.argv[1])
from tracer.inside import preload
preload.preload_modules()
from tracer.inside.harness import execute

def run(job, channel):
    output = tempfile.TemporaryFile()
    os.dup2(output.fileno(), 1)
    def deliver(result):
        left = json.dumps(result).encode()
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
        "steps.py",
        "        self.occurrences[stmt] += 1\n",
        "        self.occurrences[stmt] += 1 + (activation.step == index == 0)\n",
    ),
    Bug(
        "comprehensions are activations",
        "B3: a comprehension is part of its statement",
        "harness.py",
        'if node is not None and inner.co_name == getattr(node, "name", None):',
        "node = node or next(iter(layout.definitions.values()), None)\n"
        "            if node is not None:",
    ),
    Bug(
        "state read after calls is lost",
        "B4: state after a statement is read whatever ran in between",
        "steps.py",
        "        if activation.step >= 0:\n"
        "            self._finish_step(activation, frame, values)",
        "        if activation.step == index - 1:\n"
        "            self._finish_step(activation, frame, values)",
    ),
    Bug(
        "last step before a return has no changes",
        "B5: state after every completed statement",
        "steps.py",
        "                        if stmt != activation.stmt or activation.reset:",
        "                        if self.sites[stmt].is_return:\n"
        "                            activation.picture.update(\n"
        "                                frames.read_names(frame), {}, self.encoder, None)\n"
        "                        if stmt != activation.stmt or activation.reset:",
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
        "    return name, text, (kind, held, values)",
        '    return "list" if name == "tuple" else name, text, (kind, held, values)',
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
        "    return all(map(is_, value, held))",
        "    return all(map(is_, [*value][:20], held[:20]))",
    ),
    Bug(
        "length alone proves that nothing changed",
        "change: values are compared",
        "signatures.py",
        "    return all(map(is_, value, held))",
        "    return True",
    ),
    Bug(
        "values of a dict are not compared",
        "change: values are compared",
        "signatures.py",
        "    if kind == _DICT and not all(",
        "    if kind == -1 and not all(",
    ),
    Bug(
        "activation numbers start anew",
        "B11: each activation has its own number",
        "steps.py",
        "            activation.number = len(self.activations)\n",
        "            activation.number = len(self.stack.entries) - 1\n",
    ),
    Bug(
        "raising statements complete",
        "B12: a statement that raised did not complete",
        "steps.py",
        "not (activation.failed or site.never_completes)",
        "True",
    ),
    Bug(
        "raise completes",
        "completed: raise never completes",
        "steps.py",
        "not (activation.failed or site.never_completes)",
        "not activation.failed or site.never_completes",
    ),
    Bug(
        "one step too many",
        "B13: a cut trace keeps exactly the first N steps",
        "steps.py",
        "if index >= self.max_steps:",
        "if index > self.max_steps:",
    ),
    Bug(
        "aliases are not looked at",
        "B14: all visible variables are compared",
        "picture.py",
        "                kept[place] = _UNKEPT\n",
        "                kept[place] = _UNKEPT if known is None else value\n",
    ),
    Bug(
        "rebinding to an equal value is a change",
        "change: text or type differ",
        "picture.py",
        "            elif known[0] == type_text and known[1] == text:\n                continue\n",
        "",
    ),
    Bug(
        "mutation is rebinding",
        "op: mutate is the same object",
        "picture.py",
        '                op = "mutate"',
        '                op = "rebind"',
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
        "                del self.state[name]\n"
        "                changes.append(_unbound(name, site))",
        "                del self.state[name]",
    ),
    Bug(
        "globals are not seen",
        "visible: globals that the code names",
        "picture.py",
        "        self._globals = [name for name in self._wanted if name not in values]",
        "        self._globals = []",
    ),
    Bug(
        "changes in the order of binding",
        "state: changes are sorted by name",
        "picture.py",
        "            changes.sort(key=_by_name)",
        "            changes.reverse()",
    ),
    Bug(
        "functions are visible",
        "visible: no functions, classes and modules",
        "picture.py",
        "elif value is _MISSING or is_hidden(value):",
        "elif value is _MISSING:",
    ),
    Bug(
        "depth is that of the first call",
        "depth is that of the current resumer",
        "steps.py",
        '            "depth": len(self.stack.entries) - 1,',
        '            "depth": min(activation.number, len(self.stack.entries) - 1),',
    ),
    Bug(
        "parent is the previous step",
        "activation: parent is the step of the nearest user activation",
        "steps.py",
        "next((a.step for a in reversed(above) if a.step >= 0), None)",
        "index - 1 if index else None",
    ),
    Bug(
        "a caught exception fails its handler's try for good",
        "completed: an exception belongs to the statement in which it arises",
        "activations.py",
        "        self.stmt = site.first\n        self.failed = False\n",
        "        self.stmt = site.first\n",
    ),
    Bug(
        "handled exceptions are remembered",
        "end_stmt: the statement in which the exception that left arose",
        "activations.py",
        "            self.pending.pop()\n\n    def leaves",
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
        "        if self.returns:\n            self.returns = [",
        "        if False:\n            self.returns = [",
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
        "            activation = activation_of(frame, self)\n            if activation is None:",
        "            activation = None\n            if activation is None:",
    ),
    Bug(
        "suspension is forgotten",
        "end: a generator at a yield is suspended",
        "steps.py",
        'activation.end_as("closed" if closed else "suspended")',
        'activation.end_as("closed")',
    ),
    Bug(
        "sets in their own order",
        "value: sets in natural order",
        "signatures.py",
        "        text = opening + repr(sorted(held))[1:-1] + closing",
        "        text = opening + repr(sorted(held, reverse=True))[1:-1] + closing",
    ),
    Bug(
        "long values are cut",
        "B9: a value is whole or marked too large",
        "signatures.py",
        'return name, f"too_large({size})", None',
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
    return [json.loads(line) for line in done.stdout.splitlines()]
