"""Sanitized MBPP records: entry point and inputs are read off the asserts of ``test_list``.

Source: https://github.com/google-research/google-research/tree/master/mbpp
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from factory.records import Draft, Dropped, Origin
from factory.sources.base import (
    BadRecord,
    Drafted,
    checked_tree,
    record_name,
    text_field,
    text_list,
)
from factory.sources.code import calls_of, parse_source, seed_calls
from tracer.records import Program


def read_mbpp(record: dict[str, Any], origin: Origin, where: str) -> Drafted:
    """The reference program of one MBPP record with its tests.

    Raises:
        BadRecord: A field is missing, or program or tests cannot be used.
    """
    source = text_field(record, "code", where)
    imports = text_list(record, "test_imports", where) if record.get("test_imports") else ()
    tests = "\n".join((*imports, *text_list(record, "test_list", where))) + "\n"
    test_tree = parse_source(tests, where)
    if isinstance(test_tree, Dropped):
        raise BadRecord(replace(test_tree, reason="bad_tests"))
    program_tree = parse_source(source, where)
    if isinstance(program_tree, Dropped):
        raise BadRecord(program_tree)
    entry_point = _entry_point(program_tree, test_tree, where)
    checked_tree(source, entry_point, where)
    calls, dropped = seed_calls(_asserted_calls(test_tree, entry_point), program_tree, where)
    draft = Draft(
        program=Program(source, entry_point),
        origin=replace(origin, name=record_name(record, "task_id")),
        calls=calls,
        tests=tests,
    )
    return Drafted(draft, dropped)


def _entry_point(program: ast.Module, tests: ast.Module, where: str) -> str:
    """The program's function that most asserts call; the last defined of several.

    Raises:
        BadRecord: The asserts call none.
    """
    defined = [node.name for node in program.body if isinstance(node, ast.FunctionDef)]
    asserts = [node for node in tests.body if isinstance(node, ast.Assert)]
    used = Counter(name for check in asserts for name in set(defined) if any(calls_of(check, name)))
    if not used:
        detail = f"no assert calls one of: {', '.join(defined) or 'nothing defined'}"
        raise BadRecord(Dropped("source", "unknown_entry_point", where, detail))
    return max(defined, key=lambda name: (used[name], defined.index(name)))


def _asserted_calls(tests: ast.Module, entry_point: str) -> Iterator[ast.Call]:
    asserts = (node for node in tests.body if isinstance(node, ast.Assert))
    return chain.from_iterable(calls_of(check, entry_point) for check in asserts)
