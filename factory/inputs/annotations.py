"""Annotations to shapes, from the syntax tree: quoted, aliased, generic and recursive ones too.

Source: https://typing.python.org/en/latest/spec/annotations.html (the forms that are understood).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from factory.inputs.definitions import ClassText, Definitions
from factory.inputs.reading import Unreadable, read_value
from factory.inputs.rendering import render
from factory.inputs.shapes import (
    ANYTHING,
    Atom,
    Choice,
    Field,
    Fixed,
    Items,
    Member,
    OneOf,
    Pairs,
    Record,
    Ref,
    Shape,
    Unsupported,
    Variable,
    Wrapped,
    children,
    one_of,
)

_ATOMS = {
    name: Atom(name) for name in ("int", "float", "bool", "complex", "str", "bytes", "range")
} | {"None": Atom("NoneType"), "Text": Atom("str"), "LiteralString": Atom("str")}
_ITEMS = {
    "list": "list",
    "List": "list",
    "MutableSequence": "list",
    "set": "set",
    "MutableSet": "set",
    "frozenset": "frozenset",
    "FrozenSet": "frozenset",
    "Set": "abstract set",
    "AbstractSet": "abstract set",
    "Sequence": "sequence",
    "Reversible": "sequence",
    "Collection": "iterable",
    "Container": "iterable",
    "Iterable": "iterable",
}
_PAIRS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_WRAPPED = {
    "deque": "deque",
    "Deque": "deque",
    "Counter": "Counter",
    "OrderedDict": "OrderedDict",
    "defaultdict": "defaultdict",
    "DefaultDict": "defaultdict",
    "bytearray": "bytearray",
}
_TRANSPARENT = frozenset(
    {"Annotated", "Final", "InitVar", "NotRequired", "ReadOnly", "Required", "ClassVar"}
)
_LIBRARY = ("typing.", "typing_extensions.", "collections.", "builtins.", "dataclasses.")


class Annotations:
    """Turns annotations of one program into shapes; names of the program become :class:`Ref`."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions
        self._shapes: dict[str, Shape] = {}

    def shape(self, name: str) -> Shape:
        """Return the shape of an alias or class of the program, one level deep."""
        if name not in self._shapes:
            self._shapes[name] = Unsupported(name)  # what an alias of itself alone comes to
            text = self.definitions.classes.get(name)
            found = self._class(text) if text else self.resolve(self.definitions.aliases[name], {})
            while isinstance(found, Ref):
                found = self.shape(found.name)
            self._shapes[name] = found
        return self._shapes[name]

    def resolve(self, node: ast.expr | None, variables: Mapping[str, Variable]) -> Shape:
        """Return the shape that an annotation asks for; ``variables`` are the function's own."""
        if node is None:
            return ANYTHING
        if isinstance(node, ast.Constant):
            return self._constant(node, variables)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            sides = (node.left, node.right)
            return one_of((self.resolve(side, variables) for side in sides), declared=True)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, variables)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._name(node, variables)
        return Unsupported(ast.unparse(node))

    def _constant(self, node: ast.Constant, variables: Mapping[str, Variable]) -> Shape:
        if node.value is None:
            return _ATOMS["None"]
        if isinstance(node.value, str):
            try:
                return self.resolve(ast.parse(node.value.strip(), mode="eval").body, variables)
            except (SyntaxError, ValueError):
                return Unsupported(node.value)
        return Unsupported(repr(node.value))

    def _name(self, node: ast.expr, variables: Mapping[str, Variable]) -> Shape:
        local = node.id if isinstance(node, ast.Name) else ""
        if local in variables:
            return variables[local]
        if local in self.definitions.type_variables:
            options = self.definitions.type_variables[local]
            return Variable(local, tuple(self.resolve(option, {}) for option in options))
        if local in self.definitions.classes or local in self.definitions.aliases:
            return Ref(local)
        return self._library(node, [])

    def _library(self, node: ast.expr, inner: list[Shape]) -> Shape:
        dotted = self.definitions.dotted(node) or ast.unparse(node)
        name = dotted.rpartition(".")[2] if dotted.startswith(_LIBRARY) else dotted
        first = inner[0] if inner else ANYTHING
        if name in _ATOMS:
            return _ATOMS[name]
        if name in _ITEMS:
            return Items(_ITEMS[name], first)
        if name in {"tuple", "Tuple"}:
            return Items("tuple", ANYTHING)
        if name in _PAIRS:
            return Pairs(first, inner[1] if len(inner) > 1 else ANYTHING)
        if name in _WRAPPED:
            return self._wrapped(_WRAPPED[name], inner)
        if name in {"Any", "object"}:
            return ANYTHING
        if name == "AnyStr":
            return Variable(name, (_ATOMS["str"], _ATOMS["bytes"]))
        return Unsupported(ast.unparse(node))

    def _wrapped(self, kind: str, inner: list[Shape]) -> Shape:
        first = inner[0] if inner else ANYTHING
        second = inner[1] if len(inner) > 1 else ANYTHING
        if kind == "bytearray":
            return Wrapped(kind, kind, (), _ATOMS["bytes"], ())
        callee = self.definitions.spelling(f"collections.{kind}") or ""
        if kind == "deque":
            return Wrapped(kind, callee, (), Items("list", first), ())
        if kind == "Counter":
            return Wrapped(kind, callee, (), Pairs(first, _ATOMS["int"]), ())
        factory = second.name if isinstance(second, Atom) else getattr(second, "kind", "dict")
        before = (factory,) if kind == "defaultdict" else ()
        return Wrapped(kind, callee, before, Pairs(first, second), ())

    def _subscript(self, node: ast.Subscript, variables: Mapping[str, Variable]) -> Shape:
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        dotted = self.definitions.dotted(node.value) or ""
        name = dotted.rpartition(".")[2]
        if name == "Literal":
            return self._literal(inside)
        if name in _TRANSPARENT:
            return self.resolve(inside[0], variables)
        if name in {"Optional", "Union"}:
            options = [self.resolve(each, variables) for each in inside]
            return one_of(options + [_ATOMS["None"]] * (name == "Optional"), declared=True)
        if name in {"tuple", "Tuple"}:
            return self._tuple(inside, variables)
        outer = self._name(node.value, variables)
        if isinstance(outer, Ref | Unsupported):
            if isinstance(outer, Unsupported):
                return outer
            inner = [self.resolve(each, variables) for each in inside]
            body = self.shape(outer.name)
            names = list(dict.fromkeys(each.name for each in variables_of(body)))
            return substitute(body, dict(zip(names, inner, strict=False))) if names else outer
        return self._library(node.value, [self.resolve(each, variables) for each in inside])

    def _tuple(self, inside: list[ast.expr], variables: Mapping[str, Variable]) -> Shape:
        last = inside[-1] if inside else None
        if len(inside) == 2 and isinstance(last, ast.Constant) and last.value is Ellipsis:
            return Items("tuple", self.resolve(inside[0], variables))
        return Fixed(tuple(self.resolve(each, variables) for each in inside))

    def _literal(self, inside: list[ast.expr]) -> Shape:
        values = []
        for node in inside:
            try:
                values.append(read_value(node, self.definitions))
            except Unreadable:
                return Unsupported(f"Literal[{ast.unparse(node)}]")
        return Choice(tuple(render(value) for value in values), tuple(values))

    def _class(self, text: ClassText) -> Shape:
        if text.kind == "opaque":
            return Unsupported(text.name)
        if text.kind == "enum":
            members = tuple(Member(text.name, name) for name in text.members)
            return Choice(tuple(render(each) for each in members), members, text.name)
        fields = tuple(
            Field(each.name, self.resolve(each.annotation, {}), each.required)
            for each in text.fields
        )
        return Record(text.name, fields, mapping=text.kind == "typed dict")


