"""Keeps the programs of benchmarks out of the data: which drafts hold one, and the report.

Programs are compared by :func:`factory.normal_form.bare_tokens`, in which names, literals, layout,
comments, docstrings, annotations and imports do not count, in two ways.  ``normal_form``: the whole
program is a benchmark's, with its names numbered alike.  ``ngrams``: of a benchmark program's
distinct runs of tokens, all names alike, a large share stands in the program too, whatever else it
holds; benchmark programs with fewer than :data:`LEAST_RUNS` runs are left to the first way.

Source: the n-gram overlap of Brown et al., "Language models are few-shot learners", 2020, appendix
C, on syntax trees instead of words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from factory.benchmark_files import digest_files, find_files, read_benchmark
from factory.normal_form import bare_tokens
from factory.recipe_records import Decontamination

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST_RUNS = 20
"""Fewest distinct runs of tokens by which a benchmark program can be recognised inside another."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A program that was left out because a benchmark has it."""

    program_id: str
    benchmark: str
    benchmark_id: str
    method: str
    """``normal_form`` or ``ngrams``."""
    share: float
    """Of the benchmark program's runs of tokens that the program has."""


@dataclass(frozen=True, slots=True)
class _Match:
    """The benchmark program that a text is, or holds."""

    entry: int
    method: str
    share: float


class BenchmarkIndex:
    """The programs of all benchmarks of a recipe, ready to be compared with; can be pickled."""

    def __init__(self, plan: Decontamination) -> None:
        """Read the benchmarks.

        Raises:
            UserError: One of them cannot be read.
        """
        import numpy as np

        self._plan = plan
        self._names: list[tuple[str, str]] = []
        self._forms: dict[bytes, int] = {}
        self._described: list[dict[str, Any]] = []
        runs: list[NDArray[np.uint64]] = []
        for benchmark in plan.benchmarks:
            contents = read_benchmark(benchmark)
            short = 0
            read: set[tuple[str, bytes]] = set()
            for program in contents.programs:
                form, own = _fingerprint(program.source, plan.ngram)
                if (program.name, form) in read:
                    continue
                read.add((program.name, form))
                self._forms.setdefault(form, len(self._names))
                self._names.append((benchmark.label, program.name))
                enough = len(own) >= LEAST_RUNS
                short += not enough
                runs.append(own if enough else own[:0])
            self._described.append(
                {
                    "name": benchmark.label,
                    "path": benchmark.shown_path,
                    "files": len(find_files(benchmark)),
                    "sha256": digest_files(benchmark),
                    "rows": contents.rows,
                    "programs": len(read),
                    "rows_without_program": contents.without_program,
                    "too_short_for_ngrams": short,
                }
            )
        sizes = [len(own) for own in runs]
        self._sizes = np.array(sizes, dtype=np.int64)
        owners = np.repeat(np.arange(len(runs), dtype=np.int32), sizes)
        hashes = np.concatenate([np.empty(0, dtype=np.uint64), *runs])
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._owners = hashes[order], owners[order]

    def find(self, source: str, program_id: str) -> Hit | None:
        """The first benchmark program that ``source`` is, or else the one it holds most of."""
        form, own = _fingerprint(source, self._plan.ngram)
        match = None
        if form in self._forms:
            match = _Match(self._forms[form], "normal_form", 1.0)
        elif len(self._hashes):
            match = self._held(own)
        if match is None:
            return None
        benchmark, name = self._names[match.entry]
        return Hit(program_id, benchmark, name, match.method, round(match.share, 4))

    def _held(self, own: NDArray[np.uint64]) -> _Match | None:
        import numpy as np

        starts = np.searchsorted(self._hashes, own, side="left")
        ends = np.searchsorted(self._hashes, own, side="right")
        places = [
            self._owners[start:end] for start, end in zip(starts, ends, strict=True) if start < end
        ]
        if not places:
            return None
        shared = np.bincount(np.concatenate(places), minlength=len(self._sizes))
        shares = shared / np.maximum(self._sizes, 1)
        best = int(np.argmax(shares))
        if shares[best] < self._plan.share:
            return None
        return _Match(best, "ngrams", float(shares[best]))

    def report(self, hits: Iterable[Hit]) -> dict[str, Any]:
        """The manifest's ``decontamination``."""
        return {
            "status": "done",
            "ngram": self._plan.ngram,
            "share": self._plan.share,
            "benchmarks": self._described,
            "hits": [asdict(hit) for hit in hits],
        }


def read_index(plan: Decontamination) -> BenchmarkIndex | None:
    """The index of a recipe's benchmarks; ``None`` when it names none.

    Raises:
        UserError: A benchmark cannot be read.
    """
    return BenchmarkIndex(plan) if plan.benchmarks else None


def digest_benchmarks(plan: Decontamination) -> list[str]:
    """SHA-256 of each benchmark, in the recipe's order.

    Raises:
        UserError: A benchmark has no files.
    """
    return [digest_files(benchmark) for benchmark in plan.benchmarks]


def _fingerprint(source: str, length: int) -> tuple[bytes, NDArray[np.uint64]]:
    """Digest of the numbered form, and sorted hashes of the distinct runs of ``length`` tokens."""
    import numpy as np

    numbered = "\n".join(bare_tokens(source, names=True))
    tokens = bare_tokens(source, names=False)
    runs = {_hash(tokens[start : start + length]) for start in range(len(tokens) - length + 1)}
    form = hashlib.sha256(numbered.encode("utf-8", "surrogatepass")).digest()[:16]
    return form, np.array(sorted(runs), dtype=np.uint64)


def _hash(run: Sequence[str]) -> int:
    text = "\n".join(run).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
