"""Answers judged per second of processor time, against one subprocess per answer in the same run.

    python benchmarks/verify.py [--rounds 3] [--json] [--tasks CRUXEVAL.jsonl] [--only PART]

Parts: ``free`` judges answers that need no run (values, in several spellings, right and wrong);
``input`` judges arguments that make a program return a value: ten or more different ones a program,
and only programs without ``while``, so that none hangs. The other way, as in CRUXEval's and
ExecVerify's graders, starts ``python -I -S -c`` for each answer and runs program and answer in it,
without any containment. Processor time counts all processes. Last comes a batch of completions
with hangs, judged by unit tests (``benchmarks/unit_tests.py``).
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests" / "data" / "cruxeval" / "sample.jsonl"
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import unit_tests  # noqa: E402
from spellings import answer_to, reply_with  # noqa: E402

from tracer.judging import Judge, Submission  # noqa: E402
from tracer.literals import NotFaithful  # noqa: E402
from tracer.records import Program, Question  # noqa: E402
from tracer.values import canonical, canonical_arguments, parse_arguments  # noqa: E402

FREE_ANSWERS = 5000
INPUT_ANSWERS = 1000
SUBPROCESSES = 40
TARGETS = {"free": 50.0, "input": 5.0}


class Workload(NamedTuple):
    """Submissions, and for each the code that a subprocess would run."""

    submissions: list[Submission]
    scripts: list[str]


def free_answers(tasks: Sequence[dict[str, Any]], rng: random.Random) -> Workload:
    submissions, scripts = [], []
    for place, task in enumerate(islice(cycle(tasks), FREE_ANSWERS)):
        wrong = tasks[(place + 1) % len(tasks)]["output"]
        question = Question("output", "", task["output"], ())
        meant = Question("output", "", task["output"] if place % 2 else wrong, ())
        answer = answer_to(meant, rng)
        submissions.append(Submission(question, reply_with(answer, rng)))
        scripts.append(f"{task['code']}\nassert f({task['input']}) == {meant.key}")
    return Workload(submissions, scripts)


def input_answers(tasks: Sequence[dict[str, Any]], rng: random.Random) -> Workload:
    submissions, scripts = [], []
    for task in tasks:
        try:
            positional, keyword = parse_arguments(task["input"])
        except NotFaithful:
            continue
        if "while" in task["code"]:
            continue
        key = f"assert f({task['input']}) == {task['output']}"
        program, question = Program(task["code"], "f"), Question("input", "", key, ())
        for _ in range(max(10, INPUT_ANSWERS // len(tasks))):
            changed = tuple(vary(value, rng) for value in positional)
            call = f"f({canonical_arguments(changed, keyword)})"
            submissions.append(Submission(question, call, program))
            scripts.append(f"{task['code']}\nassert {call} == {task['output']}")
    return Workload(submissions, scripts)


def vary(value: Any, rng: random.Random) -> Any:
    if type(value) is int:
        return value + rng.randint(1, 999)
    if type(value) is str:
        return value + "".join(rng.choices("abcxyz 19", k=3))
    if type(value) is list:
        return [vary(part, rng) for part in value] + value[: rng.randint(0, 1)]
    if type(value) is dict:
        return {key: vary(part, rng) for key, part in value.items()}
    return value


PARTS: dict[str, Callable[[Sequence[dict[str, Any]], random.Random], Workload]] = {
    "free": free_answers,
    "input": input_answers,
}


def processor_seconds(work: Callable[[], None]) -> float:
    def used() -> float:
        whom = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, whom))

    before = used()
    work()
    return used() - before


def judge(work: Workload) -> None:
    with Judge() as found:
        found.judge(work.submissions)


def spawn(work: Workload) -> None:
    step = max(1, len(work.scripts) // SUBPROCESSES)
    for script in work.scripts[::step][:SUBPROCESSES]:
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", script], capture_output=True, check=False, timeout=60
        )


def measure(name: str, tasks: Sequence[dict[str, Any]], rounds: int) -> dict[str, Any]:
    work = PARTS[name](tasks, random.Random(name))
    spawned = min(SUBPROCESSES, len(work.scripts))
    ours = min(processor_seconds(lambda: judge(work)) for _ in range(rounds))
    theirs = min(processor_seconds(lambda: spawn(work)) for _ in range(rounds))
    rates = {"ours": len(work.submissions) / ours, "subprocess": spawned / theirs}
    return {
        "answers": len(work.submissions),
        "answers_per_second_and_core": {way: round(rate, 1) for way, rate in rates.items()},
        "ratio": round(rates["ours"] / rates["subprocess"], 1),
        "ambition": TARGETS[name],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="measurements; the best counts")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--tasks", type=Path, default=SAMPLE, help="records of CRUXEval's shape")
    parser.add_argument("--only", choices=sorted(PARTS), help="measure one part")
    options = parser.parse_args()
    with options.tasks.open() as file:
        tasks = [json.loads(line) for line in file]
    for task in tasks:
        task["output"] = canonical(eval(task["output"]))
    names = [options.only] if options.only else list(PARTS)
    found = {name: measure(name, tasks, options.rounds) for name in names}
    if options.only is None:
        found["unit_tests"] = unit_tests.measure_batch()
    if options.json:
        print(json.dumps(found, indent=1))
        return
    print(f"machine: {platform.processor() or platform.machine()}, {platform.system()}")
    for name in names:
        result = found[name]
        rates = result["answers_per_second_and_core"]
        print(
            f"{name:6} {result['answers']:6} answers: {rates['ours']:9.1f} a second and core, "
            f"subprocess {rates['subprocess']:6.1f}: {result['ratio']:.1f} x "
            f"(ambition {result['ambition']:.0f} x)"
        )
    if "unit_tests" in found:
        unit_tests.report(found["unit_tests"])


if __name__ == "__main__":
    main()
