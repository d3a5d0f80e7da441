"""Keys worked out again from other sources: the oracle's traces, and what the program notes itself.

Neither shares code with the question kinds: the oracle's steps are read by line, and the probes run
the real program and look.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import oracle
import pytest
from oracle_programs import corpus, generate
from question_probes import LIMITS, run_probed, truth_of

from tracer.derivation import derive
from tracer.records import Call, Program, Question, Trace
from tracer.runner import Runner
from tracer.verification import verify

KINDS = ("executed", "branch", "loop_count", "call_stack", "alias", "exception")
GENERATED = 40
Job = tuple[str, str | None, str]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Asked(NamedTuple):
    trace: Trace
    questions: tuple[Question, ...]


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


@pytest.fixture(scope="module")
def probing() -> Iterator[Runner]:
    with Runner(LIMITS) as made:
        yield made


@pytest.fixture(scope="module")
def asked(runner: Runner) -> list[Asked]:
    """Every question of the six kinds about the corpus and about generated programs."""
    jobs: list[Job] = [
        (case.source, case.entry_point, case.args)
        for case in corpus()
        if case.needs <= sys.version_info[1]
    ]
    jobs += [generate(seed)[:3] for seed in range(GENERATED)]
    found = []
    for source, entry, args in jobs:
        trace = runner.run(Program(source, entry), Call(args))
        found.append(Asked(trace, derive(trace, KINDS, limit=1_000)))
    return found


def test_there_is_enough_of_every_kind(asked: list[Asked]) -> None:
    counts = Counter(q.kind for each in asked for q in each.questions)
    least = {
        "executed": 1500,
        "branch": 200,
        "loop_count": 80,
        "call_stack": 500,
        "alias": 40,
        "exception": 40,
    }
    assert all(counts[kind] >= number for kind, number in least.items()), counts


def test_keys_follow_from_the_oracle(asked: list[Asked]) -> None:
    jobs = [(e.trace.program.source, e.trace.program.entry_point, e.trace.args) for e in asked]
    checked: Counter[str] = Counter()
    for (trace, questions), seen in zip(asked, oracle.trace_many(jobs), strict=True):
        tree = ast.parse(trace.program.source)
        for question in questions:
            if question.kind != "alias":
                key = KEYS[question.kind](question, seen, tree)
                assert verify(question, key).status == "correct", (question, key)
                assert question.key == key
                checked[question.kind] += 1
    assert set(checked) == set(KINDS) - {"alias"}


def test_keys_follow_from_running_the_program(probing: Runner, asked: list[Asked]) -> None:
    checked: Counter[tuple[str, str]] = Counter()
    for trace, questions in asked:
        if not questions or trace.program.entry_point is None:
            continue
        if "from __future__" in trace.program.source:
            continue
        noted = run_probed(probing, trace.program, trace.args, questions)
        for question in questions:
            key = truth_of(question, noted)
            if key is not None:
                assert question.key == key, (question, trace.program.source)
                checked[question.kind, key] += 1
    for kind in ("executed", "branch", "alias"):
        assert checked[kind, "yes"] >= 20, checked
        assert checked[kind, "no"] >= 20, checked


def steps_on(seen: dict[str, Any], line: int | None) -> list[dict[str, Any]]:
    return [step for step in seen["steps"] if step["line"] == line]


def headed_by(tree: ast.AST, line: int | None, *kinds: type[ast.AST]) -> Any:
    """The statement of one of these kinds whose header stands on a line."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, kinds) and getattr(node, "pattern", node).lineno == line
    ]
    assert len(found) == 1
    return found[0]


def entered(seen: dict[str, Any], step: dict[str, Any], node: Any) -> bool:
    """Whether the next step of the same activation stands on a line of the node's body."""
    later = seen["steps"][step["index"] + 1 :]
    line = next((s["line"] for s in later if s["activation"] == step["activation"]), 0)
    return bool(node.body[0].lineno <= line <= node.body[-1].end_lineno)


def key_of_executed(question: Question, seen: dict[str, Any], tree: ast.Module) -> str:
    return "yes" if steps_on(seen, question.line) else "no"


def key_of_branch(question: Question, seen: dict[str, Any], tree: ast.Module) -> str:
    assert question.occurrence is not None
    step = steps_on(seen, question.line)[question.occurrence - 1]
    kinds = (ast.If, ast.While, ast.match_case, ast.ExceptHandler)
    return "yes" if entered(seen, step, headed_by(tree, question.line, *kinds)) else "no"


def key_of_loop_count(question: Question, seen: dict[str, Any], tree: ast.Module) -> str:
    node = headed_by(tree, question.line, ast.For, ast.While)
    return str(sum(entered(seen, step, node) for step in steps_on(seen, question.line)))


def key_of_call_stack(question: Question, seen: dict[str, Any], tree: ast.Module) -> str:
    assert question.occurrence is not None
    step = steps_on(seen, question.line)[question.occurrence - 1]
    open_now: dict[int, int] = {}
    for earlier in seen["steps"][: step["index"] + 1]:
        open_now[earlier["depth"]] = earlier["activation"]
    names = [seen["activations"][open_now[depth]]["function"] for depth in range(step["depth"] + 1)]
    return " > ".join(name for name in names if name != "<module>")


def key_of_exception(question: Question, seen: dict[str, Any], tree: ast.Module) -> str:
    if question.occurrence is None:
        assert seen["outcome"]["kind"] == "raised"
        return str(seen["outcome"]["type"])
    node = headed_by(tree, question.line, *FUNCTIONS)
    inner = {
        line
        for each in ast.walk(node)
        if isinstance(each, (*FUNCTIONS, ast.ClassDef)) and each is not node
        for line in range(each.body[0].lineno, (each.end_lineno or 0) + 1)
    }
    own = set(range(node.body[0].lineno, node.end_lineno + 1)) - inner
    firsts = {s["activation"]: s["line"] for s in reversed(seen["steps"])}
    calls = [number for number, line in sorted(firsts.items()) if line in own]
    ended = seen["activations"][calls[question.occurrence - 1]]
    assert ended["end"] in ("returned", "raised")
    return "returns" if ended["end"] == "returned" else str(ended["type"])


KEYS = {
    "executed": key_of_executed,
    "branch": key_of_branch,
    "loop_count": key_of_loop_count,
    "call_stack": key_of_call_stack,
    "exception": key_of_exception,
}
