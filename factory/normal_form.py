"""Normal forms of programs: equal for programs that differ in names (and literals) only.

Built on ``ast`` instead of libcst, for speed and because layout and comments are gone there; the
renaming follows Python's scopes and is exact: two programs with one normal form do the same up to
the names of their variables.  Names that a program can see at run time stay as they are: classes,
class attributes, parameters that some call names, and all names of a program that looks at its
own (``locals()``, ``__name__``, …).  Docstrings are left out.

Source: own
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

from factory.scopes import Scope, alias_name, find_scopes

_LOOKS_AT_NAMES = frozenset(
    "globals locals vars dir eval exec compile getattr setattr hasattr delattr inspect __import__ "
    "__name__ __qualname__ __dict__ __code__ __annotations__ _getframe f_locals "
    "f_globals".split()
)
_IGNORED_FIELDS = frozenset({"asname", "ctx", "kind", "type_comment", "type_ignores"})
_BARE_IGNORED_FIELDS = _IGNORED_FIELDS | {"annotation", "returns", "type_params"}
_DISPLAYS = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set", ast.Dict: "dict"}
_RECURSION_LIMIT = 50_000


def normal_form(source: str, entry_point: str | None, *, literals: bool) -> str:
    """The normal form of a program that compiles; ``literals`` tells whether they are kept.

    The entry point is part of the form.
    """
    with warnings.catch_warnings(), _deep_recursion():
        warnings.simplefilter("ignore")
        tree, scopes, fixed = _read(source)
        writer = _Writer(tree, scopes, fixed, literals)
        entry = writer.name(entry_point, writer.module) if entry_point else ""
        writer.write(tree)
        return "\n".join([entry, *writer.tokens])


def bare_tokens(source: str, *, names: bool) -> tuple[str, ...]:
    """Nodes and texts of a program that compiles, in preorder, without what a copy may change.

    Left out are literals (their types stay), docstrings, annotations and imports.  The names that
    the program binds are numbered as in :func:`normal_form`, or, without ``names``, all alike.
    """
    with warnings.catch_warnings(), _deep_recursion():
        warnings.simplefilter("ignore")
        tree, scopes, _ = _read(source)
        writer = _BareWriter(tree, scopes, names)
        writer.write(tree)
        return tuple(writer.tokens)


@lru_cache(maxsize=1)
def _read(source: str) -> tuple[ast.Module, dict[ast.AST, Scope], frozenset[str] | None]:
    """Tree, scopes and names that stay: a program is often written twice, with and without more."""
    tree = ast.parse(source)
    return tree, find_scopes(tree), _seen_at_run_time(tree)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Lets a walk go as deep as the parser did, however deep the caller already is."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Writer:
    """Writes a tree in preorder, numbering bindings as they are met."""

    def __init__(
        self,
        tree: ast.Module,
        scopes: Mapping[ast.AST, Scope],
        fixed: frozenset[str] | None,
        literals: bool,
    ) -> None:
        self.tokens: list[str] = []
        self._literals = literals
        self._scopes = scopes
        self.module = scopes[tree]
        self._numbers: dict[tuple[Scope, str], int] = {}
        self._fixed = fixed

    def write(self, node: ast.AST) -> None:
        """Append the tokens of ``node``."""
        literal = None if self._literals else _literal_type(node)
        if literal is not None:
            self.tokens.append(f"<{literal}>")
            return
        self.tokens.append(f"({type(node).__name__}")
        for name, value in ast.iter_fields(node):
            if name not in _IGNORED_FIELDS and value is not None and value != []:
                self.tokens.append(f".{name}")
                self._write_field(node, name, value)
        self.tokens.append(")")

    def _write_field(self, node: ast.AST, name: str, value: object) -> None:
        if isinstance(value, ast.AST):
            self.write(value)
        elif isinstance(value, list):
            items = _without_docstring(node, value) if name == "body" else value
            for item in items:
                if isinstance(item, ast.AST):
                    self.write(item)
                else:
                    self.tokens.append(self._text(node, name, item))
        else:
            self.tokens.append(self._text(node, name, value))
        if isinstance(node, ast.alias) and name == "name":
            if node.asname is None and "." in node.name:
                self.tokens.append("(binds the outer package)")
            self.tokens.append(self.name(alias_name(node), self._scopes[node]))

    def _text(self, node: ast.AST, field: str, value: object) -> str:
        if isinstance(value, str) and _is_binding(node, field):
            return self.name(value, self._scopes[node])
        if type(value) is int:
            return hex(value)
        return repr(value)

    def name(self, name: str, scope: Scope) -> str:
        """``name`` as the normal form shows it: a number when it may be renamed."""
        home = scope.resolve(name)
        if home is None or home.kind == "class" or self._fixed is None or name in self._fixed:
            return name
        number = self._numbers.setdefault((home, name), len(self._numbers))
        return f"${number}"


class _BareWriter(_Writer):
    """Writes node kinds and texts alone: no fields, no brackets, and only what makes the program.

    Every name that the program binds may have been changed, even one that can be seen at run time.
    """

    def __init__(self, tree: ast.Module, scopes: Mapping[ast.AST, Scope], names: bool) -> None:
        super().__init__(tree, scopes, frozenset(), literals=False)
        self._names = names
        self._parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}

    def write(self, node: ast.AST) -> None:
        """Append the tokens of ``node``."""
        literal = _literal_type(node)
        if literal is not None:
            self.tokens.append(f"<{literal}>")
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            self.tokens.append(type(node).__name__)
            for name, value in ast.iter_fields(node):
                if name not in _BARE_IGNORED_FIELDS and value is not None and value != []:
                    self._write_field(node, name, value)

    def _text(self, node: ast.AST, field: str, value: object) -> str:
        if isinstance(node, ast.ClassDef) and field == "name":
            return self.name(str(value), self._scopes[node])
        if isinstance(node, ast.keyword) and value in self._parameters:
            return "$"
        return super()._text(node, field, value)

    def name(self, name: str, scope: Scope) -> str:
        """``name`` as a number, or as one of many, when the program binds it."""
        home = scope.resolve(name)
        if home is None:
            return name
        return (
            f"${self._numbers.setdefault((home, name), len(self._numbers))}" if self._names else "$"
        )


def _is_binding(node: ast.AST, field: str) -> bool:
    """Whether the text in ``field`` of ``node`` is a name of a scope."""
    match node:
        case ast.Name() | ast.arg() | ast.Global() | ast.Nonlocal() | ast.FunctionDef():
            return field in ("id", "arg", "names", "name")
        case ast.AsyncFunctionDef() | ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
            return field == "name"
        case ast.MatchMapping():
            return field == "rest"
    return False


def _seen_at_run_time(tree: ast.Module) -> frozenset[str] | None:
    """Names that must stay; ``None`` when all must."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _LOOKS_AT_NAMES:
                return None
            case ast.alias(name=name) if name == "*" or name in _LOOKS_AT_NAMES:
                return None
            case ast.keyword(arg=str(name)) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) if name.startswith("__"):
                names.add(name)
        if getattr(node, "type_params", None):
            return None
    return frozenset(names)


def _without_docstring(node: ast.AST, body: list[ast.AST]) -> list[ast.AST]:
    holders = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    if isinstance(node, holders) and ast.get_docstring(node, clean=False) is not None:
        return body[1:]
    return body


def _literal_type(node: ast.AST) -> str | None:
    """Type of a literal, of a signed number, or of a display that holds nothing but literals."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = node.operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float, complex):
            return type(inner.value).__name__
    display = _DISPLAYS.get(type(node))
    if display is None:
        return None
    parts = (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.Load))
    return display if all(_literal_type(part) is not None for part in parts) else None
