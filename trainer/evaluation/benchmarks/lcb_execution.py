"""LiveCodeBench, code execution: 479 solutions of contest problems, each asked for its output.

Rows ``{"question_id": "2777", "id": "sample_3", "function_name": "f", "code": "def f(s: str): ...",
"input": "f(s = 'ab')", "output": "2", "difficulty": "easy"}``. A program that leans on the imports
which LiveCodeBench puts before it (``List``, ``Counter``) gets those it names.

Source: https://arxiv.org/abs/2403.07974
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from tracer.literals import NotFaithful, expression, module
from tracer.records import Program
from trainer.evaluation.execution import Case, ask_about
from trainer.evaluation.fields import readable, text
from trainer.evaluation.records import Loaded, Row

KINDS = {"output": "output"}
_MODULES = ("bisect", "collections", "functools", "heapq", "itertools", "math", "operator", "re")
_EXPORTS = {
    "typing": ("Any", "Dict", "Deque", "Iterable", "List", "Optional", "Set", "Tuple", "Union"),
    "collections": ("Counter", "OrderedDict", "defaultdict", "deque"),
    "functools": ("cache", "cmp_to_key", "lru_cache", "reduce"),
    "itertools": (
        *("accumulate", "chain", "combinations", "count", "cycle", "groupby", "pairwise"),
        *("permutations", "product", "repeat", "zip_longest"),
    ),
    "heapq": ("heapify", "heappop", "heappush", "heappushpop", "heapreplace", "nlargest"),
    "bisect": ("bisect", "bisect_left", "bisect_right", "insort"),
    "math": ("ceil", "comb", "floor", "gcd", "inf", "isqrt", "lcm", "log2", "prod", "sqrt"),
}


def load(rows: Iterable[Row]) -> Loaded:
    """One task a row."""
    cases, left_out = readable(rows, _case)
    found = ask_about(cases, KINDS)
    return Loaded(found.tasks, (*left_out, *found.left_out))


def _case(row: Row, place: int) -> Case:
    function = text(row, "function_name")
    group = str(row.get("question_id", row.get("problem_id", place)))
    name = f"{group}/{row.get('id', place)}"
    program = Program(with_imports(text(row, "code")), function)
    args = arguments_in(text(row, "input"), function)
    return Case(name, group, row.get("difficulty"), program, args, text(row, "output"))


def arguments_in(call: str, function: str) -> str:
    """What stands between the parentheses of a call.

    Raises:
        ValueError: It is no call of this function.
    """
    try:
        node = expression(call)
    except NotFaithful as error:
        raise ValueError(f"'input' is no call: {error}") from None
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
    ):
        raise ValueError(f"'input' is no call of {function}")
    keywords = [f"{each.arg}={ast.unparse(each.value)}" for each in node.keywords]
    return ", ".join([*map(ast.unparse, node.args), *keywords])


def with_imports(source: str) -> str:
    """The program, after the imports of what it names and does not define.

    Raises:
        ValueError: It is not Python.
    """
    try:
        tree = module(source)
    except NotFaithful as error:
        raise ValueError(f"'code' is {error}") from None
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    bound = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
    missing = sorted(name for name in used - bound if not hasattr(builtins, name))
    lines = [f"import {name}" for name in missing if name in _MODULES]
    for place, names in _EXPORTS.items():
        wanted = [name for name in missing if name in names and name not in _MODULES]
        if wanted:
            lines.append(f"from {place} import {', '.join(wanted)}")
    return "\n".join([*lines, "", "", source]) if lines else source
