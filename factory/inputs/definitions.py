"""What a program defines, read from its syntax tree without running it.

Only what types and constructor calls need: imports, aliases, type variables, classes, functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

ClassKind: TypeAlias = Literal["record", "enum", "typed dict", "opaque"]
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})
_NEUTRAL_BASES = frozenset({"object", "typing.Generic"})
_TYPING = ("typing.", "typing_extensions.")


@dataclass(frozen=True, slots=True)
class FieldText:
    """A field, constructor parameter or key, with its annotation as written."""

    name: str
    annotation: ast.expr | None
    required: bool


@dataclass(frozen=True, slots=True)
class ClassText:
    """A class of the program: how to build a value of it."""

    kind: ClassKind
    name: str
    fields: tuple[FieldText, ...] = ()
    """In the order of the constructor's positional arguments."""
    members: tuple[str, ...] = ()
    """Of an enumeration."""


class Definitions:
    """The names that a program's module code binds."""

    def __init__(self, tree: ast.Module) -> None:
        self.imports: dict[str, str] = {}
        self.aliases: dict[str, ast.expr] = {}
        self.type_variables: dict[str, tuple[ast.expr, ...]] = {}
        self.classes: dict[str, ClassText] = {}
        self.functions: dict[str, Function] = {}
        for node in _module_level(tree.body):
            self._read(node)

    def dotted(self, node: ast.expr | None) -> str | None:
        """Return the full dotted name that an expression refers to: ``typing.List``."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        parts.append(self.imports.get(node.id, node.id))
        return ".".join(reversed(parts))

    def spelling(self, dotted: str) -> str | None:
        """Return how the program can name something of the library, when it imports it."""
        module, _, name = dotted.rpartition(".")
        for local, imported in self.imports.items():
            if imported == dotted:
                return local
            if imported == module:
                return f"{local}.{name}"
        return None

    def _read(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            for name in node.names:
                top = name.name.partition(".")[0]
                self.imports[name.asname or top] = name.name if name.asname else top
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                self.imports[name.asname or name.name] = f"{node.module or ''}.{name.name}"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            self.classes[node.name] = self._class(node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self._assignment(node.targets[0].id, node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            self._assignment(node.target.id, node.value)
        elif type(node).__name__ == "TypeAlias":
            self.aliases[node.name.id] = node.value  # type: ignore[attr-defined]

    def _assignment(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Lambda):
            self.functions[name] = value
        elif isinstance(value, ast.Name) and value.id in self.functions:
            self.functions[name] = self.functions[value.id]
        elif isinstance(value, ast.Call):
            self._call(name, value, (self.dotted(value.func) or "").rpartition(".")[2])
        else:
            self.aliases[name] = value

    def _call(self, name: str, call: ast.Call, callee: str) -> None:
        second = call.args[1] if len(call.args) > 1 else None
        if callee == "TypeVar":
            bound = [word.value for word in call.keywords if word.arg == "bound"]
            self.type_variables[name] = tuple(call.args[1:]) or tuple(bound)
        elif callee == "NewType" and second is not None:
            self.aliases[name] = second
        elif callee in {"namedtuple", "NamedTuple", "TypedDict"} and second is not None:
            fields = tuple(_functional_fields(second, call))
            kind: ClassKind = "typed dict" if callee == "TypedDict" else "record"
            self.classes[name] = ClassText(kind, name, fields)
        elif callee in {each.rpartition(".")[2] for each in _ENUMS} and second is not None:
            members = tuple(each.name for each in _functional_fields(second, call))
            self.classes[name] = ClassText("enum", name, members=members)

    def _class(self, node: ast.ClassDef) -> ClassText:
        bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
        names = [self.dotted(base) or "?" for base in bases]
        parents = [self.classes[name] for name in names if name in self.classes]
        decorators = {
            (self.dotted(each.func if isinstance(each, ast.Call) else each) or "").rpartition(".")[
                2
            ]
            for each in node.decorator_list
        }
        own = tuple(_annotated_fields(node, total=_is_total(node)))
        inherited = parents[0].fields if parents else ()
        if any(name in _ENUMS for name in names) or any(each.kind == "enum" for each in parents):
            return ClassText("enum", node.name, members=tuple(_members(node)))
        if "TypedDict" in {_tail(name) for name in names} or any(
            each.kind == "typed dict" for each in parents
        ):
            return ClassText("typed dict", node.name, _override(inherited, own))
        if "NamedTuple" in {_tail(name) for name in names}:
            return ClassText("record", node.name, own)
        methods = (each for each in node.body if isinstance(each, ast.FunctionDef))
        constructor = next((each for each in methods if each.name == "__init__"), None)
        if constructor is not None:
            parameters = _parameters(constructor)
            if parameters is not None:
                return ClassText("record", node.name, parameters)
            return ClassText("opaque", node.name)
        foreign = [
            name for name in names if name not in self.classes and name not in _NEUTRAL_BASES
        ]
        if foreign or any(each.kind == "opaque" for each in parents):
            return ClassText("opaque", node.name)
        if "dataclass" in decorators:
            return ClassText("record", node.name, _override(inherited, own))
        return ClassText("record", node.name, inherited)


def _module_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _module_level(node.body)
            yield from _module_level(node.orelse)


def _tail(name: str) -> str:
    return name.rpartition(".")[2] if name.startswith(_TYPING) else name


def _is_total(node: ast.ClassDef) -> bool:
    return not any(
        word.arg == "total" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in node.keywords
    )


def _annotated_fields(node: ast.ClassDef, *, total: bool) -> Iterator[FieldText]:
    for each in node.body:
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
            continue
        outer = ast.unparse(each.annotation).partition("[")[0].rpartition(".")[2]
        if outer in {"ClassVar", "KW_ONLY"} or _keyword(each.value, "init") is False:
            continue
        required = total if each.value is None else _is_required(each.value)
        required = {"NotRequired": False, "Required": True}.get(outer, required)
        yield FieldText(each.target.id, each.annotation, required)


def _is_required(default: ast.expr) -> bool:
    called = isinstance(default, ast.Call) and ast.unparse(default.func).endswith("field")
    return called and not {"default", "default_factory"} & {
        word.arg for word in getattr(default, "keywords", ())
    }


def _keyword(node: ast.expr | None, name: str) -> object:
    words = node.keywords if isinstance(node, ast.Call) else []
    return next(
        (
            word.value.value
            for word in words
            if word.arg == name and isinstance(word.value, ast.Constant)
        ),
        None,
    )


def _members(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if isinstance(each, ast.Assign):
            for target in each.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                yield from (
                    name.id
                    for name in names
                    if isinstance(name, ast.Name) and not name.id.startswith("_")
                )


def _override(
    inherited: tuple[FieldText, ...], own: tuple[FieldText, ...]
) -> tuple[FieldText, ...]:
    merged = {each.name: each for each in inherited}
    merged.update({each.name: each for each in own})
    return tuple(merged.values())


def _parameters(constructor: ast.FunctionDef) -> tuple[FieldText, ...] | None:
    arguments = constructor.args
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs or not arguments.args:
        return None
    first_default = len(arguments.args) - len(arguments.defaults)
    positional = [
        FieldText(each.arg, each.annotation, index < first_default)
        for index, each in enumerate(arguments.args)
    ][1:]
    keyword_only = [
        FieldText(each.arg, each.annotation, default is None)
        for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return (*positional, *keyword_only)


def _functional_fields(second: ast.expr, call: ast.Call) -> Iterator[FieldText]:
    total = _keyword(call, "total") is not False
    if isinstance(second, ast.Constant) and isinstance(second.value, str):
        for name in second.value.replace(",", " ").split():
            yield FieldText(name, None, total)
    elif isinstance(second, ast.Dict):
        for key, annotation in zip(second.keys, second.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield FieldText(key.value, annotation, total)
    elif isinstance(second, ast.List | ast.Tuple):
        for each in second.elts:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield FieldText(each.value, None, total)
            elif isinstance(each, ast.Tuple) and isinstance(each.elts[0], ast.Constant):
                yield FieldText(str(each.elts[0].value), each.elts[1], total)
