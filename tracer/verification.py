"""Judging what a model replied to a question: the only door for scores and rewards.

Nothing in a reply is ever executed. Answers to ``input`` questions are literal arguments with which
*our* program is run, by the ``runner``; when that fails the verdict is ``infrastructure``, never a
wrong answer.

Source: own (DESIGN, section 3, "Verification").
"""

from __future__ import annotations

from tracer.answers import MAX_CHARS, Layout, read_reply
from tracer.fences import unfence
from tracer.questions import QUESTION_KINDS, Context, InputChecker
from tracer.records import Program, Question, Verdict

__all__ = ["InputChecker", "verify", "verify_answer"]


def verify(
    question: Question,
    reply: str,
    *,
    program: Program | None = None,
    runner: InputChecker | None = None,
    layout: Layout = "any",
) -> Verdict:
    """Judge a whole reply to one question.

    Args:
        question: The question, with its key.
        reply: All that the model wrote.
        program: The program asked about: needed to run ``input`` answers, and to accept the text of
            a line for its number.
        runner: Runs the program for ``input`` answers other than the key.
        layout: How the model was told to write (see :mod:`tracer.answers`).

    Raises:
        ValueError: The question is of an unknown kind.
    """
    reading = read_reply(reply, layout)
    if reading.answer is None:
        return Verdict("no_answer" if reading.empty else "unparsed", reading.problem, question.key)
    return verify_answer(question, reading.answer, program=program, runner=runner)


def verify_answer(
    question: Question,
    answer: str | None,
    *,
    program: Program | None = None,
    runner: InputChecker | None = None,
) -> Verdict:
    """Judge the text of an answer that was already found, as by ``split_answers``.

    Raises:
        ValueError: The question is of an unknown kind.
    """
    kind = next((each for each in QUESTION_KINDS if each.name == question.kind), None)
    if kind is None:
        raise ValueError(f"unknown question kind {question.kind!r}")
    text = unfence(answer or "")
    if not text:
        return Verdict("no_answer", "there is no answer to this question", question.key)
    if len(text) > MAX_CHARS:
        problem = f"the answer is longer than {MAX_CHARS} characters"
        return Verdict("unparsed", problem, question.key)
    return kind.check(question, text, Context(program, runner))
