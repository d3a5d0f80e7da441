"""Shapes of parameters from what the body does with them, where nothing else tells.

Each use of a parameter (a method, an operator, a literal it is compared with, a built-in it is
given to) votes for types; so do the uses of its elements, in loops and by subscript, for the
elements' type. ``for w in words: if w.isupper()`` makes ``words`` a list of texts. The program is
read, never run; what is wrong here gives inputs on which it raises, which are dropped.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from factory.inputs.definitions import Definitions, Function
from factory.inputs.shapes import ANYTHING, Anything, Atom, Fixed, Items, Pairs, Shape, is_hashable

_DEPTH = 3
_METHODS = {
    "str": "capitalize casefold center encode endswith find format isalnum isalpha isdigit islower "
    "isspace istitle isupper join ljust lower lstrip partition replace rfind rjust rsplit rstrip "
    "split splitlines startswith strip swapcase title translate upper zfill",
    "list": "append extend insert sort reverse",
    "dict": "items keys values get setdefault popitem",
    "set": "add union intersection difference issubset issuperset discard symmetric_difference",
}
_VAGUE = {"pop": "list", "remove": "list", "index": "list", "count": "list", "update": "dict"}
_OWNERS = {name: kind for kind, names in _METHODS.items() for name in names.split()}
_TEXT_ARGUMENT = frozenset("endswith find join partition replace rfind split startswith".split())
_ITERATED = frozenset(
    "all any enumerate filter frozenset iter list map max min reversed set sorted sum tuple zip "
    "Counter deque heapify".split()
)
_GIVEN = {"range": "int", "chr": "int", "abs": "int", "round": "int", "divmod": "int"} | {
    "bin": "int", "hex": "int", "oct": "int", "ord": "str", "pow": "int", "factorial": "int",
    "gcd": "int", "isqrt": "int", "comb": "int", "sqrt": "int",
}  # fmt: skip
_PLAIN = frozenset({"bool", "bytes", "complex", "float", "int", "str"})
_NUMERIC = (ast.Sub, ast.Pow, ast.FloorDiv, ast.Div, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)
_NAMES = {
    "str": "text string s word sentence char letter line name str1 str2 pattern",
    "list": "nums numbers lst arr array list items values words l data sequence",
    "dict": "d dic dict dictionary mapping",
    "int": "n k m i a b x y num number size limit count index",
}
"""Names that tip the scales between types that the uses leave open."""
_HINTS = {name: kind for kind, names in _NAMES.items() for name in names.split()}


class Usage:
    """Infers the shapes of one function's parameters."""

    def __init__(self, function: Function, definitions: Definitions) -> None:
        self._function = function
        self._definitions = definitions
        nodes = list(ast.walk(function))
        self._parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
        self._reads: dict[str, list[ast.expr]] = {}
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._reads.setdefault(node.id, []).append(node)
        self._assignments = [node for node in nodes if isinstance(node, ast.Assign)]

    def shape(self, parameter: str) -> Shape:
        """Return the shape that a parameter is used as; :class:`Anything` when nothing tells."""
        return self._shape(self._named(parameter), _DEPTH, _HINTS.get(parameter))

    def _named(self, name: str) -> Sequence[ast.expr]:
        return self._reads.get(name, ())

    def _shape(self, uses: Sequence[ast.expr], depth: int, hint: str | None = None) -> Shape:
        votes: Counter[str] = Counter()
        elements: list[ast.expr] = []
        keys: list[ast.expr] = []
        places: list[list[ast.expr]] = []
        for use in uses:
            parent = self._parents.get(use)
            if parent is not None:
                votes.update(self._votes(use, parent))
                self._inside(use, parent, elements, keys, places)
        if not votes or depth == 0:
            return ANYTHING
        if hint is not None:
            votes[hint] += 1
        kind = max(votes, key=lambda each: (votes[each], each))
        if kind in _PLAIN:
            return Atom(kind)
        if kind == "dict":
            key = self._shape(keys, depth - 1)
            key = key if key != ANYTHING and is_hashable(key) else Atom("str")
            return Pairs(key, self._element(elements, depth))
        if places:
            shapes = (self._shape(place, depth - 1) for place in places)
            return Fixed(tuple(Atom("int") if each == ANYTHING else each for each in shapes))
        element = self._element(elements, depth)
        if kind == "set":
            return Items("set", element if is_hashable(element) else Atom("int"))
        only_read = votes["list"] <= votes["iterable"] and hint != "list"
        return element if element == Atom("str") and only_read else Items("list", element)

    def _element(self, uses: Sequence[ast.expr], depth: int) -> Shape:
        found = self._shape(uses, depth - 1)
        return Atom("int") if isinstance(found, Anything) else found

    def _votes(self, use: ast.expr, parent: ast.AST) -> dict[str, int]:
        """What one use says about the type, with weights from 1 to 4."""
        match parent:
            case ast.Attribute(attr=name):
                owner = _OWNERS.get(name)
                return {owner: 4} if owner else {_VAGUE[name]: 2} if name in _VAGUE else {}
            case ast.Subscript(value=value, slice=index):
                if value is not use:
                    return {"int": 1}
                if isinstance(index, ast.Constant) and isinstance(index.value, str):
                    return {"dict": 4}
                return {"list": 1, "iterable": 1}
            case ast.For(iter=iterated) | ast.comprehension(iter=iterated) if iterated is use:
                return {"iterable": 2}
            case ast.BinOp(left=left, op=operator, right=right):
                return self._operand(use, right if left is use else left, operator, left is use)
            case ast.AugAssign(value=value, target=target) if value is use:
                return self._added(target)
            case ast.UnaryOp(op=ast.USub() | ast.Invert()):
                return {"int": 3}
            case ast.Compare():
                return self._compared(use, parent)
            case ast.Call():
                return self._given(use, parent)
            case ast.Starred() | ast.Assign(targets=[ast.Tuple()]):
                return {"iterable": 2}
        return {}

    def _operand(
        self, use: ast.expr, other: ast.expr, operator: ast.operator, leads: bool
    ) -> dict[str, int]:
        kind = _literal_kind(other)
        if kind == "str" and isinstance(operator, ast.Mod):
            return {}
        if isinstance(operator, ast.Mult) and kind in ("str", "list"):
            return {"int": 3}
        if kind is not None:
            return {kind: 3}
        return {"int": 2} if isinstance(operator, _NUMERIC) else {"int": 1}

    def _added(self, target: ast.expr) -> dict[str, int]:
        """``total += use``: the type that ``total`` begins with."""
        for node in self._assignments:
            if ast.unparse(node.targets[0]) == ast.unparse(target):
                kind = _literal_kind(node.value)
                return {kind: 2} if kind else {}
        return {}

    def _compared(self, use: ast.expr, parent: ast.Compare) -> dict[str, int]:
        sides = [parent.left, *parent.comparators]
        place = sides.index(use)
        votes: dict[str, int] = {}
        for operator, left, right in zip(parent.ops, sides, sides[1:], strict=False):
            if use not in (left, right):
                continue
            other = right if left is use else left
            if isinstance(operator, ast.In | ast.NotIn):
                if place == 0:
                    votes |= _member_kind(other)
                else:
                    votes |= {"iterable": 1}
            elif (kind := _literal_kind(other)) is not None:
                votes[kind] = 4
            elif isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                votes["int"] = 1
        return votes

    def _given(self, use: ast.expr, call: ast.Call) -> dict[str, int]:
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if use not in call.args:
            return {}
        if isinstance(function, ast.Attribute) and name == "join":
            return {"iterable": 3}
        if isinstance(function, ast.Attribute) and name in _TEXT_ARGUMENT:
            return {"str": 3}
        if name == "len":
            return {"iterable": 1}
        if name in _ITERATED:
            several = name in ("max", "min") and len(call.args) > 1
            return {"int": 2} if several else {"iterable": 2}
        if isinstance(function, ast.Attribute) and ast.unparse(function.value) == "re":
            return {"str": 3}
        if name in _GIVEN:
            return {_GIVEN[name]: 3}
        return self._passed_on(name, call.args.index(use))

    def _passed_on(self, name: str, place: int) -> dict[str, int]:
        """A function of the program says what it takes."""
        helper = self._definitions.functions.get(name)
        if helper is None or helper is self._function or place >= len(helper.args.args):
            return {}
        annotation = helper.args.args[place].annotation
        text = ast.unparse(annotation).partition("[")[0].lower() if annotation else ""
        return {text: 3} if text in ("int", "float", "str", "list", "dict", "set") else {}

    def _inside(
        self,
        use: ast.expr,
        parent: ast.AST,
        elements: list[ast.expr],
        keys: list[ast.expr],
        places: list[list[ast.expr]],
    ) -> None:
        """Collect the uses of what a use gives: elements, keys, places of a tuple."""
        match parent:
            case (
                ast.For(iter=iterated, target=target)
                | ast.comprehension(iter=iterated, target=target)
            ) if iterated is use:
                elements += self._bound(target)
            case ast.Subscript(value=value) if value is use:
                if not isinstance(parent.slice, ast.Slice):
                    elements.append(parent)
            case ast.Assign(value=value, targets=[ast.Tuple(elts=names)]) if value is use:
                places[:] = places or [list(self._bound(name)) for name in names]
            case ast.Call(func=ast.Name(id="enumerate" | "sorted" | "reversed" | "set" as name)):
                elements += self._looped(parent, 1 if name == "enumerate" else None)
            case ast.Attribute(attr="items" | "keys" | "values" as name):
                call = self._parents.get(parent)
                if isinstance(call, ast.Call) and name != "values":
                    keys += self._looped(call, 0 if name == "items" else None)
                if isinstance(call, ast.Call) and name != "keys":
                    elements += self._looped(call, 1 if name == "items" else None)

    def _looped(self, iterated: ast.expr, place: int | None) -> Iterator[ast.expr]:
        """Uses of the loop's variable, or of the one at ``place`` of its tuple."""
        parent = self._parents.get(iterated)
        if isinstance(parent, ast.For | ast.comprehension) and parent.iter is iterated:
            target = parent.target
            if place is not None and isinstance(target, ast.Tuple) and place < len(target.elts):
                target = target.elts[place]
            yield from self._bound(target)

    def _bound(self, target: ast.expr) -> Iterator[ast.expr]:
        if isinstance(target, ast.Name):
            yield from self._named(target.id)


def _literal_kind(node: ast.expr) -> str | None:
    if isinstance(node, ast.UnaryOp):
        return _literal_kind(node.operand)
    if isinstance(node, ast.Constant):
        kind = type(node.value).__name__
        return kind if kind in _PLAIN else None
    kinds = {ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.Set: "set"}
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "len":
        return "int"
    return "str" if isinstance(node, ast.JoinedStr) else kinds.get(type(node))


def _member_kind(node: ast.expr) -> dict[str, int]:
    """``use in "aeiou"``, ``use in (1, 2)``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {"str": 4}
    if isinstance(node, ast.List | ast.Tuple | ast.Set) and node.elts:
        kind = _literal_kind(node.elts[0])
        return {kind: 3} if kind else {}
    return {}
