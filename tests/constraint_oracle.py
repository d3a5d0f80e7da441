"""A second opinion on constraint claims: rewrites programs with ``ast``, runs them and watches.

Shares nothing with the factory: no libcst, no table of types. Every call, operator, subscript and
attribute gets a number; a probe beside it notes of what type the object really was when it ran.
``claims_broken(source, entry, constraint, calls)`` lists the claims that did not hold.
"""

from __future__ import annotations

import ast
import builtins
import collections
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
COMPARED = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
SIGNED = {ast.USub: "-x", ast.UAdd: "+x", ast.Invert: "~x", ast.Not: "not x"}
ITERATORS_BACKWARDS = {
    "list_reverseiterator", "range_iterator", "longrange_iterator", "dict_reversekeyiterator",
    "_deque_reverse_iterator", "odict_iterator",
}  # fmt: skip
LIBRARY = {"itertools", "functools", "math", "re", "string", "dataclasses"}


def row_of(value: object) -> str:
    """The row of the grid that a live object belongs to."""
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, type):
        return "namedtuple" if hasattr(value, "_fields") else value.__name__
    name = type(value).__name__
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return "namedtuple"
    return "reversed" if name in ITERATORS_BACKWARDS else name


@dataclass
class Use:
    """One place where something is called, operated on, subscripted or read."""

    label: str
    parent: int | None
    rows: set[tuple[str, str]] = field(default_factory=set)
    """Row and label of everything that was seen here."""


@dataclass
class Watched:
    """What a program did."""

    uses: list[Use] = field(default_factory=list)
    edges: set[tuple[str, str]] = field(default_factory=set)
    """Own functions that called one another."""
    laps: dict[int, int] = field(default_factory=lambda: collections.defaultdict(int))
    """Most entries into the body of a loop during one run of it."""
    running: dict[int, int] = field(default_factory=lambda: collections.defaultdict(int))
    sides: set[tuple[int, bool]] = field(default_factory=set)
    """Branches that were entered (True) or passed by (False)."""

    def on(self, number: int, value: Any) -> Any:
        use = self.uses[number]
        use.rows.add((row_of(value), use.label))
        return value

    def call(self, number: int, caller: str, function: Any, /, *args: Any, **named: Any) -> Any:
        use = self.uses[number]
        own = getattr(function, "__module__", None) == "program"
        if own and isinstance(function, types.FunctionType):
            self.edges.add((caller, function.__name__))
        name = getattr(function, "__name__", "?")
        if getattr(builtins, name, None) is function:
            place = 1 if function in (map, filter) else 0
            if place < len(args):
                use.rows.add((row_of(args[place]), f"{name}()"))
            if function is sorted:
                use.rows |= {("sorted", f"{key}=") for key in named}
        elif getattr(function, "__module__", None) in LIBRARY:
            use.rows.add((function.__module__, name))
        return function(*args, **named)

    def start(self, number: int) -> None:
        self.running[number] = 0

    def lap(self, number: int) -> None:
        self.running[number] += 1
        self.laps[number] = max(self.laps[number], self.running[number])

    def side(self, number: int, entered: bool) -> None:
        self.sides.add((number, entered))


def _probe(method: str, *args: ast.expr | int | str | bool) -> ast.Call:
    values = [arg if isinstance(arg, ast.expr) else ast.Constant(arg) for arg in args]
    watch = ast.Attribute(ast.Name("__watched__", ast.Load()), method, ast.Load())
    return ast.Call(watch, values, [])


