"""Which of the questions that can be asked about a trace are kept.

The paper's numbers (ExecVerify, arXiv 2603.11226, section 3) bound the questions about the order of
steps and those about variables; questions about the whole call are always kept.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, zip_longest
from typing import TypeVar

from factory.identity import content_id
from factory.question_groups import kind_group
from factory.recipe_records import QuestionPlan
from tracer.derivation import derive
from tracer.questions import QUESTION_KINDS
from tracer.records import Question, Trace

Asked = TypeVar("Asked")


def kind_names() -> tuple[str, ...]:
    """Names of the question kinds, in the registry's order."""
    return tuple(kind.name for kind in QUESTION_KINDS)


@cache
def source_of(kind: str) -> str:
    """Where a question kind comes from, as its module says: a URL, or ``own``."""
    derive_kind = next(entry.derive for entry in QUESTION_KINDS if entry.name == kind)
    documentation = sys.modules[derive_kind.__module__].__doc__ or ""
    found = re.search(r"^Source: (\S+)", documentation, re.MULTILINE)
    return found[1].rstrip(".") if found else "own"


def choose_questions(trace: Trace, plan: QuestionPlan) -> tuple[Question, ...]:
    """The kept questions of a trace, in the order in which they were derived.

    The choice depends on the program, the arguments and the plan alone, so it can be repeated
    from a published row.
    """
    kept: list[Question] = []
    groups: dict[str, dict[str, list[Question]]] = {"control_flow": {}, "data_flow": {}}
    all_of_them = sum(1 + len(step.changes) for step in trace.steps)
    for kind in kind_names():
        if kind not in plan.kinds:
            continue
        group = kind_group(kind)
        if group is None:
            kept.extend(derive(trace, [kind]))
        else:
            most = getattr(plan, group)
            limit = all_of_them if most is None else most
            groups[group][kind] = list(derive(trace, [kind], limit=limit))
    for group, of_kind in groups.items():
        seed = content_id([trace.program.source, trace.args, group])
        kept.extend(take_turns(of_kind, getattr(plan, group), random.Random(seed)))
    return tuple(sorted(kept, key=_place))


def take_turns(
    of_kind: Mapping[str, Sequence[Asked]], most: int | None, rng: random.Random
) -> list[Asked]:
    """At most ``most`` questions, drawn from every kind in turn; ``None`` takes all."""
    shuffled = [rng.sample(questions, len(questions)) for questions in of_kind.values()]
    turns = chain.from_iterable(zip_longest(*shuffled))
    return [question for question in turns if question is not None][:most]


def _place(question: Question) -> tuple[int, int, int, str]:
    """By kind, then by step, by line, and by variable."""
    step = -1 if question.step is None else question.step
    return kind_names().index(question.kind), step, question.line or 0, question.variable or ""
