"""The trained reward model at work: scores of reasonings, and how they become rewards.

Source: own.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trainer.errors import TrainingError
from trainer.jobs import MERGED
from trainer.reasoning import encode, process_reward, render

FACTS = "process_reward.json"
TOKENS_AT_ONCE = 32_768
"""Tokens of one pass, padding counted."""

Prompt = Sequence[Mapping[str, str]] | str


@dataclass(frozen=True, slots=True)
class Scale:
    """How scores become rewards, saved with the model."""

    mean: float
    deviation: float
    base_reasonings: int
    """Reasonings of the validation split that both were measured on."""
    max_length: int
    """Tokens that the model was trained on at most; of longer texts the end is read."""

    def __post_init__(self) -> None:
        if not self.deviation > 0:
            raise ValueError(f"the standard deviation must be above 0, not {self.deviation}")


class Scorer:
    """A reward model with its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any, max_length: int) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._max_length = max_length

    def score(self, prompts: Sequence[Prompt], reasonings: Sequence[str]) -> list[float]:
        """The score of each reasoning, whatever else is scored with it.

        Args:
            prompts: What each reasoning is about.
            reasonings: Texts of ``<think>`` blocks.
        """
        texts = [
            render(prompt, reasoning, self._tokenizer)
            for prompt, reasoning in zip(prompts, reasonings, strict=True)
        ]
        return self.score_ids(encode(texts, self._tokenizer))

    def score_ids(self, rows: Sequence[Sequence[int]]) -> list[float]:
        """The score of each rendered text, given as tokens."""
        rows = [row[-self._max_length :] for row in rows]
        scores = [0.0] * len(rows)
        batch: list[int] = []
        for place in sorted(range(len(rows)), key=lambda place: len(rows[place])):
            if batch and (len(batch) + 1) * len(rows[place]) > TOKENS_AT_ONCE:
                self._score_batch(rows, batch, scores)
                batch = []
            batch.append(place)
        if batch:
            self._score_batch(rows, batch, scores)
        return scores

    def _score_batch(
        self, rows: Sequence[Sequence[int]], places: Sequence[int], scores: list[float]
    ) -> None:
        import torch

        longest = max(len(rows[place]) for place in places)
        pad = self._tokenizer.pad_token_id
        ids = [[*rows[place], *([pad] * (longest - len(rows[place])))] for place in places]
        mask = [[1] * len(rows[place]) + [0] * (longest - len(rows[place])) for place in places]
        device = self._model.device
        with torch.inference_mode():
            found = self._model(
                input_ids=torch.tensor(ids, device=device),
                attention_mask=torch.tensor(mask, device=device),
            )
        for place, value in zip(places, found.logits[:, 0].float().tolist(), strict=True):
            scores[place] = value


def load_scorer(folder: Path, max_length: int) -> Scorer:
    """The reward model of a folder, on the GPU if there is one.

    Raises:
        TrainingError: There is none, or it gives more than one number.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    if (folder / MERGED).is_dir():
        folder = folder / MERGED
    dtype = torch.bfloat16 if torch.cuda.is_available() else torch.float32
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
        model = AutoModelForSequenceClassification.from_pretrained(
            str(folder), num_labels=1, dtype=dtype
        )
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise TrainingError(f"{folder}: the reward model can't be loaded: {reason}") from error
    model.config.get_text_config().pad_token_id = tokenizer.pad_token_id
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Scorer(model.to(device).eval(), tokenizer, max_length)


def measure_scale(scores: Sequence[float], max_length: int) -> Scale:
    """Mean and standard deviation of the scores of base reasonings.

    Raises:
        TrainingError: There are fewer than two, or the model scores all of them alike.
    """
    if len(scores) < 2 or not statistics.pstdev(scores) > 0:
        raise TrainingError(
            "the reward model scores all base reasonings of the validation split alike, so they "
            "give no scale: train it longer, or on more pairs"
        )
    return Scale(statistics.fmean(scores), statistics.pstdev(scores), len(scores), max_length)


def read_scale(folder: Path) -> Scale:
    """The scale that was saved with a reward model.

    Raises:
        TrainingError: There is none.
    """
    path = folder / FACTS
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return Scale(**{name: found[name] for name in Scale.__dataclass_fields__})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"--reward-model {folder}: no reward model of `tracefoundry train reward` there "
            f"({FACTS}: {type(error).__name__})"
        ) from error


def show_scale(scale: Scale, **more: Any) -> str:
    """The scale and what else is known of the model, as the file's text."""
    return json.dumps(asdict(scale) | more, indent=2) + "\n"


class ProcessReward:
    """R_proc of reasonings, in [0, 1]."""

    def __init__(self, folder: Path) -> None:
        """Load a reward model with its scale.

        Raises:
            TrainingError: There is none in the folder.
        """
        self._scale = read_scale(folder)
        self._scorer = load_scorer(folder, self._scale.max_length)

    def __call__(self, prompts: Sequence[Prompt], reasonings: Sequence[str]) -> list[float | None]:
        """The reward of each reasoning; ``None`` where the model gives no number."""
        return [
            process_reward(score, self._scale.mean, self._scale.deviation)
            for score in self._scorer.score(prompts, reasonings)
        ]
