"""Code in which two parts have changed places and which means something else."""

from __future__ import annotations

import ast
import random


def with_turned_operands(text: str, rng: random.Random) -> str | None:
    """The code with two different names or numbers exchanged, if that is still code."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    leaves = [
        node
        for node in ast.walk(tree)
        if (
            isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called
        )
        or (isinstance(node, ast.Constant) and type(node.value) is int)
    ]
    if len({ast.unparse(leaf) for leaf in leaves}) < 2:
        return None
    first = rng.choice(leaves)
    second = rng.choice([leaf for leaf in leaves if ast.unparse(leaf) != ast.unparse(first)])
    before = ast.dump(_Sorted().visit(ast.parse(text)))
    exchanged = ast.unparse(_Exchange(first, second).visit(tree))
    if "\n" in exchanged or ast.dump(_Sorted().visit(ast.parse(exchanged))) == before:
        return None
    return exchanged


class _Exchange(ast.NodeTransformer):
    """Puts each of two nodes where the other one is."""

    def __init__(self, first: ast.expr, second: ast.expr) -> None:
        self._other = {id(first): second, id(second): first}

    def visit(self, node: ast.AST) -> ast.AST:
        """The node that stands here afterwards."""
        other = self._other.get(id(node))
        return self.generic_visit(node) if other is None else other


class _Sorted(ast.NodeTransformer):
    """Sorts what may stand in any order: terms of a sum, sides of an equation, and the like."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """The node with everything in it sorted."""
        super().generic_visit(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _COMMUTATIVE):
            terms = sorted(_terms(node, type(node.op)), key=ast.dump)
            return ast.Tuple([ast.Constant(type(node.op).__name__), *terms], ast.Load())
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            sides = sorted([node.left, *node.comparators], key=ast.dump)
            return ast.Compare(sides[0], node.ops, sides[1:])
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, sorted(node.values, key=ast.dump))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("min", "max"):
                return ast.Call(node.func, sorted(node.args, key=ast.dump), node.keywords)
        return node


_COMMUTATIVE = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)


def _terms(node: ast.expr, operator: type[ast.operator]) -> list[ast.expr]:
    """The terms of a sum, or of another such chain, whose inner chains are sorted already."""
    assert isinstance(node, ast.BinOp)
    found: list[ast.expr] = []
    for side in (node.left, node.right):
        inner = side.elts if isinstance(side, ast.Tuple) else []
        head = inner[0] if inner else None
        if isinstance(head, ast.Constant) and head.value == operator.__name__:
            found += inner[1:]
        else:
            found.append(side)
    return found
