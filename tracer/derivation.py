"""All questions of a trace.

Source: own; the numbers of questions follow ExecVerify (https://arxiv.org/abs/2603.11226).
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from tracer.questions import QUESTION_KINDS
from tracer.records import Question, Trace

QUESTIONS_PER_KIND = 5
"""Most questions of one kind that a trace gives unless told otherwise."""


def derive(
    trace: Trace, kinds: Sequence[str] | None = None, *, limit: int = QUESTIONS_PER_KIND
) -> tuple[Question, ...]:
    """Derive the questions of a trace, in the order of the registry and of the steps.

    Only a complete trace of a call that ended by itself gives questions, and one that raised only
    those of the kinds that say so (``outcomes``). Which of many possible questions
    are asked depends on the program, the arguments and the kind alone.

    Args:
        trace: What was seen of the call.
        kinds: Names of the kinds wanted; ``None`` means all.
        limit: Most questions of each kind.

    Raises:
        ValueError: A kind is unknown, or ``limit`` is negative.
    """
    known = [kind.name for kind in QUESTION_KINDS]
    for name in kinds or ():
        if name not in known:
            raise ValueError(f"unknown question kind {name!r}; known are {', '.join(known)}")
    if limit < 0:
        raise ValueError(f"limit must be 0 or more, got {limit}")
    if not trace.complete or not limit:
        return ()
    questions: list[Question] = []
    for kind in QUESTION_KINDS:
        if (kinds is None or kind.name in kinds) and trace.outcome.kind in kind.outcomes:
            questions.extend(kind.derive(trace, _generator(trace, kind.name), limit))
    return tuple(questions)


def _generator(trace: Trace, kind: str) -> random.Random:
    digest = hashlib.sha256()
    for part in (trace.program.source, trace.program.entry_point or "", trace.args, kind):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return random.Random(digest.hexdigest())
