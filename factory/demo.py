"""The main job in one go: build the packaged recipe ``demo``, audit, ask, publish."""

from __future__ import annotations

from pathlib import Path

from factory.errors import UserError
from factory.output_folder import claim_folder
from factory.query import connect, run_query
from factory.recipe_records import Recipe
from tracer.records import Question

RECIPE = "demo"
FOLDER = "demo-out"
QUERIES: tuple[tuple[str, dict[str, object]], ...] = (
    ("hottest_lines", {"top": 5}),
    ("loops_over", {"more": 20}),
    ("steps_by_level", {}),
)
"""Named queries that the demo asks, with their parameters."""
KINDS = ("output", "next_statement", "variable_state")
"""Kinds of the questions that the demo shows."""
LEAST_LEVEL = 3
"""Lowest level of the programs that it shows: from here on they have control flow."""
MAX_FOLDERS = 100


def choose_folder(recipe: Recipe, parent: Path) -> Path:
    """Return a folder for the demo inside ``parent``: ``demo-out``, or else ``demo-out-2``.

    One that an earlier demo made is taken again, so that it is continued or reused; one that
    holds anything else is left alone.

    Raises:
        UserError: No such folder can be made.
    """
    refusal = None
    for number in range(1, MAX_FOLDERS):
        folder = parent / (FOLDER if number == 1 else f"{FOLDER}-{number}")
        try:
            claim_folder(folder, recipe)
        except UserError as error:
            refusal = error
            if not folder.exists():
                break
        else:
            return folder
    assert refusal is not None
    raise refusal


def published_folder(folder: Path) -> Path:
    """Where the demo publishes the dataset that it made in ``folder``."""
    return folder.with_name(f"{folder.name}-published")


def training_folder(folder: Path) -> Path:
    """Where the demo trains, beside the dataset that it made in ``folder``."""
    return folder.with_name(f"{folder.name}-training")


def pick_questions(folder: Path) -> tuple[tuple[str, str, Question], ...]:
    """One question of each of :data:`KINDS`, with its program's text and its call.

    The program is the shortest one that is worth a look and has a question of that kind.
    """
    sql = """
        SELECT programs.source, entry_point || '(' || args || ')', kind, text, key
        FROM questions JOIN traces USING (trace_id, program_id) JOIN programs USING (program_id)
        WHERE kind = $kind
        ORDER BY coalesce(programs.level, 0) < $least, length(programs.source), question_id
        LIMIT 1
    """
    with connect(folder) as connection:
        rows = [
            row
            for kind in KINDS
            for row in run_query(connection, sql, {"kind": kind, "least": LEAST_LEVEL}).rows()
        ]
    return tuple(
        (source, call, Question(kind, text, key, valid=()))
        for source, call, kind, text, key in rows
    )
