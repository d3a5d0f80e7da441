"""Assignments whose value nothing can read: liveness of variables, backwards over the syntax tree.

Judges plain functions: variables that an inner function, class or comprehension captures count as
read, and whatever a ``try`` may leave half done keeps every variable alive that is read after it
or in a handler.  Counters of loops that are given up on the way are not told from others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

Live = frozenset[str]
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def find_dead_stores(source: str) -> list[tuple[int, str]]:
    """Line and variable of every assignment to a local variable that is never read after it."""
    found: dict[tuple[int, str], None] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            found.update(dict.fromkeys(_Liveness(node).dead()))
    return sorted(found)


def _own_names(node: ast.AST) -> Iterator[ast.Name]:
    """Names of a statement or expression, those that inner scopes read among them."""
    yield from (each for each in ast.walk(node) if isinstance(each, ast.Name))


class _Liveness:
    def __init__(self, function: ast.FunctionDef) -> None:
        self._function = function
        self._found: dict[tuple[int, str], None] = {}
        inner = [
            each
            for each in ast.walk(function)
            if isinstance(each, _SCOPES) and each is not function
        ]
        self._captured = {
            name.id
            for scope in inner
            for name in _own_names(scope)
            if isinstance(name.ctx, ast.Load)
        }
        for each in ast.walk(function):
            if isinstance(each, ast.Nonlocal | ast.Global):
                self._captured.update(each.names)
        self._breaks: list[Live] = []
        self._continues: list[Live] = []

    def dead(self) -> list[tuple[int, str]]:
        self._block(self._function.body, frozenset())
        return list(self._found)

    def _block(self, body: list[ast.stmt], after: Live) -> Live:
        live = after
        for statement in reversed(body):
            live = self._statement(statement, live)
        return live

    def _reads(self, node: ast.AST | None, live: Live) -> Live:
        if node is None:
            return live
        return live | {each.id for each in _own_names(node) if isinstance(each.ctx, ast.Load)}

    def _stores(self, target: ast.expr, live: Live, *, judged: bool = True) -> Live:
        for name in _own_names(target):
            if isinstance(name.ctx, ast.Store):
                if judged and name.id not in live | self._captured:
                    self._found[name.lineno, name.id] = None
                live = live - {name.id}
        return self._reads(target, live)

    def _statement(self, node: ast.stmt, after: Live) -> Live:
        if isinstance(node, ast.Return | ast.Raise):
            return self._reads(node, frozenset())
        if isinstance(node, ast.Break):
            return self._breaks[-1]
        if isinstance(node, ast.Continue):
            return self._continues[-1]
        if isinstance(node, ast.Assign):
            live = after
            for target in node.targets:
                live = self._stores(target, live)
            return self._reads(node.value, live)
        if isinstance(node, ast.AnnAssign):
            return self._reads(node.value, self._stores(node.target, after))
        if isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                live = self._stores(node.target, after) | {node.target.id}
            else:
                live = self._reads(node.target, after)
            return self._reads(node.value, live)
        if isinstance(node, ast.If):
            both = self._block(node.body, after) | self._block(node.orelse, after)
            return self._reads(node.test, both)
        if isinstance(node, ast.For | ast.While):
            return self._loop(node, after)
        if isinstance(node, ast.Try):
            return self._try(node, after)
        if isinstance(node, ast.With):
            live = self._block(node.body, after)
            for item in reversed(node.items):
                if item.optional_vars is not None:
                    live = self._stores(item.optional_vars, live, judged=False)
                live = self._reads(item.context_expr, live)
            return live
        if isinstance(node, _SCOPES):
            return after
        return self._reads(node, after)

    def _loop(self, node: ast.For | ast.While, after: Live) -> Live:
        end = self._block(node.orelse, after)
        found, head = dict(self._found), end
        while True:
            self._found = dict(found)
            before = self._header(node, head)
            self._breaks.append(after)
            self._continues.append(before)
            entered = self._block(node.body, before)
            self._breaks.pop()
            self._continues.pop()
            if isinstance(node, ast.For):
                entered = self._stores(node.target, entered, judged=False)
            if entered <= head:
                return self._reads(node.iter, before) if isinstance(node, ast.For) else before
            head = head | entered

    def _header(self, node: ast.For | ast.While, live: Live) -> Live:
        return self._reads(node.test, live) if isinstance(node, ast.While) else live

    def _try(self, node: ast.Try, after: Live) -> Live:
        last = self._block(node.finalbody, after)
        # An exception may come anywhere, and a return passes through ``finally``.
        caught: Live = last
        for handler in node.handlers:
            caught |= self._reads(handler.type, self._block(handler.body, last))
        quiet = dict(self._found)
        live = self._block(node.orelse, last) | caught
        live = self._block(node.body, live)
        inside = {key: None for key in self._found if key in quiet or key[1] not in caught}
        self._found = inside
        return live | caught
