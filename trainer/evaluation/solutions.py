"""The program in a reply."""

from __future__ import annotations

import ast
from dataclasses import replace

from tracer.answers import Layout
from tracer.literals import NotFaithful, module
from tracer.problems import Problem, find_code
from tracer.records import Verdict
from trainer.evaluation.records import TestsKey

CLASS = "Solution"
"""Contest sites want the function as a method of this class."""
_AS_FUNCTION = """

def {name}(*args):
    return {kind}().{name}(*args)
"""


def code_in(key: TestsKey, reply: str, layout: Layout) -> str | Verdict:
    """The program to test; or the verdict on a reply that holds none.

    Where the tests take a method as well, a class ``Solution`` with it is given a function of the
    same name.
    """
    problem = key.problem
    if not key.method:
        return find_code(problem, reply, layout)
    name = problem.suite.entry_point
    anything = Problem(replace(problem.suite, entry_point=None), problem.prompt)
    code = find_code(anything, reply, layout)
    if isinstance(code, str) and name is not None and name in _methods(code):
        return code + _AS_FUNCTION.format(name=name, kind=CLASS)
    return find_code(problem, reply, layout)


def _methods(code: str) -> set[str]:
    """Names of the methods of the class :data:`CLASS`."""
    try:
        tree = module(code)
    except NotFaithful:
        return set()
    return {
        part.name
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == CLASS
        for part in node.body
        if isinstance(part, ast.FunctionDef)
    }
