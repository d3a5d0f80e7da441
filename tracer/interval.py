"""Wilson's score interval of a share (Wilson 1927, doi:10.1080/01621459.1927.10502953)."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054
"""Quantile of the standard normal distribution for a two-sided interval of 95 %."""
_DIGITS = 6


def wilson(passes: int, n: int, z: float = Z95) -> tuple[float, float]:
    """Bounds between which the true share lies, given ``passes`` of ``n`` trials.

    Args:
        passes: Trials that succeeded, between 0 and ``n``.
        n: Number of trials; with none, nothing is known: ``(0.0, 1.0)``.
        z: Quantile of the standard normal distribution.

    Returns:
        Lower and upper bound in [0, 1], six digits behind the point.

    Raises:
        ValueError: ``passes`` is negative or more than ``n``.
    """
    if not 0 <= passes <= n:
        raise ValueError(f"{passes} passes of {n} trials")
    if n == 0:
        return 0.0, 1.0
    share = passes / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    reach = z / scale * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if passes == 0 else max(0.0, centre - reach)
    high = 1.0 if passes == n else min(1.0, centre + reach)
    return round(low, _DIGITS), round(high, _DIGITS)
