"""APPS and TACO: a statement, inputs with outputs, several solutions, all but the first as JSON.

Sources: APPS (https://arxiv.org/abs/2105.09938), TACO (https://arxiv.org/abs/2312.14852).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from factory.problems.shapes.base import BadProblem, PublishedProblem, json_of, text_of, tree_of

MOST_TRIED = 5
"""Solutions of a record that are tried: the first that are Python 3."""


def read_apps(record: Mapping[str, Any]) -> PublishedProblem:
    """The problem of one record.

    Raises:
        BadProblem: A field is missing or of another type.
    """
    pairs = json_of(record.get("input_output"), "input_output")
    if not isinstance(pairs, dict) or not pairs.get("inputs"):
        raise BadProblem("missing_field", "'input_output' holds no inputs")
    solutions = json_of(record.get("solutions") or [], "solutions")
    if not isinstance(solutions, list):
        raise BadProblem("bad_field", "'solutions' is no list of texts")
    texts = [each for each in solutions if isinstance(each, str) and tree_of(each) is not None]
    starter = record.get("starter_code")
    return PublishedProblem(
        statement=text_of(record, "question"),
        tests={"input_output": pairs},
        references=tuple(texts[:MOST_TRIED]),
        entry_point=pairs.get("fn_name") or None,
        starter=starter if isinstance(starter, str) else "",
        name=str(record.get("problem_id", record.get("name", ""))),
    )
