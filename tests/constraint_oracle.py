"""A second opinion on constraint claims, written against ``ast``; shares nothing with the factory.

``claims_broken(source, entry, constraint)`` lists the claims that do not hold. Types are nested
tuples such as ``("dict", "str", "int")``; ``None`` is unknown. Statements are read in order, and a
variable that gets two types has none.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

Kind = Any

SELF_NESTING = {
    "str": {
        "capitalize", "center", "find", "join", "ljust", "lower", "lstrip", "partition",
        "removeprefix", "removesuffix", "replace", "rfind", "rjust", "rstrip", "split", "strip",
        "swapcase", "title", "upper", "zfill",
    },
    "list": set(),
    "dict": {"get", "pop", "setdefault", "|"},
    "set": {"difference", "intersection", "symmetric_difference", "union"},
    "tuple": {"*", "+", "[:]", "[]"},
    "int": {
        "%", "&", "//", "^", "abs()", "bit_count", "bit_length", "divmod()", "max()", "min()",
        "pow()",
    },
}  # fmt: skip
SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
STR_TO_INT = {"count", "find", "index", "rfind"}
STR_TO_BOOL = {"startswith", "endswith", "isalpha", "isdigit", "islower", "istitle"}
INT_BUILTINS = {"len", "int", "sum", "abs", "pow", "ord", "round"}


@dataclass
class Found:
    """One use: what is called, operated on or subscripted, and the uses inside it."""

    label: str
    type: Kind
    is_call: bool
    inner: list[Found] = field(default_factory=list)


@dataclass
class Seen:
    """What one function holds."""

    roots: list[Found] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)
    nests: list[tuple[str, ...]] = field(default_factory=list)


def kind_of_annotation(node: ast.expr | None) -> Kind:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(inner[-1], ast.Constant) and inner[-1].value is Ellipsis:
            return (node.value.id, kind_of_annotation(inner[0]))
        args = tuple(kind_of_annotation(each) for each in inner)
        return ("fixed", *args) if node.value.id == "tuple" else (node.value.id, *args)
    return None


def outer(kind: Kind) -> str | None:
    name = kind[0] if isinstance(kind, tuple) else kind
    return "tuple" if name == "fixed" else name


def items(kind: Kind) -> Kind:
    """Type of the elements."""
    if kind == "str":
        return "str"
    if kind == "range":
        return "int"
    if isinstance(kind, tuple):
        if kind[0] == "items":
            return ("fixed", *kind[1:])
        if kind[0] == "fixed":
            return kind[1] if len(set(kind[1:])) == 1 else None
        return kind[1] if len(kind) > 1 else None
    return None


class Reader:
    def __init__(self, returns: dict[str, Kind]) -> None:
        self.returns = returns
        self.env: dict[str, Kind] = {}
        self.seen = Seen()
        self.open: list[Found] = []

    def note(self, label: str, is_call: bool) -> Found:
        found = Found(label, None, is_call)
        (self.open[-1].inner if self.open else self.seen.roots).append(found)
        self.open.append(found)
        return found

    def bind(self, target: ast.expr, kind: Kind) -> None:
        if isinstance(target, ast.Name):
            known = self.env.get(target.id, kind)
            same = outer(known) == outer(kind)
            self.env[target.id] = (
                (known if same and None not in _flat(known) else kind) if same else None
            )
        elif isinstance(target, ast.Tuple):
            for place, each in enumerate(target.elts):
                fixed = isinstance(kind, tuple) and kind[0] == "fixed"
                self.bind(each, kind[1 + place] if fixed else items(kind))
        elif isinstance(target, ast.Subscript):
            self.kind(target.value)
            self.kind(target.slice)

    def block(self, body: list[ast.stmt], path: tuple[str, ...]) -> None:
        for node in body:
            self.statement(node, path)

    def statement(self, node: ast.stmt, path: tuple[str, ...]) -> None:
        if isinstance(node, ast.Assign):
            kind = self.kind(node.value)
            for target in node.targets:
                self.bind(target, kind)
        elif isinstance(node, ast.AnnAssign):
            assert node.value is not None
            self.kind(node.value)
            self.bind(node.target, kind_of_annotation(node.annotation))
        elif isinstance(node, ast.AugAssign):
            found = self.note(f"{SYMBOLS[type(node.op)]}=", False)
            found.type = self.env.get(node.target.id) if isinstance(node.target, ast.Name) else None
            self.kind(node.value)
            self.open.pop()
        elif isinstance(node, ast.Return | ast.Expr):
            assert node.value is not None
            self.kind(node.value)
        elif isinstance(node, ast.For):
            self.seen.nests.append((*path, "for"))
            self.bind(node.target, items(self.kind(node.iter)))
            self.block(node.body, (*path, "for"))
        elif isinstance(node, ast.While):
            self.seen.nests.append((*path, "while"))
            self.kind(node.test)
            self.block(node.body, (*path, "while"))
        elif isinstance(node, ast.If):
            self.branch(node, path)
        else:
            raise AssertionError(f"no template writes {type(node).__name__}")

    def branch(self, node: ast.If, path: tuple[str, ...]) -> None:
        tail: list[ast.stmt] = [node]
        parts: list[ast.If] = []
        while len(tail) == 1 and isinstance(tail[0], ast.If):
            if parts and tail[0].col_offset != parts[0].col_offset:
                break
            parts.append(tail[0])
            tail = tail[0].orelse
        deeper = (*path, "if-elif" if len(parts) > 1 else "if")
        self.seen.nests.append(deeper)
        for part in parts:
            self.kind(part.test)
            self.block(part.body, deeper)
        self.block(tail, deeper)

    def kind(self, node: ast.expr) -> Kind:
        match node:
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.Name(id=name):
                return self.env.get(name)
            case ast.JoinedStr(values=values):
                for value in values:
                    if isinstance(value, ast.FormattedValue):
                        self.kind(value.value)
                return "str"
            case ast.Call():
                return self.call(node)
            case ast.BinOp(left=left, op=op, right=right):
                found = self.note(SYMBOLS[type(op)], False)
                kinds = self.kind(left), self.kind(right)
                found.type = kinds[0]
                self.open.pop()
                return self.operated(found.label, *kinds)
            case ast.BoolOp(values=values):
                kinds = [self.kind(value) for value in values]
                return kinds[0]
            case ast.UnaryOp(op=op, operand=operand):
                kind = self.kind(operand)
                return "bool" if isinstance(op, ast.Not) else kind
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                found = self.note("in", False) if isinstance(op, ast.In) else None
                self.kind(left)
                kind = self.kind(right)
                if found is not None:
                    found.type = kind
                    self.open.pop()
                return "bool"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.kind(test)
                kinds = self.kind(body), self.kind(orelse)
                return kinds[0] if outer(kinds[0]) == outer(kinds[1]) else None
            case ast.Subscript(value=value, slice=index):
                return self.subscript(value, index)
            case ast.List(elts=elts):
                return ("list", *[self.kind(each) for each in elts][:1])
            case ast.Set(elts=elts):
                return ("set", *[self.kind(each) for each in elts][:1])
            case ast.Tuple(elts=elts):
                return ("fixed", *[self.kind(each) for each in elts])
            case ast.Dict(keys=keys, values=values):
                pairs = [
                    (self.kind(key), self.kind(value))
                    for key, value in zip(keys, values, strict=True)
                ]
                return ("dict", *(pairs[0] if pairs else ()))
            case ast.ListComp(elt=elt, generators=[clause]):
                return ("list", self.comprehension(clause, elt)[0])
            case ast.DictComp(key=key, value=value, generators=[clause]):
                return ("dict", *self.comprehension(clause, key, value))
        raise AssertionError(f"no template writes {ast.dump(node)}")

    def comprehension(self, clause: ast.comprehension, *results: ast.expr) -> list[Kind]:
        source = items(self.kind(clause.iter))
        before = dict(self.env)
        assert isinstance(clause.target, ast.Name)
        self.env[clause.target.id] = source
        for test in clause.ifs:
            self.kind(test)
        kinds = [self.kind(result) for result in results]
        self.env = before
        return kinds

    def subscript(self, value: ast.expr, index: ast.expr) -> Kind:
        found = self.note("[:]" if isinstance(index, ast.Slice) else "[]", False)
        kind = found.type = self.kind(value)
        if isinstance(index, ast.Slice):
            for bound in (index.lower, index.upper, index.step):
                if bound is not None:
                    self.kind(bound)
        else:
            self.kind(index)
        self.open.pop()
        if isinstance(index, ast.Slice):
            return kind
        if isinstance(kind, tuple) and kind[0] == "fixed":
            place = ast.literal_eval(index) if isinstance(index, ast.Constant) else None
            return kind[1 + place] if isinstance(place, int) else items(kind)
        return kind[2] if isinstance(kind, tuple) and kind[0] == "dict" else items(kind)

    def operated(self, symbol: str, left: Kind, right: Kind) -> Kind:
        if outer(left) == "tuple" and symbol == "+":
            return ("tuple", items(left))
        return left if outer(left) == outer(right) or symbol == "*" else None

    def call(self, node: ast.Call) -> Kind:
        func = node.func
        args = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(func, ast.Attribute):
            found = self.note(func.attr, True)
            found.type = self.kind(func.value)
            kinds = [self.kind(arg) for arg in args]
            self.open.pop()
            return self.method(found.type, func.attr, kinds)
        assert isinstance(func, ast.Name)
        found = self.note(f"{func.id}()", True)
        kinds = [self.kind(arg) for arg in args]
        self.open.pop()
        if func.id in self.returns:
            self.seen.calls.add(func.id)
            return self.returns[func.id]
        found.type = kinds[0]
        return self.builtin(func.id, kinds, len(node.args))

    def builtin(self, name: str, kinds: list[Kind], positional: int) -> Kind:
        if name in INT_BUILTINS:
            return "int"
        if name in ("any", "all"):
            return "bool"
        if name == "str":
            return "str"
        if name == "range":
            return "range"
        if name in ("max", "min"):
            return items(kinds[0]) if positional == 1 else kinds[0]
        if name == "divmod":
            return ("fixed", "int", "int")
        if name in ("list", "sorted", "reversed"):
            inner = kinds[0][1] if outer(kinds[0]) == "dict" else items(kinds[0])
            return ("list", inner)
        if name in ("set", "tuple"):
            return (name, items(kinds[0]))
        if name == "enumerate":
            return ("list", ("fixed", "int", items(kinds[0])))
        if name == "zip":
            return ("list", ("fixed", *[items(kind) for kind in kinds]))
        if name == "dict":
            pair = kinds[0] if outer(kinds[0]) == "dict" else items(kinds[0])
            return ("dict", *pair[1:])
        raise AssertionError(f"no template calls {name}")

    def method(self, kind: Kind, name: str, args: list[Kind]) -> Kind:
        match outer(kind):
            case "str":
                if name in STR_TO_INT:
                    return "int"
                if name in STR_TO_BOOL:
                    return "bool"
                if name == "split":
                    return ("list", "str")
                return ("fixed", "str", "str", "str") if name == "partition" else "str"
            case "list" | "tuple":
                if name in ("count", "index"):
                    return "int"
                return {"pop": items(kind), "copy": kind}.get(name)
            case "dict":
                if name in ("get", "pop", "setdefault"):
                    return kind[2] if len(kind) > 2 else args[-1]
                if name == "popitem":
                    return ("fixed", *kind[1:])
                views = {"items": ("items", *kind[1:]), "keys": ("keys", *kind[1:2])}
                views["values"] = ("values", *kind[2:])
                return {**views, "copy": kind}.get(name)
            case "set":
                return "bool" if name.startswith("is") else None if name in _EFFECTS else kind
            case "int":
                return "int"
        return None


_EFFECTS = {"add", "discard", "remove", "update", "clear"}


def _flat(kind: Kind) -> list[Kind]:
    return [each for part in kind for each in _flat(part)] if isinstance(kind, tuple) else [kind]


def _depths(found: Found, target: tuple[str, str], alone: bool) -> tuple[int, int]:
    """Longest paths with and without a use of the target."""
    inner = [_depths(each, target, alone) for each in found.inner]
    hit = max((one for one, _ in inner), default=0)
    miss = max((two for _, two in inner), default=0)
    if (outer(found.type), found.label) == target:
        return max(hit, miss) + 1, 0 if alone else miss
    if found.is_call and not alone:
        return (hit + 1 if hit else 0), miss + 1
    return hit, miss


def _walk(found: Found) -> list[Found]:
    return [found, *(each for part in found.inner for each in _walk(part))]


def claims_broken(source: str, entry: str, constraint: Any) -> list[str]:
    """Names of the claims of ``constraint`` that this reading of the program does not confirm."""
    functions = {node.name: node for node in ast.parse(source).body}  # type: ignore[attr-defined]
    returns = {name: kind_of_annotation(node.returns) for name, node in functions.items()}
    seen: dict[str, Seen] = {}
    for name, node in functions.items():
        reader = Reader(returns)
        for arg in node.args.args:
            reader.env[arg.arg] = kind_of_annotation(arg.annotation)
        reader.block(node.body, ())
        seen[name] = reader.seen
    reached, waiting = set(), [entry]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += sorted(seen[name].calls)
    roots = [root for name in sorted(reached) for root in seen[name].roots]
    uses = {(outer(each.type), each.label) for root in roots for each in _walk(root)}
    nests = [nest for name in sorted(reached) for nest in seen[name].nests]
    target = (constraint.type, constraint.method)
    alone = constraint.method in SELF_NESTING[constraint.type]
    deepest = max((_depths(root, target, alone)[0] for root in roots), default=0)
    chain = any(seen[middle].calls - {entry, middle} for middle in seen[entry].calls - {entry})
    others = [tuple(other.split(".", 1)) for other in constraint.other_methods]
    checks = {
        "target": target in uses,
        "nesting": deepest >= constraint.nested_depth >= 2,
        "others": all(other in uses and other != target for other in others)
        and bool(others) == (constraint.level >= 2),
        "control": max(map(len, nests), default=0) == len(constraint.control_flow)
        and (not constraint.control_flow or constraint.control_flow in nests),
        "level": len(constraint.control_flow) == max(0, min(constraint.level, 5) - 2),
        "chain": chain == constraint.helper_chain == (constraint.level >= 6),
    }
    return [name for name, holds in checks.items() if not holds]