class Rewriter(ast.NodeTransformer):
    """Puts the probes in."""

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        self.inside: list[int] = []
        self.function = ""

    def _opened(self, label: str) -> int:
        parent = self.inside[-1] if self.inside else None
        self.watched.uses.append(Use(label, parent))
        self.inside.append(len(self.watched.uses) - 1)
        return self.inside[-1]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outer, self.function = self.function, node.name
        node.body = self._block(node.body)
        self.function = outer
        return node

    def _block(self, body: Iterable[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Attribute):
            label = node.func.attr
            owner = node.func.value
            if isinstance(owner, ast.Attribute) and owner.attr == "chain":
                label = f"chain.{label}"
            number = self._opened(label)
            node.func.value = _probe("on", number, self.visit(owner))
            self._arguments(node)
            self.inside.pop()
            return node
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return node  # it looks at the frame that calls it
        number = self._opened("()")
        function = self.visit(node.func)
        self._arguments(node)
        self.inside.pop()
        made = _probe("call", number, self.function, function)
        return ast.Call(made.func, [*made.args, *node.args], node.keywords)

    def _arguments(self, node: ast.Call) -> None:
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        number = self._opened(f".{node.attr}")
        node.value = self.visit(node.value)
        self.inside.pop()
        if isinstance(node.ctx, ast.Load):
            node.value = _probe("on", number, node.value)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        number = self._opened(BINARY[type(node.op)])
        node.left = _probe("on", number, self.visit(node.left))
        node.right = self.visit(node.right)
        self.inside.pop()
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.operand, ast.Constant):
            return node
        number = self._opened(SIGNED[type(node.op)])
        node.operand = _probe("on", number, self.visit(node.operand))
        self.inside.pop()
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) > 1:
            return self.generic_visit(node)
        operator = node.ops[0]
        number = self._opened(COMPARED[type(operator)])
        node.left = self.visit(node.left)
        node.comparators = [self.visit(node.comparators[0])]
        self.inside.pop()
        if isinstance(operator, ast.In | ast.NotIn):
            node.comparators = [_probe("on", number, node.comparators[0])]
        else:
            node.left = _probe("on", number, node.left)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        plain = "[:]" if isinstance(node.slice, ast.Slice) else "[]"
        label = {ast.Load: plain, ast.Store: f"{plain}=", ast.Del: f"del {plain}"}[type(node.ctx)]
        number = self._opened(label)
        node.value = _probe("on", number, self.visit(node.value))
        node.slice = self.visit(node.slice)
        self.inside.pop()
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = self._block(node.body)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if not isinstance(node.target, ast.Name):
            return self.generic_visit(node)
        number = self._opened(f"{BINARY[type(node.op)]}=")
        node.value = self.visit(node.value)
        self.inside.pop()
        seen = _probe("on", number, ast.Name(node.target.id, ast.Load()))
        return [ast.Expr(seen), node]

    def visit_For(self, node: ast.For) -> Any:
        number = id(node)
        node.iter = self.visit(node.iter)
        return self._looped(node, number)

    def visit_While(self, node: ast.While) -> Any:
        number = id(node)
        node.test = self.visit(node.test)
        return self._looped(node, number)

    def _looped(self, node: ast.For | ast.While, number: int) -> list[ast.stmt]:
        node.body = [ast.Expr(_probe("lap", number)), *self._block(node.body)]
        node.orelse = self._block(node.orelse)
        return [ast.Expr(_probe("start", number)), node]

    def visit_If(self, node: ast.If) -> ast.AST:
        number = id(node)
        node.test = self.visit(node.test)
        node.body = [ast.Expr(_probe("side", number, True)), *self._block(node.body)]
        node.orelse = [ast.Expr(_probe("side", number, False)), *self._block(node.orelse)]
        return node


Control = tuple[str, tuple[int, ...]]
"""Kind and numbers of a control statement; an ``if`` has one number for each of its branches."""


def _parts(node: ast.If) -> tuple[list[ast.If], list[ast.stmt]]:
    """An ``if`` with its ``elif`` parts, and what stands under ``else``."""
    parts = [node]
    while len(tail := parts[-1].orelse) == 1 and isinstance(tail[0], ast.If):
        if tail[0].col_offset != node.col_offset:
            break
        parts.append(tail[0])
    return parts, parts[-1].orelse