def variables_of(shape: Shape) -> list[Variable]:
    """Return the type variables of a shape in the order in which they stand in it."""
    if isinstance(shape, Variable):
        return [shape]
    return [found for child in children(shape) for found in variables_of(child)]


def substitute(shape: Shape, binding: Mapping[str, Shape]) -> Shape:
    """Return a shape with its type variables replaced; those without a binding stay."""
    if isinstance(shape, Variable):
        return binding.get(shape.name, shape)
    if isinstance(shape, Items):
        return Items(shape.kind, substitute(shape.element, binding))
    if isinstance(shape, Fixed):
        return Fixed(tuple(substitute(each, binding) for each in shape.elements))
    if isinstance(shape, Pairs):
        return Pairs(substitute(shape.key, binding), substitute(shape.value, binding))
    if isinstance(shape, Wrapped):
        content = substitute(shape.content, binding)
        return Wrapped(shape.kind, shape.callee, shape.before, content, shape.after)
    if isinstance(shape, OneOf):
        return one_of((substitute(each, binding) for each in shape.options), declared=True)
    if isinstance(shape, Record):
        fields = (Field(f.name, substitute(f.shape, binding), f.required) for f in shape.fields)
        return Record(shape.name, tuple(fields), shape.mapping)
    return shape


def unsupported_name(shape: Shape, annotations: Annotations) -> str | None:
    """Return the name of the first type inside a shape that no family makes, if there is one."""
    return _first_unsupported(shape, annotations, frozenset())


def _first_unsupported(shape: Shape, annotations: Annotations, seen: frozenset[str]) -> str | None:
    if isinstance(shape, Unsupported):
        return shape.name
    if isinstance(shape, Wrapped) and not shape.callee:
        return shape.kind
    inside: tuple[Shape, ...] = children(shape)
    if isinstance(shape, Ref):
        if shape.name in seen:
            return None
        seen |= {shape.name}
        inside = (annotations.shape(shape.name),)
    names = (_first_unsupported(each, annotations, seen) for each in inside)
    return next((name for name in names if name is not None), None)
