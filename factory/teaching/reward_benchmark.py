"""A benchmark of reward models: replies to problems, whose reasoning and outcome agree.

A model answers each problem several times. A reply counts as good when its code passes the hidden
tests and its plan has no fault, as bad when its code fails and its plan has one; all others say
nothing certain and are left out. A problem with both kinds gives one pair.

Source: LCB-RB of ReCode (https://arxiv.org/abs/2508.05170), whose pairs are of reasonings that go
with right and with wrong solutions; the check of the reasoning is ours.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Template
from typing import Any

from factory.identity import content_id
from factory.models.base import Prompt
from factory.reasoning.plans.checking import check_plan
from factory.reasoning.plans.outline import Plan
from factory.rows import Row
from factory.teaching.asking import LEAST_CLAIMS, Asker, faults, plan_of_problem, reasoning_of
from factory.teaching.forms import plan_forms
from tracer.problems import find_code, problem_of
from tracer.records import Verdict
from tracer.unit_tests import UnitTester

FORMS = """\
Between the think tags, write the plan one sentence a line, blocks indented by two spaces, in these
forms:

$forms
"""


@dataclass(frozen=True, slots=True)
class Task:
    """A problem, and what its reference does."""

    problem: Row
    plan: Plan


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Pairs, and what became of the replies."""

    pairs: tuple[dict[str, Any], ...]
    replies: Mapping[str, int]
    """``good``, ``bad``, ``unread`` (no code, or too few claims) and ``disagreeing``."""


def tasks_of(
    problems: Iterable[Row], programs: Mapping[str, Row], traces: Mapping[str, Sequence[Row]]
) -> Iterator[Task]:
    """The problems whose references have a plan.

    Args:
        problems: Rows of ``problems``.
        programs: Rows of ``programs`` by id.
        traces: Rows of ``traces`` by the id of their program.
    """
    for problem in problems:
        program = programs.get(problem["program_id"])
        if program is not None:
            plan = plan_of_problem(problem, program, traces.get(program["program_id"], ()))
            if plan is not None:
                yield Task(problem, plan)


def make_benchmark(tasks: Sequence[Task], asker: Asker, n: int, tester: UnitTester) -> Benchmark:
    """One pair of each problem that has a good and a bad reply.

    Args:
        tasks: What is asked.
        asker: The model.
        n: Replies to each problem.
        tester: Runs the replies' code.

    Raises:
        InfrastructureError: The model failed.
    """
    prompts = [_prompt(task) for task in tasks]
    counts: Counter[str] = Counter(dict.fromkeys(("good", "bad", "unread", "disagreeing"), 0))
    pairs: list[dict[str, Any]] = []
    for task, texts in zip(tasks, asker.ask(prompts, n), strict=True):
        by_kind: dict[str, list[str]] = {"good": [], "bad": []}
        for text in dict.fromkeys(texts):
            kind = judge_reply(text, task, tester)
            counts[kind] += 1
            if kind in by_kind:
                by_kind[kind].append(text)
        if by_kind["good"] and by_kind["bad"]:
            rng = random.Random(content_id([task.problem["problem_id"], "reward"]))
            chosen, rejected = rng.choice(by_kind["good"]), rng.choice(by_kind["bad"])
            pairs.append(
                {
                    "id": task.problem["problem_id"],
                    "prompt": task.problem["prompt"],
                    "chosen": chosen,
                    "rejected": rejected,
                    "generator": asker.model.name,
                }
            )
    return Benchmark(tuple(pairs), dict(counts))


def judge_reply(reply: str, task: Task, tester: UnitTester) -> str:
    """What a reply is: ``good``, ``bad``, ``unread`` or ``disagreeing``."""
    row = task.problem
    record = {**json.loads(row["tests"]), "entry_point": row["entry_point"]}
    problem = problem_of({**record, "prompt": row["starter"]})
    reasoning, code = reasoning_of(reply), find_code(problem, reply)
    if reasoning is None or isinstance(code, Verdict):
        return "unread"
    report = check_plan(reasoning, task.plan)
    if report.claims < LEAST_CLAIMS:
        return "unread"
    outcome = tester.run(code, problem.suite).status
    if outcome == "infrastructure":
        return "unread"
    sound = not faults(report)
    if sound == (outcome == "passed"):
        return "good" if sound else "bad"
    return "disagreeing"


def _prompt(task: Task) -> Prompt:
    """What the model is asked: the problem, and the forms of sentences that can be checked."""
    *before, last = task.problem["prompt"]
    asked = Template(FORMS).substitute(forms=plan_forms())
    return [*before, {"role": last["role"], "content": f"{last['content']}\n{asked}"}]
