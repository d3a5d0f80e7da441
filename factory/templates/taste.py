"""What no person would write, and expressions drawn at random sometimes hold."""

from __future__ import annotations

import ast
from collections.abc import Sequence

_POINTLESS = (ast.Sub, ast.FloorDiv, ast.Mod, ast.BitXor, ast.BitAnd, ast.BitOr)


def find_oddity(source: str) -> str | None:
    """The first oddity of a program, in words; ``None`` when there is none.

    Odd are branches that do the same, operations on twice the same operand (``n - n``,
    ``max(n, n)``) and replacing a text by itself.
    """
    for node in ast.walk(ast.parse(source)):
        reason = _oddity(node)
        if reason is not None:
            return reason
    return None


def _oddity(node: ast.AST) -> str | None:
    match node:
        case ast.If(body=body, orelse=[*_, _] as rest):
            following = rest[0].body if len(rest) == 1 and isinstance(rest[0], ast.If) else rest
            return "two branches do the same" if _alike(body, following) else None
        case ast.IfExp(body=yes, orelse=no) if _alike([yes], [no]):
            return "both sides of a condition are the same"
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _POINTLESS):
            return "an operand stands on both sides" if _alike([left], [right]) else None
        case ast.BoolOp(values=[left, right]) | ast.Compare(left=left, comparators=[right]):
            return "a condition is compared with itself" if _alike([left], [right]) else None
        case ast.Call(func=ast.Name(id="max" | "min"), args=[left, right]) if _alike(
            [left], [right]
        ):
            return "the greater of two equal values"
        case ast.Call(func=ast.Attribute(attr="replace"), args=[left, right]) if _alike(
            [left], [right]
        ):
            return "a text is replaced by itself"
    return None


def _alike(left: Sequence[ast.AST], right: Sequence[ast.AST]) -> bool:
    return len(left) == len(right) and all(
        type(one) is type(two) and ast.dump(one) == ast.dump(two)
        for one, two in zip(left, right, strict=True)
    )
