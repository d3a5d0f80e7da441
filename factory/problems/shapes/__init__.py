"""Problems of public data sets, in the shapes in which these are published.

A new shape is one module with a reader and one line in :data:`PROBLEM_SHAPES`.
"""

from __future__ import annotations

from factory.problems.shapes.apps import read_apps
from factory.problems.shapes.base import BadProblem, PublishedProblem, Reader
from factory.problems.shapes.eurus import read_eurus
from factory.problems.shapes.humaneval import read_humaneval
from factory.problems.shapes.kodcode import read_kodcode
from factory.problems.shapes.mbpp import read_mbpp

__all__ = ["PROBLEM_SHAPES", "BadProblem", "PublishedProblem"]

PROBLEM_SHAPES: dict[str, Reader] = {
    "apps": read_apps,
    "eurus": read_eurus,
    "humaneval": read_humaneval,
    "kodcode": read_kodcode,
    "mbpp": read_mbpp,
    "taco": read_apps,
}
"""Readers by name; TACO is published in the shape of APPS."""
