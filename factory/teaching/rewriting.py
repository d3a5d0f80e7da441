"""Pairs of a rewriter: a model tells a run, then makes its text better or worse.

All sides of a pair are the model's. Its base text must be without a fault that can be checked, the
better one too, and the worse one must have a fault of the dimension.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from string import Template
from typing import Any

from factory.crpl import EXECUTION, pair_row
from factory.identity import content_id
from factory.load import trace_of
from factory.reasoning.checking import DIMENSIONS, Dimension, check
from factory.reasoning.claims import WITHOUT, WORDINGS
from factory.reasoning.pairs import PAIR_KINDS, Pair, PairKind
from factory.reasoning.telling import Story, story_of
from factory.recipe_records import Recipe
from factory.records import Dropped
from factory.rows import ExampleRows, Row
from factory.teaching.asking import LEAST_CLAIMS, Asker, faults, reasoning_of
from tracer.prompts import chat, describe, fill


@dataclass(frozen=True, slots=True)
class _Task:
    """A pair that is wanted of one run."""

    program: Row
    question: Row
    story: Story
    kind: PairKind
    dimension: Dimension
    prompt: list[dict[str, str]]


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
        tasks = [(number, t) for number, rows in enumerate(programs) for t in self._tasks(rows)]
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
                dropped[number].append(Dropped("rewriter", made, task.question["question_id"]))
            else:
                rows[number].append(made)
        return [(tuple(r), tuple(d)) for r, d in zip(rows, dropped, strict=True)]

    def _tasks(self, rows: ExampleRows) -> list[_Task]:
        program = rows.program
        rng = random.Random(content_id([program["program_id"], "rewriter"]))
        cells = [(kind, dimension) for kind in PAIR_KINDS for dimension in DIMENSIONS]
        traces = {trace["trace_id"]: trace for trace in rows.traces}
        found: list[_Task] = []
        for question in rows.questions:
            if question["kind"] == "output" and len(found) < self._plan.per_program:
                story = story_of(trace_of(traces[question["trace_id"]], program))
                if story is not None:
                    kind, dimension = rng.choice(cells)
                    prompt = self._prompt(program, story, question)
                    found.append(_Task(program, question, story, kind, dimension, prompt))
        return found

    def _prompt(self, program: Row, story: Story, question: Row) -> list[dict[str, str]]:
        plan = self._recipe.crpl
        values = describe(
            program["source"], program["entry_point"], story.call, {"q1": question["text"]}
        )
        return chat(plan.system, fill(plan.prompt, values))

    def _base(self, task: _Task) -> list[dict[str, str]]:
        """What asks for the base text: the prompt of the pair, and the forms of sentences."""
        asked = Template(self._plan.base).substitute(forms=sentence_forms())
        *before, last = task.prompt
        return [*before, {"role": last["role"], "content": f"{last['content']}\n{asked}"}]

    def _transform(
        self,
        tasks: Sequence[_Task],
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
                forms=sentence_forms(),
            )
            prompts.append(chat(self._recipe.crpl.system, asked))
        texts: list[str | None] = [None] * len(tasks)
        chosen = [tasks[place] for place in places]
        for place, text in zip(places, self._texts(chosen, prompts), strict=True):
            texts[place] = text
        return texts

    def _texts(
        self, tasks: Sequence[_Task], prompts: Sequence[list[dict[str, str]]]
    ) -> list[str | None]:
        replies = self._asker.ask(prompts)
        return [reasoning_of(texts[0]) for texts in replies]

    def _pair(
        self, task: _Task, base: str | None, chosen: str | None, rejected: str | None
    ) -> Row | str:
        """The row of a pair, or why there is none."""
        if base is None or chosen is None or rejected is None:
            return "no_reasoning"
        if chosen == rejected:
            return "unchanged"
        reason = judge_sides(chosen, rejected, task.story, task.kind, task.dimension)
        if reason:
            return reason
        claims = sum(check(text, task.story).claims for text in (chosen, rejected))
        pair = Pair(task.kind, task.dimension, chosen, rejected, None, None, claims)
        asked = self._base(task)
        trace_id, question_id = task.question["trace_id"], task.question["question_id"]
        row = pair_row(task.program, trace_id, question_id, EXECUTION, task.prompt, pair)
        return {
            **row,
            "generator": self._asker.model.name,
            "generation": self._asker.about(asked),
        }


def judge_sides(
    chosen: str, rejected: str, story: Story, kind: PairKind, dimension: Dimension
) -> str:
    """Why two texts of a model are no pair, as a slug; empty when they are one."""
    good, bad = check(chosen, story), check(rejected, story)
    if min(good.claims, bad.claims) < LEAST_CLAIMS:
        return "too_few_claims"
    if faults(good):
        return "better_is_wrong"
    if kind == "optimised":
        return "worse_is_wrong" if faults(bad) else ""
    return "" if any(d == dimension for d, _ in faults(bad)) else "worse_is_right"


def recheck_pair(row: Row, program: Row, trace: Row) -> str:
    """What is wrong with a published pair of a model; empty when nothing is."""
    story = story_of(trace_of(trace, program))
    if story is None:
        return "its run cannot be told"
    sides = chosen, rejected = _text(row["chosen"]), _text(row["rejected"])
    reason = judge_sides(chosen, rejected, story, row["pair_kind"], row["dimension"])
    if reason:
        return reason
    claims = sum(check(text, story).claims for text in sides)
    if claims != row["claims"]:
        return f"{claims} claims, {row['claims']} are published"
    told = [row["trace_id"], row["pair_kind"], row["dimension"], *sides]
    return "" if row["crpl_id"] == content_id(told) else "its id is not the hash of its contents"


def _text(messages: Sequence[dict[str, Any]]) -> str:
    return reasoning_of(messages[0]["content"]) or ""


def sentence_forms() -> str:
    """The forms in which claims can be checked, one a line, slots in capitals."""
    names = {"bindings": "`NAME`", "reasons": "`NAME`", "holds": "true"}
    lines = []
    for kind, choices in (*WORDINGS.items(), *WITHOUT.items()):
        if kind not in ("try", "found"):
            lines.append(f"- {_form(choices[0], names)}")
    return "\n".join(dict.fromkeys(lines))


def _form(wording: str, names: dict[str, str]) -> str:
    text = wording
    for slot in ("bindings", "reasons"):
        for link, shown in (("=", " = "), ("is", " is "), ("to", " to ")):
            text = text.replace(f"{{{slot}:{link}}}", f"{names[slot]}{shown}`VALUE`")
    text = text.replace("{number:pass}", "3 passes").replace("{holds}", names["holds"])
    for slot in ("call", "condition", "function", "value"):
        text = text.replace(f"{{{slot}}}", f"`{slot.upper()}`")
    for slot in ("line", "number", "upto"):
        text = text.replace(f"{{{slot}}}", slot.upper())
    return text
