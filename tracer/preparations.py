"""Has programs and arguments compiled once for all processes that are to run them.

A job that compiles runs no program, so what it makes is ours: the parent passes it on as it is, and
believes what it says of a program's statements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tracer.consistency import Shape
from tracer.records import Call, Program, Statement

FEWEST_CALLS = 12
"""Fewer calls than this compile for themselves what they need: the job would cost more."""
_MOST_KEPT = 512


@dataclass(frozen=True, slots=True)
class Packed:
    """A program compiled for tracing."""

    text: str
    """For :func:`tracer.inside.packing.unpack_program`."""
    plain: str
    """For :func:`tracer.inside.packing.unpack_code`."""
    rows: list[dict[str, Any]]
    """Its statements as in ``trace --json``."""
    lazy_lines: list[int]
    shape: Shape

    def complete(self, result: dict[str, Any]) -> None:
        """Add to the result of a traced call what its process was not asked for."""
        result["statements"], result["lazy_lines"] = self.rows, self.lazy_lines


class Preparations:
    """What has been compiled lately, by its text; ``None`` is left to the run itself."""

    def __init__(self) -> None:
        self.programs: dict[str, Packed | None] = {}
        self.arguments: dict[str, str | None] = {}

    def learn(
        self,
        calls: Sequence[tuple[Program, Call]],
        compile_texts: Callable[[dict[str, Any]], dict[str, Any]],
    ) -> None:
        """Have the texts of ``calls`` compiled that are not known yet.

        Args:
            calls: To be traced in one process.
            compile_texts: Runs a job of mode ``prepare``; returns its result, which is empty when
                the job did not end well.
        """
        if len(calls) < FEWEST_CALLS:
            return
        if len(self.programs) > _MOST_KEPT or len(self.arguments) > _MOST_KEPT:
            self.programs.clear()
            self.arguments.clear()
        sources = list(dict.fromkeys(p.source for p, _ in calls if p.source not in self.programs))
        texts = list(dict.fromkeys(c.args for _, c in calls if c.args not in self.arguments))
        if not sources and not texts:
            return
        job = {"mode": "prepare", "programs": sources, "arguments": texts}
        found = compile_texts(job)
        if found:
            self.programs.update(zip(sources, map(_packed, found["programs"]), strict=True))
            self.arguments.update(zip(texts, found["arguments"], strict=True))

    def job_of(self, calls: Sequence[tuple[Program, Call]], *, plain: bool) -> dict[str, Any]:
        """Return a job that traces ``calls`` and, if ``plain``, makes them plainly as well."""
        numbers: dict[str, int] = {}
        programs: list[tuple[str, str | None, str | None]] = []
        for program, _ in calls:
            if program.source not in numbers:
                numbers[program.source] = len(programs)
                packed = self.programs.get(program.source)
                if packed is None:
                    programs.append((program.source, None, None))
                else:
                    programs.append(("", packed.text, packed.plain if plain else None))
        return {
            "mode": "traces",
            "plain": plain,
            "programs": programs,
            "calls": [
                (numbers[p.source], p.entry_point, c.args, self.arguments.get(c.args))
                for p, c in calls
            ],
        }


def _packed(found: dict[str, Any] | None) -> Packed | None:
    if found is None:
        return None
    rows = found["statements"]
    shape = Shape(tuple(Statement(**row) for row in rows), tuple(found["scopes"]))
    return Packed(found["packed"], found["plain"], rows, found["lazy_lines"], shape)
