"""The reward model of reasoning, over TRL's ``RewardTrainer``: the config ``crpl``.

A Bradley-Terry model with one number a reasoning; both sides of a pair are read as
:mod:`trainer.reasoning` renders them. After the training it is asked about the pairs of the other
splits, and its scores of base reasonings give the scale of the process reward.

Source: https://arxiv.org/abs/2508.05170 (CRPL); the numbers of the training are ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trainer.arguments import assemble, batch_arguments
from trainer.configs import RewardConfig
from trainer.errors import TrainingError
from trainer.jobs import Job, Rows, Say, Stage, config_of
from trainer.places import load_rows
from trainer.preflight import plan_batches
from trainer.preparation import Shape, check_template
from trainer.preparation import prepare as prepare_rows
from trainer.reasoning import encode, reasoning_of, render
from trainer.runs import write_whole
from trainer.scorer import FACTS, Scorer, load_scorer, measure_scale, show_scale

if TYPE_CHECKING:
    from datasets import Dataset

CONFIG = "crpl"
HELD_OUT = ("validation", "test")
PARTS = ("loss", "accuracy", "margin", "learning_rate", "grad_norm")
_SIDES = ("chosen", "rejected")
_CHUNK = 1_000


def read(job: Job, rows: Dataset, tokenizer: Any, say: Say) -> Dataset:
    """Both sides of each pair as tokens: ``chosen_ids`` and ``rejected_ids``.

    Raises:
        TrainingError: The rows are no pairs, or the tokenizer can't write their prompts.
    """
    missing = [name for name in ("prompt", *_SIDES) if name not in rows.column_names]
    if missing:
        raise TrainingError(
            f"the data have no column {missing[0]!r}; there are: {', '.join(rows.column_names)}"
        )
    if rows and not isinstance(rows[0]["prompt"], str):
        check_template(job, tokenizer, "prompts")

    def tokens(batch: Mapping[str, list[Any]]) -> dict[str, list[list[int]]]:
        return {
            f"{side}_ids": encode(
                [
                    render(prompt, side_of(text), tokenizer)
                    for prompt, text in zip(batch["prompt"], batch[side], strict=True)
                ],
                tokenizer,
            )
            for side in _SIDES
        }

    return rows.map(tokens, batched=True, batch_size=_CHUNK, remove_columns=rows.column_names)


def side_of(text: Any) -> str:
    """The reasoning of one side: a reply or its text; all of it, where it marks no reasoning.

    Raises:
        TrainingError: It is empty.
    """
    reply = text if isinstance(text, str) else "".join(part["content"] for part in text)
    found = reasoning_of(reply)
    if found is None and not reply.strip():
        raise TrainingError("the data have a pair with an empty side")
    return reply.strip() if found is None else found


def _lengths(rows: Dataset, tokenizer: Any) -> list[int]:
    return [max(len(row["chosen_ids"]), len(row["rejected_ids"])) for row in rows]


def prepare(job: Job, tokenizer: Any, say: Say) -> Rows:
    """The pairs to train on; there must be base reasonings in the validation split, too.

    Raises:
        TrainingError: The data, the tokenizer or the model can't be used.
    """
    found = prepare_rows(job, SHAPE, tokenizer, say)
    if len(base_reasonings(load_rows(job.data, CONFIG, "validation"))) < 2:
        raise TrainingError(
            f"--data {job.data.text}: config {CONFIG!r}, split 'validation': fewer than two base "
            "reasonings (pairs optimised or degraded), which the scale of the reward is measured "
            "on: build more programs"
        )
    return found


def base_reasonings(rows: Iterable[Mapping[str, Any]]) -> list[tuple[Any, str]]:
    """Prompt and text of each distinct base reasoning, in order: what pairs were made from.

    It is the worse side of an optimised pair, and the better side of a degraded one.
    """
    found = {}
    for row in rows:
        side = {"optimised": "rejected", "degraded": "chosen"}.get(row["pair_kind"])
        if side is not None:
            text = side_of(row[side])
            found[str(row["prompt"]), text] = (row["prompt"], text)
    return list(found.values())


def build(job: Job, tokenizer: Any, rows: Rows, say: Say) -> Any:
    """TRL's trainer for a job."""
    from trl import RewardConfig as Arguments
    from trl import RewardTrainer

    arguments = Arguments(**batch_arguments(job))
    return assemble(RewardTrainer, job, tokenizer, rows, arguments, say, PARTS, task="SEQ_CLS")


def examine(job: Job, say: Say) -> dict[str, Any]:
    """Ask the trained model about held-out pairs, and save the scale of its scores.

    Returns:
        ``pair_accuracy``: split → what (``all``, a dimension, a kind) → pairs and share that it
        ranks right.

    Raises:
        TrainingError: It scores all base reasonings alike.
    """
    config = config_of(job, RewardConfig)
    scorer = load_scorer(job.out, config.max_length)
    prompts, texts = zip(*base_reasonings(load_rows(job.data, CONFIG, "validation")), strict=True)
    scale = measure_scale(scorer.score(prompts, texts), config.max_length)
    accuracy = {}
    for split in HELD_OUT:
        rows = load_rows(job.data, CONFIG, split)
        accuracy[split] = pair_accuracy(rows, scorer)
        for what, (pairs, share) in accuracy[split].items():
            say(f"{split} {what}: {share:.3f} of {pairs} pairs ranked right")
    facts = {
        "pair_accuracy": {
            split: {
                what: {"pairs": pairs, "accuracy": share} for what, (pairs, share) in found.items()
            }
            for split, found in accuracy.items()
        }
    }
    write_whole(job.out / FACTS, show_scale(scale, **facts))
    return facts


def pair_accuracy(rows: Sequence[Mapping[str, Any]], scorer: Scorer) -> dict[str, Any]:
    """Number of pairs and share ranked right: of all, by dimension, by kind of pair.

    Equal scores count as wrong.
    """
    prompts = [row["prompt"] for row in rows]
    better, worse = (scorer.score(prompts, [side_of(row[side]) for row in rows]) for side in _SIDES)
    pairs: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row, high, low in zip(rows, better, worse, strict=True):
        for what in ("all", row.get("dimension"), row.get("pair_kind")):
            if what is not None:
                pairs[what] += 1
                right[what] += high > low
    return {what: (pairs[what], right[what] / pairs[what]) for what in sorted(pairs)}


SHAPE = Shape(CONFIG, "pairs", "max_length", ("max_length",), "batch", read, _lengths)
STAGE = Stage(
    config=SHAPE.config,
    plan=lambda job, devices: plan_batches(config_of(job, RewardConfig), devices),
    prepare=prepare,
    build=build,
    end=examine,
    curves=PARTS,
)