def nests(body: Iterable[Any], above: tuple[Control, ...] = ()) -> Iterator[tuple[Control, ...]]:
    """Every nest of control statements, from the outermost inwards, functions apart."""
    for node in body:
        if isinstance(node, ast.If):
            parts, rest = _parts(node)
            kind = "if" if len(parts) == 1 else "if-elif"
            here = (*above, (kind, tuple(map(id, parts))))
            blocks = [*(part.body for part in parts), rest]
        elif isinstance(node, ast.For | ast.While):
            here = (*above, (type(node).__name__.lower(), (id(node),)))
            blocks = [node.body, node.orelse]
        else:
            here = () if isinstance(node, ast.FunctionDef | ast.ClassDef) else above
            parts = [node, *getattr(node, "handlers", [])]
            names = ("body", "orelse", "finalbody")
            for block in [getattr(part, name, []) for part in parts for name in names]:
                yield from nests(block, here)
            continue
        yield here
        for block in blocks:
            yield from nests(block, here)


def watch(tree: ast.Module, entry: str, calls: Iterable[str]) -> Watched:
    """Runs the program on ``calls``, rewritten in place; the programs are our own."""
    watched = Watched()
    tree.body = Rewriter(watched)._block(tree.body)
    ast.fix_missing_locations(tree)
    namespace: dict[str, Any] = {"__name__": "program", "__watched__": watched}
    sys.modules["program"] = types.ModuleType("program")
    exec(compile(tree, "<watched>", "exec"), namespace)
    for args in calls:
        eval(f"{entry}({args})", {**namespace, "collections": collections})
    return watched


def _deepest(watched: Watched, target: tuple[str, str]) -> int:
    depths: list[int] = []
    for use in watched.uses:
        above = depths[use.parent] if use.parent is not None else 0
        depths.append(above + (target in use.rows))
    return max(depths, default=0)


def _shown(nest: Sequence[Control], watched: Watched) -> bool:
    """Whether every loop of the nest ran twice in a row and every branch went both ways."""
    return all(
        watched.laps[number] >= 2
        if kind in ("for", "while")
        else {(number, True), (number, False)} <= watched.sides
        for kind, numbers in nest
        for number in numbers
    )


def claims_broken(
    source: str, entry: str, constraint: Any, calls: Iterable[str], *, shown: bool = False
) -> list[str]:
    """Names of the claims of ``constraint`` that running the program on ``calls`` did not confirm.

    ``shown`` asks for loops and branches too, which may need more calls than a program comes with.
    """
    tree = ast.parse(source)
    keep = list(ast.walk(tree))  # ids stay unique while the nodes live
    found = list(nests(tree.body))
    watched = watch(tree, entry, calls)
    assert keep
    seen = {row for use in watched.uses for row in use.rows}
    target = (constraint.type, constraint.method)
    others = [tuple(other.split(".", 1)) for other in constraint.other_methods]
    matching = [n for n in found if tuple(kind for kind, _ in n) == constraint.control_flow]
    middles = {callee for caller, callee in watched.edges if caller == entry} - {entry}
    chain = any(
        caller in middles and callee not in (entry, caller) for caller, callee in watched.edges
    )
    paper = constraint.level <= 6  # what features add to a program is checked elsewhere
    depth = len(constraint.control_flow)
    checks = {
        "target": target in seen,
        "nesting": _deepest(watched, target) >= constraint.nested_depth
        and constraint.nested_depth >= (2 if constraint.level == 1 else 1),
        "others": all(other in seen and other != target for other in others)
        and bool(others) == (constraint.level >= 2),
        "control": (not paper or max(map(len, found), default=0) == depth)
        and (not depth or bool(matching)),
        "shown": not shown or not depth or any(_shown(nest, watched) for nest in matching),
        "level": not paper or depth == max(0, min(constraint.level, 5) - 2),
        "chain": chain == constraint.helper_chain == (constraint.level == 6) if paper else True,
    }
    return [name for name, holds in checks.items() if not holds]
