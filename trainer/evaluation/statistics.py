"""Shares of right answers, with intervals.

Sources: pass@k as in https://arxiv.org/abs/2107.03374 (the unbiased estimator); Wilson's interval
(doi:10.1080/01621459.1927.10502953); the percentile bootstrap over groups (Efron 1979).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

from tracer.interval import wilson

RESAMPLES = 1_000
_SEED = 20_260_311
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Counts:
    """Replies to one question."""

    group: str
    n: int
    """Replies that could be judged."""
    passes: int


@dataclass(frozen=True, slots=True)
class Share:
    """A share with an interval of 95 %."""

    value: float
    low: float
    high: float
    questions: int
    groups: int


def pass_at_k(n: int, passes: int, k: int) -> float:
    """Chance that at least one of ``k`` replies, drawn from ``n`` without putting back, is right.

    Raises:
        ValueError: ``k`` is not between 1 and ``n``, or ``passes`` not between 0 and ``n``.
    """
    if not (1 <= k <= n and 0 <= passes <= n):
        raise ValueError(f"pass@{k} of {passes} passes in {n} replies")
    return 1.0 - comb(n - passes, k) / comb(n, k)


def share_at_k(counts: Sequence[Counts], k: int) -> Share | None:
    """Mean pass@k of the questions with at least ``k`` judged replies; ``None`` without any.

    The interval is Wilson's where every question stands alone and has one reply, or where all
    questions agree, which leaves nothing to resample (the groups are counted then); else a
    bootstrap over groups, since questions about one program are not independent.
    """
    used = [each for each in counts if each.n >= k]
    if not used:
        return None
    groups: dict[str, list[float]] = {}
    for each in used:
        groups.setdefault(each.group, []).append(pass_at_k(each.n, each.passes, k))
    values = [value for group in groups.values() for value in group]
    mean = sum(values) / len(values)
    single = len(groups) == len(used) and all(value in (0.0, 1.0) for value in values)
    if single or (len(set(values)) == 1 and values[0] in (0.0, 1.0)):
        low, high = wilson(round(mean * len(groups)), len(groups))
    else:
        low, high = _bootstrap(groups)
    return Share(round(mean, _DIGITS), low, high, len(used), len(groups))


def _bootstrap(groups: Mapping[str, Sequence[float]]) -> tuple[float, float]:
    rng = random.Random(_SEED)
    sums = [(sum(values), len(values)) for values in groups.values()]
    means = []
    for _ in range(RESAMPLES):
        drawn = rng.choices(sums, k=len(sums))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    edge = round(0.025 * RESAMPLES)
    return round(means[edge], _DIGITS), round(means[-1 - edge], _DIGITS)


def chosen_ks(n: int) -> tuple[int, ...]:
    """The ``k`` that are reported for ``n`` replies: 1, 5, 10, 100 and ``n``."""
    return tuple(sorted({k for k in (1, 5, 10, 100, n) if k <= n}))
