"""Our verdicts on real model answers to CRUXEval against the verdicts stored with them.

    python benchmarks/stored_verdicts.py output cruxeval.jsonl sample_scored_..._output.json
    python benchmarks/stored_verdicts.py input cruxeval.jsonl sample_scored_..._input.json

The files are ``data/cruxeval.jsonl`` and those of ``samples/evaluation_results`` in
https://github.com/facebookresearch/cruxeval. Each distinct difference is printed with how often it
occurs; ``docs/input-answers.md`` explains them. Where a list of verdicts is shorter than its list
of answers (the original scorer skips output answers that contain the call), the task is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tracer.answers import parse_literal  # noqa: E402
from tracer.judging import Judge, Submission  # noqa: E402
from tracer.records import Program, Question  # noqa: E402
from tracer.values import canonical  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=("output", "input"))
    parser.add_argument("tasks", type=Path)
    parser.add_argument("scored", type=Path)
    options = parser.parse_args()
    with options.tasks.open() as file:
        tasks = {task["id"]: task for task in map(json.loads, file)}
    found = json.loads(options.scored.read_text())
    submissions, stored, names = [], [], []
    skipped = 0
    for name, answers in found["raw_generations"].items():
        verdicts, task = found["raw_scored_generations"][name], tasks[name]
        if len(verdicts) != len(answers):
            skipped += len(answers)
            continue
        key = canonical(parse_literal(task["output"]))
        if options.kind == "input":
            key = f"assert f({task['input']}) == {key}"
        question, program = Question(options.kind, "", key, ()), Program(task["code"], "f")
        submissions += [Submission(question, answer, program) for answer in answers]
        stored += verdicts
        names += [(name, answer) for answer in answers]
    started = time.monotonic()
    with Judge() as judge:
        ours = judge.judge(submissions)
    seconds = time.monotonic() - started
    print(f"{len(ours)} answers in {seconds:.1f} s, {skipped} left out")
    print(", ".join(f"{n} {status}" for status, n in Counter(v.status for v in ours).most_common()))
    differences: Counter[tuple[str, ...]] = Counter()
    for verdict, right, place in zip(ours, stored, names, strict=True):
        if (verdict.status == "correct") != right:
            said = "right" if right else "wrong"
            differences[*place, said, verdict.status, verdict.reason] += 1
    print(f"{differences.total()} differences")
    for (name, answer, said, status, reason), times in sorted(differences.items()):
        print(f"{name}: {answer}: {times} times; stored as {said}, ours is {status}: {reason}")


if __name__ == "__main__":
    main()
