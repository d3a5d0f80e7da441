r"""Runs, traces and questions small Python programs; standard library only.

Example:
    >>> from tracer import Call, Program, derive, run
    >>> trace = run(Program("def f(x):\n    y = x + 1\n    return y", "f"), Call("2"))
    >>> trace.outcome.value, [change.value for change in trace.steps[0].changes]
    ('3', ['3'])
    >>> [question.key for question in derive(trace, ["output"])]
    ['3']
"""

from tracer.derivation import derive
from tracer.pool import Pool
from tracer.records import (
    Activation,
    Call,
    Change,
    Limits,
    Outcome,
    Program,
    Question,
    Statement,
    Step,
    Trace,
    Variable,
    Verdict,
)
from tracer.runner import Runner, run
from tracer.verification import verify

__all__ = [
    "Activation",
    "Call",
    "Change",
    "Limits",
    "Outcome",
    "Pool",
    "Program",
    "Question",
    "Runner",
    "Statement",
    "Step",
    "Trace",
    "Variable",
    "Verdict",
    "derive",
    "run",
    "verify",
]
