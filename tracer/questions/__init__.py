"""The registry of question kinds: one module each."""

from __future__ import annotations

from tracer.questions import (
    alias,
    branch,
    call_stack,
    exception,
    executed,
    input,
    loop_count,
    next_statement,
    output,
    variable_state,
)
from tracer.questions.base import Context, InputChecker, QuestionKind

__all__ = ["QUESTION_KINDS", "Context", "InputChecker", "QuestionKind"]

QUESTION_KINDS: tuple[QuestionKind, ...] = (
    output.KIND,
    input.KIND,
    next_statement.KIND,
    variable_state.KIND,
    executed.KIND,
    branch.KIND,
    loop_count.KIND,
    call_stack.KIND,
    alias.KIND,
    exception.KIND,
)
