"""Our walk over syntax trees meets what ``ast.walk`` meets, but for contexts and operators."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest

from tracer.inside.trees import children_of, nodes_of

LEFT_OUT = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.type_ignore)
FOLDERS = (
    Path(__file__).parents[1] / "programs",
    Path(__file__).parents[2] / "factory",
    Path(sysconfig.get_path("stdlib")) / "asyncio",
    Path(sysconfig.get_path("stdlib")) / "importlib",
)
RARE = """
import a.b as c, d
from . import e as f
async def g(*a, k=1, **kw) -> int:
    global h
    nonlocal i
    async with j as k, l: pass
    async for m in n: await o
    return {**p, 'q': 1}, [*r], {s async for t in u}, f'{v!r:>{w}}', x[1:2:3], y if z else ...
match a:
    case {'b': 1, **rest}: pass
    case [1, *others] | C(d=2) | None | (e as f): pass
    case _ if g: pass
try: pass
except* A as b: raise C from d
lambda a, /, b=1, *c, d, e=2, **f: (yield from g)
del a, b[1], c.d
x: int = 1
x @= -~+1
while not a or b and c: break
else: continue
print((n := 3))
"""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_node_is_met_once(folder: Path) -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))]
    assert sources
    for source in [*sources, RARE]:
        check(ast.parse(source))


def check(tree: ast.AST) -> None:
    expected = [node for node in ast.walk(tree) if not isinstance(node, LEFT_OUT)]
    assert sorted(map(id, nodes_of(tree))) == sorted(map(id, expected))
    for node in expected:
        inner = [each for each in ast.iter_child_nodes(node) if not isinstance(each, LEFT_OUT)]
        assert list(map(id, children_of(node))) == list(map(id, inner))
