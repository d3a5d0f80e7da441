"""Compares the tracer with the oracle on many programs and prints the counts.

    python tests/differential.py --generated 10000 --corpora DIR

Exits with 1 when any trace differs. The oracle rewrites the program's text and shares no code with
the tracer; both run every program, so a difference is a fault of one of them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from pathlib import Path
from typing import Any

import oracle
from constructs import constructs_of
from corpora import Sample, draw_programs, read_corpora
from oracle_programs import corpus, generate, generate_plain

from tracer import Call, Pool, Program, Trace
from tracer.serialization import trace_to_dict

CHUNK = 200
NOT_COMPARED = {
    "nondeterministic",
    "depth_dependent",
    "blocked",
    "timeout",
    "memory",
    "bad_program",
    "unsupported",
}
"""Outcomes without one trace: it depends on luck, on the time or on the stack, or never began."""
TOO_NESTED = "SyntaxError: too many statically nested blocks"
"""What Python says of a program to which the oracle's own blocks give more than twenty levels."""


def generated(count: int, first: int) -> Iterator[Sample]:
    """Yield random programs: of all constructs, and every third of plain containers."""
    for seed in range(first, first + count):
        if seed % 3 == 2:
            source, entry, args = generate_plain(seed)
            yield Sample("plain", str(seed), Program(source, entry), Call(args))
        else:
            source, entry, args, _ = generate(seed)
            yield Sample("generated", str(seed), Program(source, entry), Call(args))


def written() -> Iterator[Sample]:
    """Yield the hand-written programs that this Python version can run."""
    for case in corpus():
        if case.needs <= sys.version_info[1] and case.max_steps == 10_000:
            program = Program(case.source, case.entry_point)
            yield Sample("written", case.name, program, Call(case.args))


def compare(pool: Pool, samples: list[Sample]) -> Iterator[tuple[Sample, Trace, list[str] | None]]:
    """Yield each sample with its trace and the differences; ``None`` where there is no telling."""
    jobs = [(s.program.source, s.program.entry_point, s.call.args) for s in samples]
    with ThreadPoolExecutor(1) as beside:
        wanted = beside.submit(oracle.trace_many, jobs)
        traces = list(pool.run_all((s.program, s.call) for s in samples))
    for sample, expected, trace in zip(samples, wanted.result(), traces, strict=True):
        got: dict[str, Any] = trace_to_dict(trace)
        beyond = str(expected["outcome"]["message"]).startswith(TOO_NESTED)
        skip = trace.outcome.kind in NOT_COMPARED or beyond
        yield sample, trace, None if skip else oracle.compare(expected, got)


def chunks(samples: Iterable[Sample]) -> Iterator[list[Sample]]:
    """Cut ``samples`` into lists of ``CHUNK``."""
    iterator = iter(samples)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generated", type=int, default=1000, help="random programs")
    parser.add_argument("--first", type=int, default=0, help="seed of the first of them")
    parser.add_argument("--factory", type=int, default=200, help="programs of the factory's own")
    parser.add_argument("--corpora", type=Path, help="folder of public corpora")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    constructs: Counter[str] = Counter()
    samples = chain(
        written(),
        read_corpora(options.corpora) if options.corpora else (),
        draw_programs(options.factory),
        generated(options.generated, options.first),
    )
    compared: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    wrong: list[str] = []
    started = time.monotonic()
    with Pool(workers=options.workers) as pool:
        for chunk in chunks(samples):
            for sample, trace, different in compare(pool, chunk):
                steps[sample.corpus] += len(trace.steps)
                if different is None:
                    skipped[sample.corpus] += 1
                else:
                    compared[sample.corpus] += 1
                    constructs.update(constructs_of(trace))
                if different:
                    wrong.append(f"{sample.corpus} {sample.name}: {'; '.join(different[:3])}")
                    print(wrong[-1], file=sys.stderr, flush=True)
            print(f"{sum(compared.values())} programs compared", file=sys.stderr, flush=True)
    print(f"Python {sys.version_info[0]}.{sys.version_info[1]}")
    print(f"{'corpus':16}{'compared':>10}{'not compared':>14}{'steps':>10}")
    for name in compared | skipped:
        print(f"{name:16}{compared[name]:>10}{skipped[name]:>14}{steps[name]:>10}")
    for name, count in sorted(constructs.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:>10} of them ran through: {name}")
    print(*wrong, sep="\n")
    total = sum(compared.values())
    print(f"{len(wrong)} disagreements in {total} programs ({time.monotonic() - started:.0f} s)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
