"""Holds a text against a plan: what is wrong, missing, out of place or without ground.

Only the text is read. Its steps are laid beside those of the plan so that as much as possible
agrees, in order; what is left over on either side is a finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from factory.reasoning.checking import Dimension, Finding, Report
from factory.reasoning.plans.outline import Plan
from factory.reasoning.plans.sentences import Step, read_plan

_ASIDE = ("need", "state", "check")
"""Sentences beside the steps of the plan."""
_HEADS = ("task", "helper", "body", "loop", "while", "if", "elif", "else", "block")
"""Steps that begin something."""
_NESTED, _WRONG, _OTHER, _LEFT, _END = 4, 9, 15, 10, 1

_Move: TypeAlias = tuple[Literal["match", "extra", "skip"], int, int]


def check_plan(text: str, plan: Plan) -> Report:
    """Check every sentence of a text, and that no step of the plan is missing."""
    lines = read_plan(text)
    findings = [
        Finding("coherence", "unreadable", place, injury=True)
        for place, line in enumerate(lines)
        if isinstance(line, str)
    ]
    told = [(p, s) for p, s in enumerate(lines) if isinstance(s, Step) and s.kind not in _ASIDE]
    findings += _judge_steps(told, plan)
    findings += _judge_asides(lines, plan)
    findings.sort(key=lambda f: (len(lines) if f.sentence is None else f.sentence, f.name))
    return Report(sum(isinstance(line, Step) for line in lines), tuple(findings))


def _judge_steps(told: Sequence[tuple[int, Step]], plan: Plan) -> list[Finding]:
    found: list[Finding] = []
    skipped: list[int] = []
    extra: list[tuple[int, int]] = []
    matched: set[int] = set()
    for what, i, j in _align([step for _, step in told], plan.steps):
        if what == "skip":
            skipped.append(j)
        elif what == "extra":
            extra.append((i, j))
        else:
            matched.add(j)
            (place, step), right = told[i], plan.steps[j]
            if replace(step, depth=right.depth) != right:
                found.append(Finding("factual", "wrong", place, injury=True))
            elif step.depth != right.depth and step.kind == "end":
                found.append(Finding("coherence", "late", place, injury=False))
            elif step.depth != right.depth:
                found.append(Finding("coherence", "misnested", place, injury=True))
    for i, j in extra:
        found.append(_judge_extra(*told[i], j, skipped, matched, plan))
    for j in skipped:
        kind = plan.steps[j].kind
        if kind == "end":
            found.append(Finding("coherence", "open_end", None, injury=False))
        elif kind in _HEADS:
            found.append(Finding("coherence", "unannounced", None, injury=True))
        else:
            found.append(Finding("rigor", "skipped", None, injury=True))
    return found


def _judge_extra(
    place: int, step: Step, j: int, skipped: list[int], matched: set[int], plan: Plan
) -> Finding:
    """What is wrong with a step that stands beside none of the plan's."""
    for index in skipped:
        if _same(plan.steps[index], step):
            skipped.remove(index)
            if step.kind == "end":
                matched.add(index)
                return Finding("coherence", "late", place, injury=False)
            return Finding("coherence", "displaced", place, injury=True)
    same = [index for index in matched if _same(plan.steps[index], step)]
    if step.kind == "end" and same:
        return Finding("coherence", "repeated", place, injury=False)
    if step.kind in _HEADS:
        return Finding("coherence", "stray", place, injury=True)
    if any(index >= j for index in same):
        return Finding("rigor", "premature", place, injury=True)
    return Finding("coherence", "irrelevant", place, injury=True)


def _same(one: Step, other: Step) -> bool:
    """Whether two steps say the same, wherever they stand."""
    return replace(one, depth=other.depth) == other


def _judge_asides(lines: Sequence[Step | str], plan: Plan) -> list[Finding]:
    """Check needs, states and results of examples."""
    found: list[Finding] = []
    calls = {example.call: example for example in plan.examples}
    last = max((p for p, s in enumerate(lines) if _is_step(s)), default=-1)
    for place, step in enumerate(lines):
        if isinstance(step, str) or step.kind not in _ASIDE:
            continue
        example = calls.get(step.call)
        if step.kind == "need":
            found += _judge_need(place, step, lines, plan)
        elif step.kind == "check":
            if example is None or example.value != step.text:
                found.append(Finding("factual", "wrong", place, injury=True))
            elif place < last:
                found.append(Finding("factual", "early", place, injury=False))
        elif example is None or example.states.get(step.name) != step.text:
            found.append(Finding("coherence", "contradiction", place, injury=True))
    return found


def _judge_need(place: int, step: Step, lines: Sequence[Step | str], plan: Plan) -> list[Finding]:
    dimension: Dimension = "rigor"
    if step.text not in plan.needs.get(step.name, ()):
        return [Finding(dimension, "beside_the_point", place, injury=True)]
    before = lines[place - 1] if place else ""
    if isinstance(before, Step) and before.kind == "set" and before.name == step.name:
        return []
    return [Finding(dimension, "late_need", place, injury=False)]


def _is_step(line: Step | str) -> bool:
    return isinstance(line, Step) and line.kind not in _ASIDE


def _align(told: Sequence[Step], steps: Sequence[Step]) -> list[_Move]:
    """The cheapest way to lay told steps beside those of a plan, as moves in order."""
    same = 0
    while same < min(len(told), len(steps)) and told[same] == steps[same]:
        same += 1
    rows, columns = len(told), len(steps)
    best: list[list[tuple[int, _Move | None]]] = [
        [(0, None)] * (columns + 1) for _ in range(rows + 1)
    ]
    for i in range(rows, same - 1, -1):
        for j in range(columns, same - 1, -1):
            options: list[tuple[int, _Move]] = []
            if i < rows and j < columns and told[i].kind == steps[j].kind:
                cost = _match_cost(told[i], steps[j])
                options.append((cost + best[i + 1][j + 1][0], ("match", i, j)))
            if i < rows:
                options.append((_left_cost(told[i]) + best[i + 1][j][0], ("extra", i, j)))
            if j < columns:
                options.append((_left_cost(steps[j]) + best[i][j + 1][0], ("skip", i, j)))
            if options:
                best[i][j] = min(options, key=lambda option: option[0])
    moves: list[_Move] = [("match", i, i) for i in range(same)]
    i = j = same
    while (move := best[i][j][1]) is not None:
        moves.append(move)
        i, j = i + (move[0] != "skip"), j + (move[0] != "extra")
    return moves


def _match_cost(step: Step, right: Step) -> int:
    if step == right:
        return 0
    if _same(step, right):
        return _NESTED
    if step.depth == right.depth and (step.name, step.call) == (right.name, right.call):
        return _WRONG
    return _OTHER


def _left_cost(step: Step) -> int:
    return _END if step.kind == "end" else _LEFT
