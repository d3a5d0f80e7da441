"""Compares the traces of different Python versions and prints the counts.

    python tests/versions.py --generated 1000 --corpora DIR

Every program is traced on each interpreter that ``tests/interpreters.py`` finds. Exits with 1 when
the statements of one differ: their order, activations, depths, completions, or how the call ended.
Other values, such as a message that Python changed or a float sum, are counted and shown. How deep
the stack may grow is each version's own, so calls that meet the recursion limit are not compared.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from corpora import Sample, draw_programs, read_corpora
from differential import NOT_COMPARED, chunks, generated, written
from interpreters import find_interpreters

from tracer import Call, Program, Trace
from tracer.runner import Runner
from tracer.serialization import trace_to_dict


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the versions say of one program; texts are empty where they agree."""

    sample: Sample
    compared: bool
    statements: str = ""
    values: str = ""


def met_the_limit(trace: Trace) -> bool:
    """Whether the call ended because the stack was full."""
    return trace.outcome.type == "RecursionError"


def statements_of(trace: Trace) -> tuple[Any, ...]:
    """The trace without values: what ran in which order, where, and how each activation ended."""
    steps = [(s.stmt, s.activation, s.depth, s.occurrence, s.completed) for s in trace.steps]
    ends = [(a.function, a.parent_step, a.end, a.end_stmt) for a in trace.activations]
    return trace.outcome.kind, trace.outcome.type, trace.complete, steps, ends


def values_of(trace: Trace) -> dict[str, Any]:
    """The whole trace, without the version that made it."""
    return {key: value for key, value in trace_to_dict(trace).items() if key != "python"}


def compare_versions(sample: Sample, traces: Sequence[Trace]) -> Comparison:
    """Hold the traces of one program against the first."""
    if any(trace.outcome.kind in NOT_COMPARED or met_the_limit(trace) for trace in traces):
        return Comparison(sample, False)
    first, *others = traces
    for other in others:
        if statements_of(other) != statements_of(first):
            return Comparison(sample, True, statements=f"{first.python} and {other.python}")
    for other in others:
        one, two = values_of(first), values_of(other)
        different = [key for key in one if one[key] != two[key]]
        if different:
            text = f"{first.python} and {other.python}: {', '.join(different)}"
            return Comparison(sample, True, values=text)
    return Comparison(sample, True)


def compare_all(samples: Sequence[Sample], runners: Sequence[Runner]) -> Iterator[Comparison]:
    """Trace ``samples`` with each of ``runners``, one a version, and compare."""
    calls: list[tuple[Program, Call]] = [(s.program, s.call) for s in samples]
    traced = [runner.trace_many(calls) for runner in runners]
    for sample, *traces in zip(samples, *traced, strict=True):
        yield compare_versions(sample, traces)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generated", type=int, default=300, help="random programs")
    parser.add_argument("--first", type=int, default=0, help="seed of the first of them")
    parser.add_argument("--factory", type=int, default=100, help="programs of the factory's own")
    parser.add_argument("--corpora", type=Path, help="folder of public corpora")
    options = parser.parse_args()
    samples = chain(
        written(),
        read_corpora(options.corpora) if options.corpora else (),
        draw_programs(options.factory),
        generated(options.generated, options.first),
    )
    compared, skipped, other_values = Counter[str](), Counter[str](), Counter[str]()
    wrong: list[str] = []
    started = time.monotonic()
    found = find_interpreters()
    with ExitStack() as stack:
        runners = [stack.enter_context(Runner(python=path)) for path in found.values()]
        for chunk in chunks(samples):
            for each in compare_all(chunk, runners):
                corpus, name = each.sample.corpus, each.sample.name
                (compared if each.compared else skipped)[corpus] += 1
                if each.values:
                    other_values[corpus] += 1
                    print(f"values of {corpus} {name}: {each.values}", file=sys.stderr, flush=True)
                if each.statements:
                    wrong.append(f"{corpus} {name}: {each.statements}")
                    print(wrong[-1], file=sys.stderr, flush=True)
            print(f"{compared.total()} programs compared", file=sys.stderr, flush=True)
    print(f"Python {', '.join(found)}")
    print(f"{'corpus':16}{'compared':>10}{'not compared':>14}{'other values':>14}")
    for name in compared | skipped:
        print(f"{name:16}{compared[name]:>10}{skipped[name]:>14}{other_values[name]:>14}")
    print(*wrong, sep="\n")
    took = time.monotonic() - started
    print(f"{len(wrong)} differences of statements in {compared.total()} programs ({took:.0f} s)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
