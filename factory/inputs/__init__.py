"""Inputs for programs: new calls near given ones, of the same types.

A new input family is one module with a ``FAMILY`` and one line in :data:`INPUT_FAMILIES`.
"""

from __future__ import annotations

from collections.abc import Sequence

from factory.inputs import choices, mappings, numbers, objects, sequences, sets, text
from factory.inputs.base import InputFamily
from factory.inputs.fresh import FreshCalls, draw_calls
from factory.inputs.mutation import MutationResult, mutate
from factory.inputs.variation import Variation
from tracer.records import Call, Program

__all__ = [
    "INPUT_FAMILIES",
    "FreshCalls",
    "InputFamily",
    "MutationResult",
    "fresh_calls",
    "mutate_calls",
]

INPUT_FAMILIES: tuple[InputFamily, ...] = (
    numbers.FAMILY,
    text.FAMILY,
    sequences.FAMILY,
    sets.FAMILY,
    mappings.FAMILY,
    objects.FAMILY,
    choices.FAMILY,
)

_VARIATION = Variation(INPUT_FAMILIES)


def mutate_calls(program: Program, seeds: Sequence[Call], count: int, seed: str) -> MutationResult:
    """Return up to ``count`` distinct calls that are near ``seeds`` and equal to none of them.

    Types come from the annotations and from the seeds' arguments; see
    :mod:`factory.inputs.fitting` for how they are brought together. A call keeps the form of its
    seed: the same arguments by place and by name, and the same standard input. Without seeds, calls
    are made from the annotations alone. The program is read as text and never run.

    Args:
        program: The program whose entry point is called.
        seeds: Calls that are known to make sense.
        count: How many calls are wanted. Fewer come back when the types hold no more values; the
            first ``n`` are those that ``count=n`` gives.
        seed: Anything; other seeds give other calls.

    Returns:
        The calls and, by parameter name, what could not be varied. A pure function of the arguments
        and of :data:`factory.draw.HYPOTHESIS_VERSION`.
    """
    return mutate(program, seeds, count, seed, _VARIATION)


def fresh_calls(
    program: Program, seeds: Sequence[Call], count: int, seed: str
) -> FreshCalls | None:
    """Return ``count`` calls drawn from the types of the arguments alone.

    Args:
        program: The program whose entry point is called; read as text, never run.
        seeds: Calls whose types count; the first gives the form. Without seeds the annotations do.
        count: How many.
        seed: Anything; other seeds give other calls.

    Returns:
        The calls and the signature they depend on; ``None`` when an argument is no literal or of a
        type that no family makes.
    """
    return draw_calls(program, seeds, count, seed, _VARIATION)
