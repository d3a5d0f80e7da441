"""Which binding each name of a program means, by Python's scoping rules, read off the ``ast``."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

ScopeKind: TypeAlias = Literal["module", "function", "class", "comprehension"]


@dataclass(slots=True, eq=False)
class Scope:
    """One module, function, class or comprehension, and the names it binds."""

    kind: ScopeKind
    parent: Scope | None = None
    bound: set[str] = field(default_factory=set)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)

    def resolve(self, name: str) -> Scope | None:
        """The scope whose binding ``name`` means here; ``None`` for a builtin or unknown name."""
        scope: Scope | None = self
        while scope is not None:
            if scope.kind != "class" or scope is self:
                if name in scope.global_names:
                    return scope.module()
                if name in scope.bound and name not in scope.nonlocal_names:
                    return scope
            scope = scope.parent
        return None

    def module(self) -> Scope:
        """The outermost scope."""
        return self if self.parent is None else self.parent.module()

    def binder(self) -> Scope:
        """Where a walrus binds: the nearest scope that is no comprehension."""
        if self.kind == "comprehension" and self.parent is not None:
            return self.parent.binder()
        return self


def find_scopes(tree: ast.Module) -> dict[ast.AST, Scope]:
    """For every node that carries a name (or names): the scope in which the name is used."""
    finder = _Finder()
    finder.visit(tree, Scope("module"))
    return finder.scopes


class _Finder:
    """One pass over a tree; every method takes the scope around its node."""

    def __init__(self) -> None:
        self.scopes: dict[ast.AST, Scope] = {}

    def visit(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(node, scope, node.name)
                self.visit_all([*node.decorator_list, node.returns], scope)
                self._function(node.args, node.body, scope)
            case ast.Lambda():
                self._function(node.args, [node.body], scope)
            case ast.ClassDef():
                self._bind(node, scope, node.name)
                self.visit_all([*node.decorator_list, *node.bases, *node.keywords], scope)
                self.visit_all(node.body, Scope("class", scope))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                self._comprehension(node.generators, [node.elt], scope)
            case ast.DictComp():
                self._comprehension(node.generators, [node.key, node.value], scope)
            case ast.NamedExpr():
                self._bind(node.target, scope.binder(), node.target.id)
                self.visit(node.value, scope)
            case ast.Global():
                self.scopes[node] = scope
                scope.global_names.update(node.names)
                scope.module().bound.update(node.names)
            case ast.Nonlocal():
                self.scopes[node] = scope
                scope.nonlocal_names.update(node.names)
            case _:
                self._plain(node, scope)

    def visit_all(self, nodes: Iterable[ast.AST | None], scope: Scope) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node, scope)

    def _plain(self, node: ast.AST, scope: Scope) -> None:
        """A node that opens no scope."""
        self.scopes[node] = scope
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                scope.bound.add(name)
            case ast.alias():
                scope.bound.add(alias_name(node))
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                scope.bound.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                scope.bound.add(name)
        self.visit_all(ast.iter_child_nodes(node), scope)

    def _bind(self, node: ast.AST, scope: Scope, name: str) -> None:
        self.scopes[node] = scope
        scope.bound.add(name)

    def _function(self, args: ast.arguments, body: Iterable[ast.AST], scope: Scope) -> None:
        inner = Scope("function", scope)
        self.visit_all([*args.defaults, *args.kw_defaults], scope)
        every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
        for arg in every:
            if arg is not None:
                self._bind(arg, inner, arg.arg)
                self.visit_all([arg.annotation], scope)
        self.visit_all(body, inner)

    def _comprehension(
        self, generators: list[ast.comprehension], results: list[ast.expr], scope: Scope
    ) -> None:
        """The first iterable belongs to the scope around the comprehension."""
        inner = Scope("comprehension", scope)
        self.visit(generators[0].iter, scope)
        for number, generator in enumerate(generators):
            self.visit(generator.target, inner)
            self.visit_all([None if number == 0 else generator.iter, *generator.ifs], inner)
        self.visit_all(results, inner)


def alias_name(alias: ast.alias) -> str:
    """The name that an import binds: ``import a.b`` binds ``a``."""
    return alias.asname or alias.name.split(".")[0]
