"""The only module that calls Hypothesis: seeded draws that depend on nothing but their arguments.

Hypothesis mixes literals of the modules of the checkout into what it draws (its
``_local_constants``, remembered in a table shared by the whole process), so that editing or
importing unrelated code would change the data. :class:`PlainProvider` draws no constants at all,
and every setting that decides which values are drawn is given here, so that profiles, the ``CI``
variable and earlier tests in the process do not matter. The values still belong to one Hypothesis
version (:data:`HYPOTHESIS_VERSION`), which is part of a row's provenance.

Source: https://hypothesis.readthedocs.io/en/latest/reference/internals.html (alternative
backends).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import hypothesis
from hypothesis import strategies
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider
from hypothesis.strategies import SearchStrategy

Strategy: TypeAlias = SearchStrategy[Any]

HYPOTHESIS_VERSION: str = hypothesis.__version__
"""Version whose draws the data holds."""

_BACKEND = "tracefoundry"

__all__ = ["HYPOTHESIS_VERSION", "PlainProvider", "Strategy", "draw_values", "strategies", "texts"]


class PlainProvider(HypothesisProvider):
    """Hypothesis' own provider without constants, its own or those found in imported modules."""

    def _maybe_draw_constant(self, *_args: object, **_options: object) -> None:
        return None


AVAILABLE_PROVIDERS[_BACKEND] = PlainProvider


def texts(alphabet: str, max_size: int) -> Strategy:
    """Return a strategy for texts of at most ``max_size`` characters of ``alphabet``.

    Unlike :func:`hypothesis.strategies.text` it reads no Unicode tables, which Hypothesis would
    write into a ``.hypothesis`` folder of the current directory.
    """
    return strategies.lists(strategies.sampled_from(alphabet), max_size=max_size).map("".join)


def draw_values(strategy: Strategy, count: int, seed: int) -> tuple[Any, ...]:
    """Return ``count`` values of ``strategy``, some of them perhaps equal.

    The values are a pure function of the three arguments and :data:`HYPOTHESIS_VERSION`.
    """
    drawn: list[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        backend=_BACKEND,
        database=None,
        deadline=None,
        derandomize=False,
        max_examples=count,
        phases=(hypothesis.Phase.generate,),
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=tuple(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(strategy)
    def collect(value: Any) -> None:
        drawn.append(value)

    collect()
    return tuple(drawn)
