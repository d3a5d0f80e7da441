"""Measured difficulty: how many of ``n`` answers of a baseline model are right.

Each answer is judged by :class:`tracer.judging.Judge`, as in scoring and in the rewards: parsed and
compared as a value, never looked for in a text. What can be read of the answers is kept in the row,
so that an audit counts the right ones again without the model.

Source: https://arxiv.org/abs/2603.11226 (ten answers, at most three right); the interval and the
lower bound are ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from factory.errors import InfrastructureError
from factory.models.base import Model, Prompt, Sampling, generation_of
from factory.training_records import Difficulty
from tracer.answers import read_reply
from tracer.interval import wilson
from tracer.judging import Judge, Submission
from tracer.prompts import chat, describe, fill
from tracer.records import Program, Question, Verdict

Row: TypeAlias = dict[str, Any]

_FIELDS = ("kind", "text", "key", "stmt", "line", "occurrence", "variable", "step")
_READ = frozenset({"correct", "incorrect"})
"""Statuses of answers that could be read."""
HIDDEN_CALL = frozenset({"input"})
"""Kinds of questions whose prompt must not tell the call: it is the answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's row with those of its program and trace."""

    program: Row
    trace: Row
    question: Row


@dataclass(frozen=True, slots=True)
class Baseline:
    """Who answers, and how it is asked."""

    name: str
    """The model's, its version included."""
    revision: str | None
    """As the recipe gives it."""
    plan: Difficulty
    seed: int

    def row(self, asked: Asked, passes: int, answers: list[str | None]) -> Row:
        """The value of the column ``difficulty``."""
        low, high = wilson(passes, len(answers))
        sampling = Sampling(self.plan.temperature, self.plan.max_tokens, self.seed)
        prompt = prompt_of(asked, self.plan)
        asking = generation_of(self.name, self.revision, sampling, prompt)
        return {
            "n": len(answers),
            "passes": passes,
            "low": low,
            "high": high,
            "answers": answers,
            **asdict(asking),
        }


class Measurer:
    """Measures questions with one model; the rows come back with ``difficulty`` filled in."""

    def __init__(
        self,
        plan: Difficulty,
        model: Model,
        seed: int,
        judge: Judge,
        revision: str | None = None,
    ) -> None:
        self._plan = plan
        self.asked = model
        """The model itself."""
        self._baseline = Baseline(model.name, revision, plan, seed)
        self._judge = judge

    @property
    def model(self) -> str:
        """Name of the model, as the rows have it."""
        return self.asked.name

    def measure(self, asked: Sequence[Asked]) -> list[Row]:
        """The rows of the questions in their order, those of the plan's kinds measured.

        Raises:
            InfrastructureError: The model failed; the replies that it gave before are kept.
        """
        chosen = self._choose(asked)
        replies = iter(self._complete([prompt_of(each, self._plan) for each in chosen]))
        submitted = [(each, next(replies)) for each in chosen]
        layout = self._plan.layout
        submissions = [
            Submission(question_of(each.question), reply, program_of(each.program), layout)
            for each, texts in submitted
            for reply in texts
        ]
        verdicts = iter(self._judge.judge(submissions))
        measured = {
            each.question["question_id"]: self._describe(each, [(r, next(verdicts)) for r in texts])
            for each, texts in submitted
        }
        return [
            {**each.question, "difficulty": measured.get(each.question["question_id"])}
            for each in asked
        ]

    def _choose(self, asked: Iterable[Asked]) -> list[Asked]:
        """Those that the plan has asked."""
        plan = self._plan
        counts: Counter[str] = Counter()
        chosen = []
        for each in asked:
            program = each.program["program_id"]
            if each.question["kind"] not in plan.kinds:
                continue
            counts[program] += 1
            if plan.per_program is None or counts[program] <= plan.per_program:
                chosen.append(each)
        return chosen

    def _complete(self, prompts: Sequence[Prompt]) -> list[list[str]]:
        plan = self._plan
        try:
            replies = self.asked.complete(
                prompts,
                n=plan.n,
                temperature=plan.temperature,
                max_tokens=plan.max_tokens,
                seed=self._baseline.seed,
            )
        except (RuntimeError, OSError) as error:
            reason = str(error).strip().split("\n", 1)[0]
            raise InfrastructureError(
                f"the model {self.asked.name} failed: {reason}; the replies it gave are kept: "
                "run the same command again to go on"
            ) from error
        return [[_storable(text) for text in texts] for texts in replies]

    def _describe(self, asked: Asked, judged: Iterable[tuple[str, Verdict]]) -> Row | None:
        """The column's value; an answer that could not be judged counts neither way."""
        counted = [(reply, v) for reply, v in judged if v.status != "infrastructure"]
        if not counted:
            return None
        passes = sum(verdict.status == "correct" for _, verdict in counted)
        answers = [
            read_reply(reply, self._plan.layout).answer if verdict.status in _READ else None
            for reply, verdict in counted
        ]
        return self._baseline.row(asked, passes, answers)


def _storable(text: str) -> str:
    """The text without halves of surrogate pairs, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def measure_again(
    asked: Asked, answers: Sequence[str | None], baseline: Baseline, judge: Judge
) -> Row:
    """What ``difficulty`` must be, given the answers that were kept.

    Args:
        asked: The question's row with those of its program and trace.
        answers: What could be read of each answer; ``None`` counts as wrong.
        baseline: Who answered, as the manifest has it.
        judge: Judges the answers.

    Raises:
        InfrastructureError: An answer could not be judged.
    """
    question = question_of(asked.question)
    verdicts = judge.judge(
        [
            Submission(question, answer, program_of(asked.program), None)
            for answer in answers
            if answer is not None
        ]
    )
    for verdict in verdicts:
        if verdict.status == "infrastructure":
            raise InfrastructureError(f"an answer could not be judged: {verdict.reason}")
    passes = sum(verdict.status == "correct" for verdict in verdicts)
    return baseline.row(asked, passes, list(answers))


def prompt_of(asked: Asked, plan: Difficulty) -> Prompt:
    """The prompt that asks one question."""
    program, question = asked.program, asked.question
    call = f"{program['entry_point']}({asked.trace['args']})"
    values = describe(
        program["source"],
        program["entry_point"],
        "" if question["kind"] in HIDDEN_CALL else call,
        {"q1": question["text"]},
    )
    return chat(plan.system, fill(plan.prompt, values))


def question_of(row: Row) -> Question:
    """The question that a row holds."""
    return Question(valid=tuple(row["valid"]), **{name: row[name] for name in _FIELDS})


def program_of(row: Row) -> Program:
    """The program that a row holds."""
    return Program(row["source"], row["entry_point"])
