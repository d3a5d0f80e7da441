"""One evaluation: rows to tasks, replies, verdicts and results, in a folder that can go on."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cards import RESULTS
from trainer.errors import TrainingError
from trainer.evaluation.benchmarks import BENCHMARKS, load_benchmark
from trainer.evaluation.generation import FILE, Completions, Sampling, complete
from trainer.evaluation.given import GivenAnswers
from trainer.evaluation.progress import Progress
from trainer.evaluation.records import Evaluated, Judged, Loaded, Result, Task
from trainer.evaluation.results import describe_result, reasoning_in, summarise
from trainer.evaluation.rows import read_rows
from trainer.evaluation.sets import PAIRS, Chosen
from trainer.evaluation.verdicts import Examiner, Reply, Runner
from trainer.models.registry import Model
from trainer.runs import write_whole

PROMPTS = "prompts.jsonl"
REPLIES = "replies.jsonl"
SCHEMA_VERSION = "1"
_OURS = (RESULTS, PROMPTS, REPLIES, FILE)


@dataclass(frozen=True, slots=True)
class Plan:
    """How to evaluate."""

    sets: tuple[Chosen, ...]
    samplings: tuple[Sampling, ...]
    limit: int | None = None
    """Tasks of each benchmark, the first ones; ``None``: all."""
    runner: Runner = "own"

    @property
    def names(self) -> tuple[str, ...]:
        """The benchmarks that replies are made for."""
        return tuple(chosen.name for chosen in self.sets if chosen.name != PAIRS)

    @property
    def pairs(self) -> Chosen | None:
        """The pairs that a reward model ranks."""
        return next((chosen for chosen in self.sets if chosen.name == PAIRS), None)

    def check(self, model: str | None, answers: Path | None, reward_model: Path | None) -> None:
        """See that there is what the benchmarks need, and nothing else.

        Raises:
            TrainingError: There is not.
        """
        if self.names and (model is None) == (answers is None):
            raise TrainingError("give either --model or --answers")
        if not self.names and (model is not None or answers is not None):
            raise TrainingError("pairs are ranked by --reward-model alone")
        if (self.pairs is None) != (reward_model is None):
            raise TrainingError("--reward-model ranks --data pairs=...: give both or neither")


def claim(out: Path) -> None:
    """See that a folder is empty or ours, and make it.

    Raises:
        TrainingError: It holds something else.
    """
    if out.exists() and not out.is_dir():
        raise TrainingError(f"--out {out}: a file, not a folder")
    if out.is_dir() and any(out.iterdir()) and not any((out / name).exists() for name in _OURS):
        raise TrainingError(
            f"--out {out}: not empty, and no evaluation of ours: name another folder"
        )
    out.mkdir(parents=True, exist_ok=True)


def evaluate(
    plan: Plan, source: Model | GivenAnswers, out: Path, progress: Progress
) -> list[Evaluated]:
    """Evaluate a model, or answers that are there; writes :data:`PROMPTS` and :data:`REPLIES`.

    Args:
        plan: What to evaluate and how.
        source: A model, or the answers of a file.
        out: The folder; completions that it holds are not asked for again.
        progress: Hears what is done.

    Raises:
        ModelError: The model failed; what it gave before is kept.
        TrainingError: A benchmark can't be read, or has no task.
    """
    claim(out)
    wanted = [chosen for chosen in plan.sets if chosen.name in plan.names]
    loaded = [(chosen, _load(chosen, plan.limit, progress)) for chosen in wanted]
    prompts = (line for chosen, found in loaded for line in _prompt_lines(chosen, found))
    write_whole(out / PROMPTS, "".join(prompts))
    kept = Completions(out / FILE)
    count_tokens: Callable[[str], int] = getattr(source, "count_tokens", _count_words)
    evaluated: list[Evaluated] = []
    lines: list[str] = []
    with Examiner(plan.runner) as examiner:
        for chosen, found in loaded:
            results: list[Result] = []
            for sampling in plan.samplings:
                stage = f"{chosen.name} ({sampling.mode})"
                texts = _replies(chosen, found, sampling, source, kept, progress)
                judged = _judge(examiner, found.tasks, texts, progress.stage(f"{stage}: judged"))
                results += summarise(judged, sampling.mode, count_tokens)
                lines += _reply_lines(chosen.name, judged, sampling, count_tokens)
            evaluated.append(_evaluated(chosen, found, results))
    write_whole(out / REPLIES, "".join(lines))
    return evaluated


def _load(chosen: Chosen, limit: int | None, progress: Progress) -> Loaded:
    benchmark = BENCHMARKS[chosen.name]
    progress.say(f"{chosen.name}: reading {', '.join(chosen.places)}")

    def rows() -> Iterator[dict[str, Any]]:
        for place in chosen.places:
            yield from read_rows(place, benchmark.subset, benchmark.split)

    found = load_benchmark(chosen.name, rows())
    if not found.tasks:
        reasons = Counter(reason for _, reason in found.left_out).most_common(1)
        why = f": {reasons[0][0]}" if reasons else ""
        raise TrainingError(f"{chosen.name}: no row of {', '.join(chosen.places)} can be used{why}")
    for where, reason in found.left_out[:3]:
        progress.say(f"{chosen.name}: left out: {where}: {reason}")
    if len(found.left_out) > 3:
        progress.say(f"{chosen.name}: left out: {len(found.left_out) - 3} more; see {RESULTS}")
    return Loaded(found.tasks[:limit], found.left_out)


def _replies(
    chosen: Chosen,
    found: Loaded,
    sampling: Sampling,
    source: Model | GivenAnswers,
    kept: Completions,
    progress: Progress,
) -> Sequence[Sequence[str | None]]:
    if isinstance(source, GivenAnswers):
        return source.replies(chosen.name, found.tasks)
    advance = progress.stage(f"{chosen.name} ({sampling.mode}): answered")
    return complete(source, found.tasks, sampling, kept, advance)


def _judge(
    examiner: Examiner,
    tasks: Sequence[Task],
    texts: Sequence[Sequence[str | None]],
    advance: Callable[[int, int], None],
) -> list[list[Judged]]:
    """For each task its judged replies."""
    replies = [
        Reply(task, text) for task, group in zip(tasks, texts, strict=True) for text in group
    ]
    judged = iter(examiner.judge(replies, advance))
    return [[next(judged) for _ in group] for group in texts]


def _evaluated(chosen: Chosen, found: Loaded, results: Sequence[Result]) -> Evaluated:
    digest = hashlib.sha256()
    for task in found.tasks:
        keys = [repr(asked.key) for asked in task.asked]
        content = [task.id, [dict(message) for message in task.prompt], keys]
        digest.update(json.dumps(content, sort_keys=True).encode("ascii"))
    return Evaluated(
        chosen.name,
        chosen.places,
        len(found.tasks),
        sum(len(task.asked) for task in found.tasks),
        found.left_out,
        digest.hexdigest(),
        tuple(results),
    )


def _prompt_lines(chosen: Chosen, found: Loaded) -> Iterator[str]:
    for task in found.tasks:
        prompt = [dict(message) for message in task.prompt]
        yield _line({"benchmark": chosen.name, "id": task.id, "prompt": prompt})


def _reply_lines(
    benchmark: str,
    judged: Sequence[Sequence[Judged]],
    sampling: Sampling,
    count_tokens: Callable[[str], int],
) -> Iterator[str]:
    for group in judged:
        for number, each in enumerate(group):
            yield _line(
                {
                    "benchmark": benchmark,
                    "id": each.task.id,
                    "mode": sampling.mode,
                    "number": number,
                    "reply": each.reply,
                    "reasoning_tokens": (
                        None if each.reply is None else count_tokens(reasoning_in(each.reply))
                    ),
                    "verdicts": [
                        {
                            "id": asked.id,
                            "kind": asked.kind,
                            "level": asked.level,
                            "status": verdict.status,
                            "reason": verdict.reason,
                        }
                        for asked, verdict in zip(each.task.asked, each.verdicts, strict=True)
                    ],
                }
            )


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=True) + "\n"


def _count_words(text: str) -> int:
    return len(text.split())


def describe(name: str, plan: Plan, counts_tokens: bool, evaluated: Sequence[Evaluated]) -> Any:
    """An evaluation as JSON-able data: what :data:`cards.RESULTS` holds.

    Args:
        name: Of the model, or of the answers.
        plan: How it was evaluated.
        counts_tokens: Whether lengths are in the model's tokens.
        evaluated: What came out.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "model": name,
        "samplings": [
            {
                "mode": each.mode,
                "n": each.n,
                "temperature": each.temperature,
                "max_tokens": each.max_tokens,
                "seed": each.seed,
            }
            for each in plan.samplings
        ],
        "limit": plan.limit,
        "runner": plan.runner,
        "lengths_in": "tokens" if counts_tokens else "words",
        "benchmarks": [
            {
                "name": each.name,
                "data": list(each.data),
                "tasks": each.tasks,
                "questions": each.questions,
                "tasks_sha256": each.digest,
                "left_out": [{"where": where, "reason": why} for where, why in each.left_out],
                "results": [describe_result(result) for result in each.results],
            }
            for each in evaluated
        ],
    }
