"""The benchmarks: each module reads rows of a published shape, ``load(rows) -> Loaded``.

A new one is a module and a line in :data:`BENCHMARKS`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from trainer.evaluation.records import Loaded, Row


class Load(Protocol):
    """What a benchmark's module offers."""

    def __call__(self, rows: Iterable[Row]) -> Loaded:
        """Make tasks of rows; a row that can't be used is named and left out."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Where a benchmark is published, and who reads it."""

    target: str
    """``module:function`` of its :class:`Load`."""
    repository: str | None
    """On the Hub; ``None`` where a file must be given."""
    subset: str | None = None
    """Config of the repository, or folder of a dataset of ours."""
    split: str = "test"


_HERE = "trainer.evaluation.benchmarks"
BENCHMARKS: dict[str, Benchmark] = {
    "questions": Benchmark(f"{_HERE}.questions:load", None, "stage1"),
    "cruxeval": Benchmark(f"{_HERE}.cruxeval:load", "cruxeval-org/cruxeval"),
    "lcb-exec": Benchmark(f"{_HERE}.lcb_execution:load", "livecodebench/execution-v2"),
    "library-programs": Benchmark(f"{_HERE}.library_programs:load", None),
    "cruxeval-x": Benchmark(f"{_HERE}.cruxeval_x:load", "xhwl/cruxeval-x", split="Java"),
    "reval": Benchmark(f"{_HERE}.reval:load", None),
    "humaneval": Benchmark(
        f"{_HERE}.humaneval:load", "openai/openai_humaneval", "openai_humaneval"
    ),
    "humaneval+": Benchmark(f"{_HERE}.humaneval:load", None),
    "mbpp": Benchmark(f"{_HERE}.mbpp:load", "google-research-datasets/mbpp", "sanitized"),
    "mbpp+": Benchmark(f"{_HERE}.mbpp:load", None),
    "lcb-generation": Benchmark(
        f"{_HERE}.lcb_generation:load", "livecodebench/code_generation_lite"
    ),
    "bigcodebench": Benchmark(f"{_HERE}.bigcodebench:load", "bigcode/bigcodebench", split="v0.1.4"),
    "problems": Benchmark(f"{_HERE}.problems:load", None, "problems"),
}
"""By the names of the command line, in the order of its help."""


def load_benchmark(name: str, rows: Iterable[Row]) -> Loaded:
    """The tasks of a benchmark."""
    module, _, function = BENCHMARKS[name].target.partition(":")
    load: Load = getattr(importlib.import_module(module), function)
    return load(rows)
