"""Copies of programs as a contaminated data set would hold them, for judging decontamination.

Own code on ``ast`` alone, apart from the project's scopes and normal forms: every name that the
text binds anywhere is renamed, everywhere in the text, attributes of its own classes included.
"""

from __future__ import annotations

import ast
import builtins
import random


def plant(source: str, rng: random.Random) -> str:
    """Return the program with other names, other literals, other layout, without annotations."""
    tree = ast.parse(source)
    own = _bound(tree)
    names = {name: f"{rng.choice('pqrvw')}{number}_" for number, name in enumerate(sorted(own))}
    copy = _Copier(names, rng).visit(tree)
    text = ast.unparse(ast.fix_missing_locations(copy))
    return text.replace("    ", rng.choice(("  ", "      ", "\t"))) + "\n# planted\n"


def _bound(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler) and node.name:
            names.add(node.name)
    return {name for name in names if not name.startswith("__") and name not in dir(builtins)}


class _Copier(ast.NodeTransformer):
    def __init__(self, names: dict[str, str], rng: random.Random) -> None:
        self.names, self.rng = names, rng

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg, node.annotation = self.names.get(node.arg, node.arg), None
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        self.generic_visit(node)
        node.arg = self.names.get(node.arg or "", node.arg)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if type(value) is str:
            node.value = value + self.rng.choice("xyz")
        elif type(value) in (int, float):
            node.value = value + self.rng.randint(1, 9)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.generic_visit(part)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if ast.get_docstring(node) is not None and len(node.body) > 1:
            del node.body[0]
        self.generic_visit(node)
        node.name, node.returns = self.names.get(node.name, node.name), None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self.names.get(node.name, node.name)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        node.name = self.names.get(node.name or "", node.name)
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self.names.get(name, name) for name in node.names]
        return node

    visit_Nonlocal = visit_Global
