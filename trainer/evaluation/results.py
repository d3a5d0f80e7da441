"""What an evaluation found: shares with intervals by kind and level, and how answers failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tracer.records import Verdict
from trainer.evaluation.records import Asked, Judged, Mode, Result
from trainer.evaluation.statistics import Counts, chosen_ks, share_at_k

ALL = "all"
_UNREAD = ("unparsed", "no_answer")
_ANSWER = re.compile(r"<answer>|\[ANSWER\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Line:
    asked: Asked
    verdicts: tuple[Verdict, ...]
    tokens: tuple[int, ...]


def summarise(
    replies: Sequence[Sequence[Judged]], mode: Mode, count_tokens: Callable[[str], int]
) -> list[Result]:
    """Results in all, by kind, and by kind and level.

    Args:
        replies: For each task its judged replies.
        mode: How they were drawn.
        count_tokens: Length of a text.
    """
    lines = [line for group in replies for line in _lines(group, count_tokens)]
    kinds = list(dict.fromkeys(line.asked.kind for line in lines))
    found = _results(lines, ALL, None, mode) if len(kinds) > 1 else []
    for kind in kinds:
        some = [line for line in lines if line.asked.kind == kind]
        found += _results(some, kind, None, mode)
        levels = {line.asked.level for line in some} - {None}
        if len(levels) > 1:
            for level in sorted(map(str, levels), key=_natural):
                of_level = [line for line in some if line.asked.level == level]
                found += _results(of_level, kind, level, mode)
    return found


def _lines(group: Sequence[Judged], count_tokens: Callable[[str], int]) -> Iterable[_Line]:
    if not group:
        return
    tokens = tuple(
        count_tokens(reasoning_in(each.reply)) for each in group if each.reply is not None
    )
    for place, asked in enumerate(group[0].task.asked):
        yield _Line(asked, tuple(each.verdicts[place] for each in group), tokens)


def _results(lines: Sequence[_Line], kind: str, level: str | None, mode: Mode) -> list[Result]:
    counts: list[Counts] = []
    statuses: Counter[str] = Counter()
    for line in lines:
        statuses.update(verdict.status for verdict in line.verdicts)
        judged = [each for each in line.verdicts if each.status != "infrastructure"]
        passes = sum(each.status == "correct" for each in judged)
        counts.append(Counts(line.asked.group, len(judged), passes))
    lengths = [length for line in lines for length in line.tokens]
    judged_replies = statuses.total() - statuses["infrastructure"]
    found = []
    for k in chosen_ks(max((each.n for each in counts), default=0)):
        share = share_at_k(counts, k)
        if share is not None:
            found.append(
                Result(
                    kind=kind,
                    level=level,
                    mode=mode,
                    k=k,
                    value=share.value,
                    low=share.low,
                    high=share.high,
                    questions=share.questions,
                    groups=share.groups,
                    unparsed=round(sum(statuses[s] for s in _UNREAD) / judged_replies, 6),
                    infrastructure=statuses["infrastructure"],
                    reasoning_tokens=(round(sum(lengths) / len(lengths), 2) if lengths else None),
                )
            )
    return found


def reasoning_in(reply: str) -> str:
    """What stands before the answer, tags aside: all of a reply that marks no answer."""
    before, closed, _ = reply.rpartition("</think>")
    if not closed:
        before = _ANSWER.split(reply, maxsplit=1)[0]
    return before.replace("<think>", "").strip()


def describe_result(result: Result) -> dict[str, Any]:
    """A result as JSON-able data."""
    return asdict(result)


def _natural(text: str) -> tuple[int, str]:
    """Levels in the order of their numbers."""
    return (int(text), "") if text.isdigit() else (10**9, text)
