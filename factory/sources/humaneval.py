"""HumanEval records: the program is prompt and solution; inputs are the calls in ``check``.

Source: https://github.com/openai/human-eval (data/HumanEval.jsonl.gz)
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from factory.records import Draft, Dropped, Origin
from factory.sources.base import BadRecord, Drafted, checked_tree, record_name, text_field
from factory.sources.code import calls_of, parse_source, seed_calls
from tracer.records import Program

CHECKER = "check"


def read_humaneval(record: dict[str, Any], origin: Origin, where: str) -> Drafted:
    """The reference program of one HumanEval record with its tests.

    Raises:
        BadRecord: A field is missing, or program or tests cannot be used.
    """
    source = text_field(record, "prompt", where) + text_field(record, "canonical_solution", where)
    entry_point, tests = text_field(record, "entry_point", where), text_field(record, "test", where)
    tree = checked_tree(source, entry_point, where)
    checker = _checker(tests, where)
    candidate = checker.args.args[0].arg
    calls, dropped = seed_calls(calls_of(checker, candidate), tree, where)
    draft = Draft(
        program=Program(source, entry_point),
        origin=replace(origin, name=record_name(record, "task_id")),
        calls=calls,
        tests=f"{tests}\n{CHECKER}({entry_point})\n",
    )
    return Drafted(draft, dropped)


def _checker(tests: str, where: str) -> ast.FunctionDef:
    """The function of the tests that takes the candidate as its first argument.

    Raises:
        BadRecord: There is none.
    """
    tree = parse_source(tests, where)
    if isinstance(tree, Dropped):
        raise BadRecord(replace(tree, reason="bad_tests"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == CHECKER and node.args.args:
            return node
    raise BadRecord(Dropped("source", "bad_tests", where, f"no function {CHECKER}(candidate)"))
