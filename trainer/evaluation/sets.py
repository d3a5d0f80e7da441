"""Which benchmarks to run, and where their rows are."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trainer.errors import TrainingError
from trainer.evaluation.benchmarks import BENCHMARKS

OWN = "questions"
"""What a place without a name is: a dataset of ours."""
PAIRS = "pairs"
"""Preference pairs, which a reward model tells apart; nothing is generated for them."""
NAMES = (*BENCHMARKS, PAIRS)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A benchmark and its places."""

    name: str
    places: tuple[str, ...]


def choose_sets(benchmarks: Sequence[str], data: Sequence[str]) -> tuple[Chosen, ...]:
    """The benchmarks of a command, in the order of :data:`NAMES`.

    Args:
        benchmarks: Names of ``--benchmark``.
        data: Values of ``--data``: ``name=place``, a name alone (its repository of the Hub), or a
            place alone (that of the only ``--benchmark``, or else a dataset of ours).

    Raises:
        TrainingError: A name is unknown, a benchmark has no place, or none is chosen.
    """
    places: dict[str, list[str]] = {}
    for name in benchmarks:
        places.setdefault(_known(name, "--benchmark"), [])
    only = benchmarks[0] if len(set(benchmarks)) == 1 else None
    for text in data:
        name, equals, place = text.partition("=")
        if equals and not Path(text).exists():
            places.setdefault(_known(name, "--data"), []).append(place)
        elif text in NAMES and not Path(text).exists():
            places.setdefault(text, [])
        else:
            places.setdefault(only or OWN, []).append(text)
    chosen = []
    for name in NAMES:
        if name in places:
            found = places[name] or [_repository(name)]
            chosen.append(Chosen(name, tuple(found)))
    if not chosen:
        raise TrainingError(f"name a benchmark, as --data cruxeval; there are: {', '.join(NAMES)}")
    return tuple(chosen)


def _known(name: str, option: str) -> str:
    if name in NAMES:
        return name
    near = difflib.get_close_matches(name, NAMES, 1)
    there = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(NAMES)}"
    raise TrainingError(f"{option} {name}: no benchmark of this name; {there}")


def _repository(name: str) -> str:
    benchmark = BENCHMARKS.get(name)
    if benchmark is None or benchmark.repository is None:
        raise TrainingError(f"{name}: say where it is, as --data {name}=FILE (or a folder)")
    return benchmark.repository
