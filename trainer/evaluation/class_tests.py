"""ClassEval's test methods as plain functions, so that a run of one can be traced and asked about.

``self.assertEqual(a.get(), 3)`` becomes ``a.get()``, the last one of a method ``return a.get()``;
what ``setUp`` keeps in ``self`` becomes local variables. A method that needs more of ``unittest``
(``assertRaises``, patches, files of its class) is left out.

Source: https://arxiv.org/abs/2308.01861 (the classes and their tests)
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tracer.literals import NotFaithful, module
from trainer.evaluation.fields import text
from trainer.evaluation.records import Row

ENTRY_POINT = "run_test"
_CHECKS = frozenset(
    {
        *("assertEqual", "assertNotEqual", "assertTrue", "assertFalse", "assertIn", "assertNotIn"),
        *("assertIsNone", "assertIsNotNone", "assertListEqual", "assertDictEqual", "assertIs"),
        *(
            "assertAlmostEqual",
            "assertIsInstance",
            "assertGreater",
            "assertLess",
            "assertCountEqual",
        ),
        *("assertGreaterEqual", "assertLessEqual", "assertTupleEqual", "assertSetEqual"),
    }
)


@dataclass(frozen=True, slots=True)
class ClassPrograms:
    """The programs made of one class and its tests."""

    methods: tuple[tuple[str, str, str], ...]
    """Source, entry point and name of the test method."""
    last_line: int
    """Last line of the class's own code."""


def programs_of(row: Row, most: int) -> ClassPrograms:
    """Make programs of the first methods of each test class, ``most`` in all, spread over them.

    Raises:
        ValueError: A text is not Python, or no method can be used.
    """
    source = text(row, "solution_code").rstrip("\n")
    try:
        tests = module(text(row, "test"))
        module(source)
    except NotFaithful as error:
        raise ValueError(f"its code is {error}") from None
    imports = [
        ast.unparse(node)
        for node in tests.body
        if isinstance(node, ast.Import | ast.ImportFrom) and "unittest" not in ast.unparse(node)
    ]
    by_class = [
        found
        for node in tests.body
        if isinstance(node, ast.ClassDef) and (found := _functions(node))
    ]
    chosen = [functions[0] for functions in by_class[:: max(1, len(by_class) // most)]][:most]
    if not chosen:
        raise ValueError("none of its tests is a plain one")
    parts = [source, "\n".join(imports)] if imports else [source]
    methods = tuple(
        ("\n\n\n".join([*parts, function]) + "\n", ENTRY_POINT, name) for name, function in chosen
    )
    return ClassPrograms(methods, source.count("\n") + 1)


def _functions(node: ast.ClassDef) -> list[tuple[str, str]]:
    """Name and text of the test methods that can be made functions."""
    found = []
    defined = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    before = [stmt for each in defined if each.name == "setUp" for stmt in each.body]
    for method in defined:
        if method.name.startswith("test") and not method.decorator_list:
            body = _plain([*before, *method.body])
            if body is not None:
                found.append((f"{node.name}.{method.name}", _define(body)))
    return found


def _plain(body: list[ast.stmt]) -> list[ast.stmt] | None:
    """The statements without ``unittest``, ending in a return; ``None`` where that can't be."""
    if any(isinstance(each, ast.With | ast.Try | ast.Return) for each in body):
        return None
    literals = _literals(body)
    checks = [place for place, each in enumerate(body) if _checked(each, literals) is not None]
    if not checks:
        return None
    made: list[ast.stmt] = []
    for place, each in enumerate(body[: checks[-1] + 1]):
        value = _checked(each, literals)
        if value is None:
            made.append(each)
        elif place == checks[-1]:
            made.append(ast.Return(value=value))
        elif not isinstance(value, ast.Constant | ast.Name):
            made.append(ast.Expr(value=value))
    names = {node.id for each in made for node in ast.walk(each) if isinstance(node, ast.Name)}
    replaced = [_WithoutSelf(names).visit(ast.parse(ast.unparse(each)).body[0]) for each in made]
    left = {node.id for each in replaced for node in ast.walk(each) if isinstance(node, ast.Name)}
    return None if "self" in left or "super" in left else replaced


def _literals(body: list[ast.stmt]) -> frozenset[str]:
    """Variables that hold what is written down: the expected values."""
    return frozenset(
        target.id
        for each in body
        if isinstance(each, ast.Assign) and _is_literal(each.value, frozenset())
        for target in each.targets
        if isinstance(target, ast.Name)
    )


def _is_literal(node: ast.expr, names: frozenset[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True


def _checked(stmt: ast.stmt, literals: frozenset[str]) -> ast.expr | None:
    """What an assertion of ``unittest`` looks at: the first argument that is not written down."""
    if not (isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call) and stmt.value.args):
        return None
    function = stmt.value.func
    if (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "self"
        and function.attr in _CHECKS
    ):
        asked = [each for each in stmt.value.args[:2] if not _is_literal(each, literals)]
        return asked[0] if asked else stmt.value.args[0]
    return None


class _WithoutSelf(ast.NodeTransformer):
    """``self.name`` as the variable ``name``, with an underscore where that is taken."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace a field of the test case."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            if node.attr.startswith("assert"):
                return node
            name = f"{node.attr}_" if node.attr in self._taken else node.attr
            return ast.copy_location(ast.Name(name, node.ctx), node)
        return node


def _define(body: list[ast.stmt]) -> str:
    lines = "\n".join(ast.unparse(each) for each in body).splitlines()
    return "\n".join([f"def {ENTRY_POINT}():", *(f"    {line}" for line in lines)])
