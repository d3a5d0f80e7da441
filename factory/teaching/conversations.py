"""Conversations of a teacher: a model's own reasoning, kept when its answer verifies.

Where its sentences make claims that can be checked, none of them may be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from factory.identity import content_id
from factory.load import question_of, trace_of
from factory.models.base import Prompt
from factory.reasoning.checking import check
from factory.reasoning.telling import Story, story_of
from factory.recipe_records import Recipe
from factory.records import Dropped
from factory.rows import ExampleRows, Row
from factory.sft import BLACK_BOX
from factory.teaching.asking import Asker, reasoning_of
from tracer.judging import Judge, Submission
from tracer.prompts import chat, describe, fill
from tracer.records import Program

VERIFIED = "answer"
"""How such a row was verified: the answer was judged right."""
_WRONG = frozenset({"wrong", "contradiction"})
"""Faults of a claim; what a model leaves out is none."""


@dataclass(frozen=True, slots=True)
class _Question:
    program: Row
    trace: Row
    question: Row
    story: Story | None
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Taught:
    """Rows of one program, and what was left out."""

    rows: tuple[Row, ...]
    dropped: tuple[Dropped, ...]


class Teacher:
    """Asks one model the questions about runs."""

    def __init__(self, asker: Asker, judge: Judge, recipe: Recipe) -> None:
        self._asker = asker
        self._judge = judge
        self._recipe = recipe

    def teach(self, programs: Sequence[ExampleRows]) -> list[Taught]:
        """The conversations about some programs, in their order.

        Raises:
            InfrastructureError: The model failed, or an answer could not be judged.
        """
        asked = [self._questions(rows) for rows in programs]
        flat = [each for questions in asked for each in questions]
        replies = self._asker.ask([each.prompt for each in flat], self._recipe.teacher.n)
        submissions = [
            Submission(question_of(each.question), reply, _program(each.program), "any")
            for each, texts in zip(flat, replies, strict=True)
            for reply in texts
        ]
        verdicts = iter(self._judge.judge(submissions))
        given = iter(replies)
        return [
            self._keep(
                [(each, [(r, next(verdicts).status) for r in next(given)]) for each in questions]
            )
            for questions in asked
        ]

    def _questions(self, rows: ExampleRows) -> list[_Question]:
        """The first questions about a program whose answers are values."""
        traces = {trace["trace_id"]: trace for trace in rows.traces}
        chosen = [row for row in rows.questions if row["kind"] in BLACK_BOX]
        return [
            _question(rows.program, traces[question["trace_id"]], question, self._recipe)
            for question in chosen[: self._recipe.teacher.per_program]
        ]

    def _keep(self, answered: Sequence[tuple[_Question, list[tuple[str, str]]]]) -> Taught:
        rows: list[Row] = []
        dropped: list[Dropped] = []
        for each, replies in answered:
            where = each.question["question_id"]
            made: Row | None = None
            reason = "no_reply"
            for reply, status in replies:
                reason = "wrong_answer" if status == "incorrect" else "unread_answer"
                if status == "correct":
                    made = self._row(each, reply)
                    reason = "wrong_claim"
                if made is not None:
                    rows.append(made)
                    break
            if made is None:
                dropped.append(Dropped("teacher", reason, where))
        return Taught(tuple(rows), tuple(dropped))

    def _row(self, each: _Question, reply: str) -> Row | None:
        reasoning = reasoning_of(reply)
        if reasoning is None:
            return None
        claims, wrong = count_claims(reasoning, each.story)
        if wrong:
            return None
        answer = reply.rpartition("<answer>")[2].partition("</answer>")[0].strip()
        text = f"<think>\n{reasoning}\n</think>\n<answer>\n{answer}\n</answer>"
        program, question = each.program, each.question
        return {
            "sft_id": content_id([VERIFIED, question["question_id"], text]),
            "program_id": program["program_id"],
            "trace_id": each.trace["trace_id"],
            "question_id": question["question_id"],
            "family_id": program["family_id"],
            "split": program["split"],
            "level": program["level"],
            "task": question["kind"],
            "messages": [*map(dict, each.prompt), {"role": "assistant", "content": text}],
            "claims": claims,
            "detail": None,
            "verified": VERIFIED,
            "generation": self._asker.about(each.prompt),
        }


def recheck(row: Row, program: Row, trace: Row, question: Row, judge: Judge) -> str:
    """What is wrong with a published row of a teacher; empty when nothing is."""
    text = row["messages"][-1]["content"]
    submission = Submission(question_of(question), text, _program(program), "think+answer")
    (verdict,) = judge.judge([submission])
    if verdict.status != "correct":
        return f"its answer is {verdict.status}"
    story = story_of(trace_of(trace, program))
    claims, wrong = count_claims(reasoning_of(text) or "", story)
    if wrong or claims != row["claims"]:
        return f"{claims} claims hold, {row['claims']} are published"
    wanted = content_id([VERIFIED, question["question_id"], text])
    return "" if row["sft_id"] == wanted else "its id is not the hash of its contents"


def count_claims(reasoning: str, story: Story | None) -> tuple[int, bool]:
    """Claims that can be read in a text, and whether one of them is wrong."""
    if story is None:
        return 0, False
    report = check(reasoning, story)
    return report.claims, any(finding.name in _WRONG for finding in report.injuries)


def _question(program: Row, trace: Row, question: Row, recipe: Recipe) -> _Question:
    call = f"{program['entry_point']}({trace['args']})"
    shown = "" if question["kind"] == "input" else call
    values = describe(program["source"], program["entry_point"], shown, {"q1": question["text"]})
    plan = recipe.sft
    prompt = chat(plan.system, fill(plan.prompt, values))
    story = story_of(trace_of(trace, program)) if question["kind"] == "output" else None
    return _Question(program, trace, question, story, prompt)


def _program(row: Row) -> Program:
    return Program(row["source"], row["entry_point"])
