"""Pairs of a rewriter: a model tells a run, or plans code, then makes its text better or worse.

All sides of a pair are the model's. Its base text must be without a fault that can be checked, the
better one too, and the worse one must have a fault of the dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Any

from factory.crpl import EXECUTION, pair_row
from factory.identity import content_id
from factory.reasoning.checking import Dimension
from factory.reasoning.pairs import Pair, PairKind
from factory.recipe_records import Recipe
from factory.records import Dropped
from factory.rows import ExampleRows, Row
from factory.teaching.asking import LEAST_CLAIMS, Asker, faults, reasoning_of
from factory.teaching.forms import plan_forms, sentence_forms
from factory.teaching.pair_tasks import Check, PairTask, check_of, tasks_of
from tracer.prompts import chat


class Rewriter:
    """Asks one model for pairs."""

    def __init__(self, asker: Asker, recipe: Recipe) -> None:
        self._asker = asker
        self._plan = recipe.rewriter
        self._recipe = recipe

    def rewrite(
        self, programs: Sequence[ExampleRows]
    ) -> list[tuple[tuple[Row, ...], tuple[Dropped, ...]]]:
        """Rows and drops of some programs, in their order.

        Raises:
            InfrastructureError: The model failed.
        """
        tasks = [
            (number, t)
            for number, rows in enumerate(programs)
            for t in tasks_of(rows, self._recipe)
        ]
        every = [task for _, task in tasks]
        base = self._texts(every, [self._base(task) for task in every])
        better = self._transform(every, base, "better", ("strong", "optimised"))
        worse = self._transform(every, base, "worse", ("strong", "degraded"))
        rows: list[list[Row]] = [[] for _ in programs]
        dropped: list[list[Dropped]] = [[] for _ in programs]
        for place, (number, task) in enumerate(tasks):
            chosen = base[place] if task.kind == "degraded" else better[place]
            rejected = base[place] if task.kind == "optimised" else worse[place]
            made = self._pair(task, base[place], chosen, rejected)
            if isinstance(made, str):
                dropped[number].append(Dropped("rewriter", made, task.about))
            else:
                rows[number].append(made)
        return [(tuple(r), tuple(d)) for r, d in zip(rows, dropped, strict=True)]

    def _base(self, task: PairTask) -> list[dict[str, str]]:
        """What asks for the base text: the prompt of the pair, and the forms of sentences."""
        base = self._plan.base if task.name == EXECUTION else self._plan.plan_base
        asked = Template(base).substitute(forms=_forms(task))
        *before, last = task.prompt
        return [*before, {"role": last["role"], "content": f"{last['content']}\n{asked}"}]

    def _transform(
        self,
        tasks: Sequence[PairTask],
        base: Sequence[str | None],
        side: str,
        kinds: tuple[PairKind, ...],
    ) -> list[str | None]:
        """The texts that the base texts become; ``None`` where none is wanted."""
        places = [
            place
            for place, task in enumerate(tasks)
            if task.kind in kinds and base[place] is not None
        ]
        prompts = []
        for place in places:
            task = tasks[place]
            how = getattr(self._plan, f"{task.dimension}_{side}")
            asked = Template(self._plan.transform).substitute(
                task=task.prompt[-1]["content"],
                reasoning=base[place],
                how=how,
                forms=_forms(task),
            )
            prompts.append(chat(self._recipe.crpl.system, asked))
        texts: list[str | None] = [None] * len(tasks)
        chosen = [tasks[place] for place in places]
        for place, text in zip(places, self._texts(chosen, prompts), strict=True):
            texts[place] = text
        return texts

    def _texts(
        self, tasks: Sequence[PairTask], prompts: Sequence[list[dict[str, str]]]
    ) -> list[str | None]:
        replies = self._asker.ask(prompts)
        return [reasoning_of(texts[0]) for texts in replies]

    def _pair(
        self, task: PairTask, base: str | None, chosen: str | None, rejected: str | None
    ) -> Row | str:
        """The row of a pair, or why there is none."""
        if base is None or chosen is None or rejected is None:
            return "no_reasoning"
        if chosen == rejected:
            return "unchanged"
        reason = judge_sides(chosen, rejected, task.check, task.kind, task.dimension)
        if reason:
            return reason
        claims = sum(task.check(text).claims for text in (chosen, rejected))
        pair = Pair(task.kind, task.dimension, chosen, rejected, None, None, claims)
        row = pair_row(task.program, task.trace_id, task.question_id, task.name, task.prompt, pair)
        return {
            **row,
            "generator": self._asker.model.name,
            "generation": self._asker.about(self._base(task)),
        }


def judge_sides(
    chosen: str, rejected: str, check: Check, kind: PairKind, dimension: Dimension
) -> str:
    """Why two texts of a model are no pair, as a slug; empty when they are one."""
    good, bad = check(chosen), check(rejected)
    if min(good.claims, bad.claims) < LEAST_CLAIMS:
        return "too_few_claims"
    if faults(good):
        return "better_is_wrong"
    if kind == "optimised":
        return "worse_is_wrong" if faults(bad) else ""
    return "" if any(d == dimension for d, _ in faults(bad)) else "worse_is_right"


def recheck_pair(row: Row, program: Row, traces: Sequence[Row], problems: Sequence[Row]) -> str:
    """What is wrong with a published pair of a model; empty when nothing is.

    Args:
        row: Of the config ``crpl``.
        program: The row of its program.
        traces: Rows of the program's runs.
        problems: The row of the program's problem, if there is one.
    """
    check = check_of(row, program, traces, problems)
    if isinstance(check, str):
        return check
    sides = chosen, rejected = _text(row["chosen"]), _text(row["rejected"])
    reason = judge_sides(chosen, rejected, check, row["pair_kind"], row["dimension"])
    if reason:
        return reason
    claims = sum(check(text).claims for text in sides)
    if claims != row["claims"]:
        return f"{claims} claims, {row['claims']} are published"
    told = [row["trace_id"], row["pair_kind"], row["dimension"], *sides]
    return "" if row["crpl_id"] == content_id(told) else "its id is not the hash of its contents"


def _text(messages: Sequence[dict[str, Any]]) -> str:
    return reasoning_of(messages[0]["content"]) or ""


def _forms(task: PairTask) -> str:
    return sentence_forms() if task.name == EXECUTION else plan_forms()
