"""Models that know the answers to the tasks of an evaluation, and how often to give them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from random import Random

from planted_models import fingerprint

from trainer.evaluation.records import ModuleKey, QuestionKey, Task, TestsKey, TextKey

WRONG = "<think>planted</think><answer>never right</answer>"


def right_reply(task: Task, solutions: Mapping[str, str] | None = None) -> str:
    """A reply that answers everything a task asks; `solutions` has the code by task."""
    keys = [asked.key for asked in task.asked]
    first = keys[0]
    if isinstance(first, QuestionKey):
        answers = {
            asked.id: key.question.key
            for asked, key in zip(task.asked, keys, strict=True)
            if isinstance(key, QuestionKey)
        }
        answer = json.dumps(answers) if len(answers) > 1 else next(iter(answers.values()))
    elif isinstance(first, TextKey):
        answer = first.text
    else:
        assert isinstance(first, TestsKey | ModuleKey)
        code = first.reference if isinstance(first, ModuleKey) else (solutions or {})[task.id]
        answer = f"```python\n{code}\n```"
    return f"<think>I know it well.</think><answer>\n{answer}\n</answer>"


class KnowsAll:
    """Right with a given probability, drawn for each reply from the prompt and the seed."""

    def __init__(self, replies: Mapping[str, str], share: float, name: str = "planted") -> None:
        self.name = f"{name}@{share}"
        self.replies = replies
        self.share = share
        self.asked = 0

    def complete(
        self,
        prompts: Sequence[Sequence[Mapping[str, str]]],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        self.asked += len(prompts)
        return [self._replies(fingerprint(prompt), n, seed) for prompt in prompts]

    def _replies(self, text: str, n: int, seed: int) -> list[str]:
        rng = Random(hashlib.sha256(f"{seed} {text}".encode()).digest())
        return [self.replies[text] if rng.random() < self.share else WRONG for _ in range(n)]

    def count_tokens(self, text: str) -> int:
        return len(text)


def knows_all(
    tasks: Sequence[Task], share: float, solutions: Mapping[str, str] | None = None
) -> KnowsAll:
    replies = {fingerprint(task.prompt): right_reply(task, solutions) for task in tasks}
    return KnowsAll(replies, share)
