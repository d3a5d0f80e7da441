"""What a model may reply that tells runs and rewrites its texts."""

from __future__ import annotations

import random
from collections.abc import Sequence

from factory.load import trace_of
from factory.reasoning.injuries import BY_NAME
from factory.reasoning.telling import story_of, tell, text_of
from factory.rows import ExampleRows


class Rewriting:
    """Tells the run as we do, and injures it where it is told to make it worse."""

    def __init__(self, programs: Sequence[ExampleRows], injure: bool) -> None:
        self.injure = injure
        self.stories = {}
        for rows in programs:
            for question in rows.questions:
                trace = next(t for t in rows.traces if t["trace_id"] == question["trace_id"])
                story = story_of(trace_of(trace, rows.program))
                if question["kind"] == "output" and story is not None:
                    self.stories[question["text"]] = story

    def __call__(self, prompt: str) -> str:
        story = next(story for text, story in self.stories.items() if text in prompt)
        told = tell(story, random.Random(3), 2)
        assert told is not None
        worse = [side for side in ("otherwise", "another than", "leave out one", "stand where")
                 if side in prompt]  # fmt: skip
        if not worse:
            extra = "\nThis is sure." if "The reasoning:" in prompt else ""
            return f"<think>\n{text_of(told)}{extra}\n</think>"
        if not self.injure:
            return f"<think>\n{text_of(told)}\nAll this holds.\n</think>"
        name = {"another than": "wrong_return", "leave out one": "skipped_effect"}.get(
            worse[0], "displaced"
        )
        for seed in range(20):
            injured = BY_NAME[name].injure(told, story, random.Random(seed), seed % 2 == 0)
            if injured is not None:
                return f"<think>\n{text_of(injured)}\n</think>"
        return "nothing"
