"""What really happens where a question asks: the program reports it itself, contained and untraced.

The program's tree gets calls of its own at the places asked about; the called functions are part
of its text, and what they noted is what the new entry point returns. Nothing of this looks at a
trace.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from tracer.records import Call, Limits, Program, Question
from tracer.runner import Runner
from tracer.values import parse

LIMITS = Limits(max_value_chars=1_000_000)

PRELUDE = """
noted = {'seen': {}, 'way': {}, 'entered': {}, 'same': {}}
def note_seen(line):
    noted['seen'][line] = noted['seen'].get(line, 0) + 1
    return noted['seen'][line]
def note_way(line, time, value):
    truth = True if value else False
    noted['way'][line, time] = truth
    return truth
def note_entered(line):
    noted['entered'][line] = noted['entered'].get(line, 0) + 1
def note_same(line, names, time, truth):
    noted['same'][line, names, time] = truth
def noted_run(*args, **kwargs):
    for each in noted.values():
        each.clear()
    try:
        ENTRY(*args, **kwargs)
    except BaseException:
        pass
    return noted
"""


def call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


class Probes(ast.NodeTransformer):
    """Puts probes on the lines asked about."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.seen = {q.line for q in questions if q.kind == "executed"}
        self.ways = {q.line for q in questions if q.kind == "branch"}
        self.loops = {q.line for q in questions if q.kind == "loop_count"}
        self.pairs: dict[int | None, set[str]] = {}
        for question in questions:
            if question.kind == "alias" and question.variable:
                self.pairs.setdefault(question.line, set()).add(question.variable)

    def visit(self, node: ast.AST) -> Any:
        node = self.generic_visit(node)
        line = getattr(node, "lineno", None)
        if isinstance(node, ast.If | ast.While) and line in self.ways:
            place = ast.Constant(line)
            node.test = call("note_way", place, call("note_seen", place), node.test)
        if isinstance(node, ast.For | ast.While) and line in self.loops:
            node.body.insert(0, ast.Expr(call("note_entered", ast.Constant(line))))
        if not isinstance(node, ast.stmt) or isinstance(node, ast.FunctionDef | ast.ClassDef):
            return node
        if line in self.pairs:
            return self.around(node, line)
        if line in self.seen and line not in self.ways:
            return [ast.Expr(call("note_seen", ast.Constant(line))), node]
        return node

    def around(self, node: ast.stmt, line: int) -> list[ast.stmt]:
        time = ast.Name(f"time_{line}", ast.Store())
        before = ast.Assign([time], call("note_seen", ast.Constant(line)))
        after: list[ast.stmt] = []
        for names in sorted(self.pairs[line]):
            one, other = (ast.Name(name, ast.Load()) for name in names.split(", "))
            truth = ast.Compare(one, [ast.Is()], [other])
            at = ast.Name(time.id, ast.Load())
            parts = (ast.Constant(line), ast.Constant(names), at, truth)
            unbound = ast.ExceptHandler(ast.Name("NameError", ast.Load()), None, [ast.Pass()])
            after.append(ast.Try([ast.Expr(call("note_same", *parts))], [unbound], [], []))
        return [before, node, *after]


def run_probed(
    runner: Runner, program: Program, args: str, questions: Sequence[Question]
) -> dict[str, Any]:
    """What the program noted: executions and conditions by line, loop entries, identities."""
    tree = ast.parse(program.source)
    probed = ast.fix_missing_locations(Probes(questions).visit(tree))
    source = PRELUDE.replace("ENTRY", program.entry_point or "") + ast.unparse(probed)
    outcome = runner.run_plain(Program(source, "noted_run"), Call(args))
    assert outcome.value is not None, (outcome, source)
    noted: dict[str, Any] = parse(outcome.value)
    return noted


def truth_of(question: Question, noted: dict[str, Any]) -> str | None:
    """The key that follows from what was noted; ``None`` where no probe stands."""
    line, time = question.line, question.occurrence
    if question.kind == "executed":
        return "yes" if line in noted["seen"] else "no"
    if question.kind == "branch" and (line, time) in noted["way"]:
        return "yes" if noted["way"][line, time] else "no"
    if question.kind == "loop_count":
        return str(noted["entered"].get(line, 0))
    if question.kind == "alias":
        return "yes" if noted["same"][line, question.variable, time] else "no"
    return None
