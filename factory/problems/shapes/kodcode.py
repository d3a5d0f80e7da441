"""KodCode: a question, a solution, and a module of pytest functions that imports from it.

Source: https://huggingface.co/datasets/KodCode/KodCode-V1 (https://arxiv.org/abs/2503.02951).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from factory.problems.shapes.base import BadProblem, PublishedProblem, json_of, text_of, tree_of

MODULE = "solution"
"""What the tests import from."""


def read_kodcode(record: Mapping[str, Any]) -> PublishedProblem:
    """The problem of one record; each of its test functions is a test.

    Raises:
        BadProblem: A field is missing, or the tests are of another form.
    """
    tree = tree_of(text_of(record, "test"))
    if tree is None:
        raise BadProblem("bad_tests", "the tests are not Python")
    imported = [
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == MODULE
        for alias in node.names
    ]
    entry_point = _entry_point(record) or (imported[0] if imported else None)
    if entry_point is None or set(imported) - {entry_point}:
        detail = f"the tests use {', '.join(imported) or 'nothing'} of the solution"
        raise BadProblem("several_entry_points" if imported else "bad_tests", detail)
    tests = [node for node in tree.body if _is_test(node)]
    if not tests:
        raise BadProblem("bad_tests", "no function test_…() without parameters")
    setup = [
        ast.unparse(node)
        for node in tree.body
        if node not in tests and not (isinstance(node, ast.ImportFrom) and node.module == MODULE)
    ]
    return PublishedProblem(
        statement=text_of(record, "question"),
        tests={
            "test_list": [f"{ast.unparse(node)}\n{_name(node)}()" for node in tests],
            "test_setup_code": "\n".join(setup),
            "entry_point": entry_point,
        },
        references=(text_of(record, "solution"),),
        entry_point=entry_point,
        name=str(record.get("question_id", "")),
    )


def _entry_point(record: Mapping[str, Any]) -> str | None:
    info = json_of(record.get("test_info"), "test_info")
    first = info[0] if isinstance(info, list) and info else info
    name = first.get("function_name") if isinstance(first, dict) else None
    return name if isinstance(name, str) else None


def _is_test(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    return node.name.startswith("test_") and not node.args.args


def _name(node: ast.stmt) -> str:
    assert isinstance(node, ast.FunctionDef)
    return node.name
