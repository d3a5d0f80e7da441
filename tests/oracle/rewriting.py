"""Rewrites a program so that it reports its steps itself.

The probes are builtins whose names no program can spell (they begin with ``@``), so that no scope
of the program gets a new name.
"""

from __future__ import annotations
import __future__ as features

import ast
from types import CodeType
from typing import Any

from oracle.scopes import Names
from oracle.statements import FUNCTIONS, Scope, Statements, is_step, split_docstring

PROBES = (
    "@step @handler @any_handler @exc @star_begin @star_exc @star_end @enter_finally "
    "@exit_finally @begin @free @activation @fell @ret @suspend @resume @loop @manager "
    "@delegate @future"
).split()


def call(name: str, *args: ast.expr) -> ast.Call:
    """A call of a probe."""
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def number_node(value: int) -> ast.Constant:
    """A number as a node."""
    return ast.Constant(value)


class Yields(ast.NodeTransformer):
    """Makes every `yield` of one scope tell when it suspends and when it is resumed."""

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Lambdas are transparent."""
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        """`@resume((yield @suspend(value)))`."""
        self.generic_visit(node)
        node.value = call("@suspend", node.value or ast.Constant(None))
        return call("@resume", node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        """The iterator is wrapped by one that tells about every suspension."""
        self.generic_visit(node)
        node.value = call("@delegate", node.value)
        return node


class Rewriter:
    """Rewrites one tree; `flags` are the compiler flags that its future imports ask for."""

    def __init__(self, table: Statements, scopes: dict[tuple[str, int], Names]) -> None:
        self.table = table
        self.scopes = scopes
        self.flags = 0
        self.tries = 0

    def n(self, node: ast.AST) -> ast.Constant:
        """The number of a statement of the program."""
        return number_node(self.table.number[id(node)])

    def probe(self, at: ast.AST, name: str, *args: ast.expr) -> Any:
        """A probe as a statement, placed where `at` stands."""
        return self.place(at, ast.Expr(call(name, *args)))

    def place(self, at: ast.AST, node: Any) -> Any:
        """Give new nodes the position of an old one; below a placed node all are placed."""
        spot = at.pattern if isinstance(at, ast.match_case) else at
        todo = [node]
        while todo:
            new = todo.pop()
            if hasattr(new, "lineno"):
                continue
            if "lineno" in new._attributes:
                ast.copy_location(new, spot)
            todo += ast.iter_child_nodes(new)
        return node

    def before(self, node: ast.AST, expr: ast.expr) -> Any:
        """`@step(n) or expr`: the step begins, then the expression is evaluated."""
        step = self.place(node, call("@step", self.n(node)))
        return self.place(node, ast.BoolOp(ast.Or(), [step, expr]))

    def scope(self, node: Scope, entry: list[ast.stmt]) -> list[ast.stmt]:
        """The body of a function, class or module between its probes."""
        doc, body = split_docstring(node)
        at: ast.AST = body[0] if body else (doc[0] if doc else node)
        in_function = isinstance(node, FUNCTIONS)
        if not body:
            return doc
        last = body[-1]
        inner = [*entry, *self.body(body, in_function), self.probe(last, "@fell")]
        guard = ast.withitem(ast.Name("@activation", ast.Load()), None)
        names = [ast.Global(list(PROBES))] if isinstance(node, ast.ClassDef) else []
        return [*doc, *(self.place(at, new) for new in (*names, ast.With([guard], inner)))]

    def watch(self, at: ast.AST, body: list[ast.stmt], name: str, *args: ast.expr) -> Any:
        """Tell when an exception leaves `body`, and let it go on."""
        bare = ast.ExceptHandler(None, None, [self.probe(at, name, *args), ast.Raise()])
        return self.place(at, ast.Try(body, [bare], [], []))

    def body(self, stmts: list[ast.stmt], in_function: bool) -> list[ast.stmt]:
        """All statements of a suite."""
        return [new for stmt in stmts for new in self.stmt(stmt, in_function)]

    def stmt(self, node: ast.stmt, in_function: bool) -> list[ast.stmt]:
        """What one statement becomes."""
        method = getattr(self, f"do_{type(node).__name__}", None)
        if isinstance(node, ast.AsyncFunctionDef):
            return [self.probe(node, "@step", self.n(node)), node]
        if isinstance(node, ast.Try | ast.TryStar):
            return self.do_try(node, in_function)
        step = [self.probe(node, "@step", self.n(node))] if is_step(node, in_function) else []
        if method is not None:
            return list(method(node, in_function, step))
        number = self.table.number[id(node)]
        new = Yields().visit(node)
        self.table.number[id(new)] = number
        return [*step, new]

    def do_ImportFrom(
        self, node: ast.ImportFrom, in_function: bool, step: list[ast.stmt]
    ) -> list[ast.stmt]:
        """`from __future__` becomes compiler flags and plain assignments."""
        if node.module != "__future__" or node.level:
            return [*step, node]
        new: list[ast.stmt] = []
        for alias in node.names:
            self.flags |= getattr(features, alias.name).compiler_flag
            target = ast.Name(alias.asname or alias.name, ast.Store())
            new.append(ast.Assign([target], call("@future", ast.Constant(alias.name))))
        return [*step, *(self.place(node, s) for s in new)]

    def do_Return(
        self, node: ast.Return, in_function: bool, step: list[ast.stmt]
    ) -> list[ast.stmt]:
        """`return @ret(n, value)`."""
        value = Yields().visit(node.value) if node.value else ast.Constant(None)
        node.value = self.place(node, call("@ret", self.n(node), value))
        return [*step, node]

    def do_If(self, node: ast.If, in_function: bool, step: list[ast.stmt]) -> list[ast.stmt]:
        """The step begins inside the test."""
        node.test = self.before(node, Yields().visit(node.test))
        node.body = self.body(node.body, in_function)
        node.orelse = self.body(node.orelse, in_function)
        return [node]

    def do_While(self, node: ast.While, in_function: bool, step: list[ast.stmt]) -> list[ast.stmt]:
        """As `if`."""
        node.test = self.before(node, Yields().visit(node.test))
        node.body = self.body(node.body, in_function)
        node.orelse = self.body(node.orelse, in_function)
        return [node]

    def do_For(self, node: ast.For, in_function: bool, step: list[ast.stmt]) -> list[ast.stmt]:
        """The iterator is wrapped by one that begins a step before each further `next`."""
        node.iter = self.place(node, call("@loop", self.n(node), Yields().visit(node.iter)))
        node.target = Yields().visit(node.target)
        node.body = self.body(node.body, in_function)
        node.orelse = self.body(node.orelse, in_function)
        return [*step, node]

    def do_With(self, node: ast.With, in_function: bool, step: list[ast.stmt]) -> list[ast.stmt]:
        """Each manager is wrapped by one that sees the exceptions it may swallow."""
        for item in node.items:
            wrapped = call("@manager", Yields().visit(item.context_expr))
            item.context_expr = self.place(node, wrapped)
            if item.optional_vars is not None:
                item.optional_vars = Yields().visit(item.optional_vars)
        node.body = self.body(node.body, in_function)
        return [*step, node]

    def do_Match(self, node: ast.Match, in_function: bool, step: list[ast.stmt]) -> list[ast.stmt]:
        """Before each case stands one that begins its step and never matches."""
        node.subject = self.before(node, Yields().visit(node.subject))
        cases = []
        for case in node.cases:
            guard = self.place(case, call("@step", self.n(case)))
            wild = self.place(case, ast.MatchAs(None, None))
            cases.append(ast.match_case(wild, guard, [self.place(case, ast.Pass())]))
            if case.guard is not None:
                case.guard = Yields().visit(case.guard)
            case.body = self.body(case.body, in_function)
            cases.append(case)
        node.cases = cases
        return [node]

    def do_FunctionDef(
        self, node: ast.FunctionDef, in_function: bool, step: list[ast.stmt]
    ) -> list[ast.stmt]:
        """Decorators and defaults belong to the `def`; the body is a scope of its own."""
        node.decorator_list = [Yields().visit(d) for d in node.decorator_list]
        node.args = Yields().visit(node.args)
        node.body = self.scope(node, [self.probe(node, "@begin")])
        return [*step, node]

    def do_ClassDef(
        self, node: ast.ClassDef, in_function: bool, step: list[ast.stmt]
    ) -> list[ast.stmt]:
        """A class body reads its probes as globals and hands over readers of its free names."""
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        node.decorator_list = [Yields().visit(d) for d in node.decorator_list]
        node.bases = [Yields().visit(b) for b in node.bases]
        node.keywords = [Yields().visit(k) for k in node.keywords]
        names = self.scopes[(node.name, first)]
        entry: list[ast.stmt] = [self.probe(node, "@begin")]
        if names.free:
            nothing = ast.arguments([], [], None, [], [], None, [])
            free = sorted(names.free)
            readers = [ast.Lambda(nothing, ast.Name(k, ast.Load())) for k in free]
            keys: list[ast.expr | None] = [ast.Constant(k) for k in free]
            entry.append(self.probe(node, "@free", ast.Dict(keys, list(readers))))
        node.body = self.scope(node, [self.place(node, e) for e in entry])
        return [*step, node]

    def do_try(self, node: ast.Try | ast.TryStar, in_function: bool) -> list[ast.stmt]:
        """Handlers begin their steps inside their type; a `finally` saves what is under way."""
        self.tries += 1
        number = self.tries
        key = number_node(number)
        star = isinstance(node, ast.TryStar)
        final, node.finalbody = node.finalbody, []
        body = self.body(node.body, in_function)
        for place, handler in enumerate(node.handlers):
            first = ast.Constant(place == 0)
            probe = [self.n(handler), first, number_node(number if star else 0)]
            if handler.type is None:
                handler.type = call("@any_handler", *probe)
            else:
                test = call("@handler", *probe)
                handler.type = ast.BoolOp(ast.Or(), [test, Yields().visit(handler.type)])
            self.place(handler, handler.type)
        for handler in node.handlers:
            inner = self.body(handler.body, in_function)
            if star:
                inner = [self.watch(handler, inner, "@star_exc", key)]
            handler.body = inner
        orelse = self.body(node.orelse, in_function)
        node.body, node.orelse = body, orelse
        new: list[ast.stmt] = [node] if node.handlers else body
        if star:
            node.body.insert(0, self.probe(node, "@star_begin", key))
            new = [self.watch(node, new, "@star_end", key)]
        if not final:
            return new
        inner_final = [
            self.probe(node, "@enter_finally", key),
            *self.body(final, in_function),
            self.probe(node, "@exit_finally", key),
        ]
        return [self.place(node, ast.Try([self.watch(node, new, "@exc")], [], [], inner_final))]


def instrument(
    tree: ast.Module, table: Statements, scopes: dict[tuple[str, int], Names], file_name: str
) -> CodeType:
    """Compile the program rewritten (the tree is changed)."""
    rewriter = Rewriter(table, scopes)
    tree.body = rewriter.scope(tree, [])
    ast.fix_missing_locations(tree)
    code: CodeType = compile(tree, file_name, "exec", flags=rewriter.flags, dont_inherit=True)
    return code
