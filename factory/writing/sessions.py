"""The talk with a model about one program: asked, answered, refused with reasons, asked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import Template

from factory.constraints import check_static
from factory.constraints.analysis import NotReadable
from factory.models.base import Prompt, Sampling, generation_of
from factory.records import Draft, Dropped, Origin
from factory.source_records import Writer
from factory.sources.base import Drafted
from factory.writing.briefs import Brief, settle, tell_rules
from factory.writing.replies import STAGE, read_reply
from tracer.prompts import chat

MOST_REASONS = 6
"""Reasons that a model is told at once."""
_LONGEST_REASON = 300
"""Characters."""
GENERATOR = "llm"


class Session:
    """The replies to one brief.

    Args:
        brief: What is wanted.
        number: Of the draw.
        plan: The recipe's key ``writer``.
    """

    def __init__(self, brief: Brief, number: int, plan: Writer) -> None:
        self.brief = brief
        self.repairs = 0
        """Times that the model was told reasons."""
        self._plan = plan
        told = Template(plan.prompt).substitute(
            theme=brief.theme,
            rules=tell_rules(brief.constraint),
            entry_point=brief.entry_point,
            number=number,
        )
        self._first = chat(plan.system, told)
        self._prompt: Prompt = self._first
        self._reply = ""

    @property
    def prompt(self) -> Prompt:
        """What to ask next."""
        return self._prompt

    def read(
        self, reply: str, where: str, licence: str | None, model: tuple[str, str | None], seed: int
    ) -> Drafted:
        """The draft that a reply to :attr:`prompt` gives, or why it gives none.

        Args:
            reply: The model's text.
            where: How drops name it.
            licence: SPDX id of the program.
            model: Name and revision of the model.
            seed: With which the reply was drawn.
        """
        self._reply = reply.encode("utf-8", "replace").decode("utf-8")
        sampling = Sampling(self._plan.temperature, self._plan.max_tokens, seed)
        origin = Origin(
            GENERATOR,
            constraint=self.brief.constraint,
            licence=licence,
            generation=generation_of(*model, sampling, self._prompt),
            repairs=self.repairs,
        )
        drafted = read_reply(self._reply, self.brief.entry_point, origin, where)
        if drafted.draft is None:
            return drafted
        try:
            constraint = settle(self.brief.constraint, drafted.draft.program)
        except NotReadable as error:
            return Drafted(None, (Dropped(STAGE, "unreadable", where, str(error)),))
        origin = replace(origin, constraint=constraint)
        return replace(drafted, draft=replace(drafted.draft, origin=origin))

    def refuse(self, reasons: Sequence[str]) -> None:
        """Take the reasons why the last reply is no good into the next prompt."""
        told = "\n".join(f"- {reason[:_LONGEST_REASON]}" for reason in reasons[:MOST_REASONS])
        self.repairs += 1
        self._prompt = [
            *self._first,
            {"role": "assistant", "content": self._reply},
            {"role": "user", "content": Template(self._plan.repair).substitute(reasons=told)},
        ]


def reasons_for(draft: Draft | None, dropped: Iterable[Dropped]) -> list[str]:
    """Why a reply gave no program that is kept, for the model to read.

    Args:
        draft: What was read of the reply.
        dropped: What was noted about it since.
    """
    if draft is not None and draft.origin.constraint is not None:
        broken = check_static(draft.program, draft.origin.constraint)
        if broken:
            return [violation.reason for violation in broken]
    told = [f"{drop.reason.replace('_', ' ')}: {drop.detail}".rstrip(": ") for drop in dropped]
    return list(dict.fromkeys(reversed(told)))
