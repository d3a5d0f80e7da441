"""The DuckDB views over a dataset folder: the published configs, and their lists unnested.

One row of ``traces`` holds parallel lists (DESIGN, section 4); the views here give one row a
step, change, activation or entry value instead, with the line of the program's text beside it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """A view that is derived from the published files."""

    name: str
    holds: str
    """What one row is, for a person."""
    sql: str


STATEMENTS = View(
    "statements",
    "one statement of a program; `steppable`: its kind makes steps; `called`: part of a function",
    r"""
    WITH numbered AS (
        SELECT *, string_split_regex(source, '\r\n|\r|\n') AS lines,
            range(len(stmt_line)) AS numbers
        FROM programs
    ), marked AS (
        SELECT *, list_transform(numbers, lambda i:
            trim(lines[stmt_line[i + 1]], ' ' || chr(9))) AS texts,
        list_transform(numbers, lambda i: len(list_filter(numbers, lambda j:
            j < i AND stmt_kind[j + 1] IN ('FunctionDef', 'AsyncFunctionDef')
            AND stmt_line[i + 1] BETWEEN stmt_line[j + 1] AND stmt_end_line[j + 1])) > 0
        ) AS within FROM numbered
    )
    SELECT program_id, unnest(numbers) AS stmt, unnest(stmt_line) AS line,
        unnest(stmt_end_line) AS end_line, unnest(stmt_col) AS col, unnest(stmt_kind) AS kind,
        unnest(texts) AS text,
        unnest(within) AS called,
        unnest(list_transform(numbers, lambda i: NOT (
            stmt_kind[i + 1] IN ('Try', 'TryStar', 'Global', 'Nonlocal')
            OR stmt_kind[i + 1] = 'AnnAssign' AND within[i + 1] AND NOT contains(
                array_to_string(lines[stmt_line[i + 1]:stmt_end_line[i + 1]], ' '), '=')
            OR i > 0 AND stmt_kind[i + 1] = 'Expr'
                AND stmt_kind[i] IN ('FunctionDef', 'AsyncFunctionDef', 'ClassDef')
                AND regexp_matches(texts[i + 1], '^[rRuU]?["'']')))) AS steppable
    FROM marked
    """,
)

STEPS = View(
    "steps",
    "one execution of one statement, in the order in which they began",
    """
    SELECT trace_id, program_id,
        generate_subscripts(stmts, 1) - 1 AS step, unnest(stmts) AS stmt,
        unnest(list_select(stmt_line, list_transform(stmts, lambda s: s + 1))) AS line,
        unnest(list_select(stmt_kind, list_transform(stmts, lambda s: s + 1))) AS kind,
        unnest(activations) AS activation, unnest(depths) AS depth,
        unnest(occurrences) AS occurrence, unnest(completed) AS completed
    FROM traces JOIN programs USING (program_id)
    """,
)

CHANGES = View(
    "changes",
    "what one step did to one visible variable",
    """
    WITH indexed AS (
        SELECT *, list_transform(change_step, lambda s: s + 1) AS places FROM traces
    ), placed AS (
        SELECT *, list_select(stmts, places) AS change_stmt FROM indexed
    )
    SELECT trace_id, program_id, unnest(change_step) AS step, unnest(change_stmt) AS stmt,
        unnest(list_select(stmt_line, list_transform(change_stmt, lambda s: s + 1))) AS line,
        unnest(list_select(activations, places)) AS activation,
        unnest(list_select(occurrences, places)) AS occurrence,
        unnest(change_name) AS name, unnest(change_op) AS op,
        unnest(change_type) AS type, unnest(change_value) AS value
    FROM placed JOIN programs USING (program_id)
    """,
)

ACTIVATIONS = View(
    "activations",
    "one execution of a function, method, generator or class body",
    """
    SELECT trace_id, program_id,
        generate_subscripts(act_function, 1) - 1 AS activation, unnest(act_function) AS function,
        unnest(act_parent_step) AS parent_step, unnest(act_end) AS "end",
        unnest(act_end_stmt) AS end_stmt, unnest(act_type) AS type, unnest(act_value) AS value
    FROM traces
    """,
)

ENTRIES = View(
    "entries",
    "one visible variable when its activation began",
    """
    SELECT trace_id, program_id, unnest(entry_activation) AS activation,
        unnest(entry_name) AS name, unnest(entry_type) AS type, unnest(entry_value) AS value
    FROM traces
    """,
)

HEADERS = View(
    "headers",
    "one evaluation of an if, for, while, case or except; `entered`: its body ran next",
    """
    WITH followed AS (
        SELECT *, lead(stmt) OVER (PARTITION BY trace_id, activation ORDER BY step) AS next_stmt
        FROM steps
    ), bodies AS (
        SELECT program_id, stmt, lead(stmt) OVER (PARTITION BY program_id ORDER BY stmt) AS first
        FROM statements WHERE steppable
    )
    SELECT trace_id, program_id, step, stmt, line, kind, activation, occurrence, completed,
        coalesce(next_stmt > stmt AND (first IS NULL OR next_stmt <= first), false) AS entered
    FROM followed JOIN bodies USING (program_id, stmt)
    WHERE kind IN ('If', 'For', 'AsyncFor', 'While', 'match_case', 'ExceptHandler')
    """,
)

DERIVED: tuple[View, ...] = (STATEMENTS, STEPS, CHANGES, ACTIVATIONS, ENTRIES, HEADERS)
"""In the order in which they can be created."""

LOGS = View(
    "logs",
    "one number that a training logged at one step",
    """
    SELECT try_cast(entry ->> 'step' AS INTEGER) AS step, metric,
        try_cast(entry ->> metric AS DOUBLE) AS value
    FROM (SELECT entry, unnest(json_keys(entry)) AS metric FROM (
        SELECT unnest(log_history) AS entry
        FROM read_json({state}, columns = {{log_history: 'JSON[]'}})))
    WHERE metric != 'step'
    """,
)
"""Of a training run; ``{state}`` is its ``trainer_state.json`` as an SQL text."""

DROP_COLUMNS = ("stage", "reason", "where", "detail")
DROPS = View(
    "drops",
    "one thing that the build left out, and why",
    "SELECT * FROM (VALUES (NULL::VARCHAR, NULL::VARCHAR, NULL::VARCHAR, NULL::VARCHAR)) "
    'AS none(stage, reason, "where", detail) WHERE false',
)
"""The form of the view when a dataset has no ``drops.jsonl``."""

PUBLISHED = {
    "programs": "one program",
    "traces": "one execution, its steps and changes in parallel lists",
    "questions": "one question with its answer key",
    "stage1": "one prompt for GRPO: several questions about one run, or an input to find",
    "sft": "one conversation: a run followed line by line, every claim checked",
    "crpl": "one pair of rationales of a run, the better one and the worse one",
    "problems": "one problem of code generation, with hidden tests and a reference",
    "completions": "one completion of a training run, with what it was paid",
}
