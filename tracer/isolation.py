"""Whether several calls may share one process without knowing of each other.

Each call gets a fresh namespace anyway, so only what lies outside the program's own namespace can
carry something from one call to the next: modules with state, library objects that can be changed,
the built-in namespace, frames, finalizers. Programs that could reach any of it are run one call a
process. So are those whose result may follow from where objects lie in memory, as that does differ
between a fresh process and one that has made other calls. The check errs on the careful side.

Source: own.
"""

from __future__ import annotations

import ast
import importlib
import re
import types
from functools import cache, lru_cache

_STATELESS_MODULES = frozenset(
    {
        *("__future__", "bisect", "cmath", "collections", "collections.abc", "contextlib", "copy"),
        *("dataclasses", "enum", "fractions", "functools", "heapq", "itertools", "math"),
        *("numbers", "operator", "re", "statistics", "string", "typing"),
    }
)
_REACHING = frozenset(
    {
        *("__builtins__", "__import__", "__loader__", "__spec__", "breakpoint", "compile"),
        *("copyright", "credits", "delattr", "dir", "eval", "exec", "exit", "getattr", "globals"),
        *("help", "id", "input", "license", "locals", "open", "quit", "setattr", "vars"),
    }
)
"""Names of built-in functions that lead out of a namespace, to a stream or to an address."""
_REACHING_MEMBERS = frozenset(
    {
        *("Formatter", "attrgetter", "methodcaller"),  # attributes by their name in a text
        *("get_type_hints", "make_dataclass"),  # code from a text
        *("global_enum", "global_enum_repr", "global_flag_repr", "global_str"),
        *("chdir", "redirect_stderr", "redirect_stdout"),  # what the process has one of
        *("all_feature_names", "clear_overloads", "get_overloads", "overload", "update_wrapper"),
    }
)
"""Public names of the stateless modules that reach what lies outside a program all the same."""
_DECORATORS = frozenset({"dataclass", "total_ordering", "unique", "verify", "wraps"})
"""They change what they are given, and so may be given the program's own things only."""
_FRAME_PREFIXES = ("ag_", "co_", "cr_", "f_", "func_", "gi_", "tb_")
_HARMLESS_ATTRIBUTES = frozenset(
    {"__init__", "__name__", "__len__", "_asdict", "_fields", "_make", "_replace"}
)
_SCRIPT_ONLY = ("__name__ == '__main__'", "'__main__' == __name__")
"""Conditions that never hold: programs are run as modules."""
_SET_OPERATORS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_NOTEWORTHY = re.compile(
    rf"\b(?:import|class|lambda|object|type|register|_\w+|(?:{'|'.join(_FRAME_PREFIXES)})\w*"
    rf"|{'|'.join(sorted(_REACHING))})\b"
)
"""Words without which a text can't lead out; all but a few small programs have none."""
_LITERAL = (
    *(ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp),
    *(ast.USub, ast.UAdd, ast.Not, ast.Invert, ast.Load),
)
_DEFINED = re.compile(r"\bdef\s+(\w+)")


def keeps_to_itself(source: str, args: str = "") -> bool:
    """Whether calls of a program, each in a fresh namespace, cannot influence one another.

    Args:
        source: text of the program.
        args: what stands between the parentheses of the call.
    """
    return _keeps_to_itself(source, _essence(args))


@lru_cache(maxsize=1024)
def _essence(args: str) -> str:
    """The shortest arguments that say as much here: of literals only sets matter."""
    try:
        call = ast.parse(f"_(\n{args}\n)", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return args
    if not isinstance(call, ast.Call):
        return args
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    nodes = [node for value in given for node in ast.walk(value)]
    if not all(isinstance(node, _LITERAL) for node in nodes):
        return args
    return "{0}" if any(isinstance(node, ast.Set) for node in nodes) else ""


@lru_cache(maxsize=1024)
def _keeps_to_itself(source: str, args: str) -> bool:
    if "collections" not in args and _says_nothing_noteworthy(f"{source}\n{args}"):
        return True
    try:
        program = ast.parse(source)
        call = ast.parse(f"_(\n{args}\n)", mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    look = _Look()
    try:
        look.at(program)
        look.at(call)
    except _LeadsOutError:
        return False
    if _hands_collections_over(call):
        return False
    return not look.touches_library() and not look.depends_on_addresses()


def _says_nothing_noteworthy(text: str) -> bool:
    """Whether the words alone tell; names of other alphabets may be read as other names."""
    if not text.isascii() or _NOTEWORTHY.search(text) is not None:
        return False
    return not any(re.search(rf"\b{name}\b(?!\s*\()", text) for name in set(_DEFINED.findall(text)))


def _hands_collections_over(call: ast.AST) -> bool:
    """Whether arguments do more with ``collections``, which they all know, than to call."""
    called = {
        id(node.func.value)
        for node in ast.walk(call)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    names = [node for node in ast.walk(call) if isinstance(node, ast.Name)]
    return any(node.id == "collections" and id(node) not in called for node in names)


class _LeadsOutError(Exception):
    """The program can reach something outside its namespace."""


class _Look:
    """What a program mentions."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        """Modules by the names that they are bound to."""
        self.members: dict[str, str] = {}
        """Names of the members of modules by the names that they are bound to."""
        self.names: list[ast.Name] = []
        self.attributes: list[ast.Attribute] = []
        self.called: set[int] = set()
        """Identities of the nodes that are called."""
        self.applied: set[int] = set()
        """Identities of all nodes in decorators, base classes and annotations."""
        self.functions: set[str] = set()
        self.stores = False
        self.private = False
        self.makes_sets = False
        self.joins_views = False
        self.makes_identities = False

    def at(self, node: ast.AST) -> None:
        """Note what ``node`` and all under it mention.

        Raises:
            _LeadsOutError: it leads out, whatever the rest is.
        """
        waiting = [node]
        while waiting:
            node = waiting.pop()
            inner: list[ast.AST] = list(ast.iter_child_nodes(node))
            if isinstance(node, ast.If) and ast.unparse(node.test) in _SCRIPT_ONLY:
                inner = list(node.orelse)
            waiting += inner
            if id(node) in self.applied:
                self.applied.update(map(id, inner))
            self._note(node)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            if node.id in _REACHING or (node.id == "__name__" and isinstance(node.ctx, ast.Store)):
                raise _LeadsOutError
            self.makes_sets |= node.id in ("set", "frozenset")
            self.makes_identities |= node.id == "object"
            self.names.append(node)
        elif isinstance(node, ast.Attribute):
            self._note_attribute(node)
        elif isinstance(node, ast.Call):
            self.called.add(id(node.func))
            if isinstance(node.func, ast.Attribute):
                self.called.add(id(node.func.value))
            elif isinstance(node.func, ast.Name) and node.func.id == "type":
                self.makes_identities |= len(node.args) != 1
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self._note_import(node)
        elif isinstance(node, ast.ClassDef):
            self.makes_identities = True
            self._apply(*node.bases, *node.keywords, *node.decorator_list)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name == "__del__":
                raise _LeadsOutError
            self.functions.add(node.name)
            self._apply(*node.decorator_list, node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            self._apply(node.annotation)
        elif isinstance(node, ast.MatchClass):
            if any(map(_leads_out, node.kwd_attrs)):
                raise _LeadsOutError
        elif isinstance(node, ast.Lambda):
            self.makes_identities = True
        elif isinstance(node, ast.Set | ast.SetComp):
            self.makes_sets = True
        elif isinstance(node, ast.BinOp | ast.AugAssign):
            self.joins_views |= isinstance(node.op, _SET_OPERATORS)

    def _note_attribute(self, node: ast.Attribute) -> None:
        private = node.attr.startswith("_") and not node.attr.startswith("__")
        own = isinstance(node.value, ast.Name) and node.value.id == "self"
        if own and private:
            self.private |= node.attr not in _HARMLESS_ATTRIBUTES
        elif _leads_out(node.attr):
            raise _LeadsOutError
        if not isinstance(node.ctx, ast.Load):
            self.stores = True
            self.private |= not own
        self.attributes.append(node)

    def _note_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name
            if isinstance(node, ast.Import):
                if alias.name not in _STATELESS_MODULES or "." in bound or bound == "self":
                    raise _LeadsOutError
                self.modules[bound] = alias.name
            else:
                module = "" if node.level else node.module or ""
                if alias.name not in _public(module) or bound == "self":
                    raise _LeadsOutError
                if module != "__future__":
                    self.members[bound] = alias.name

    def _apply(self, *nodes: ast.AST | None) -> None:
        self.applied.update(map(id, nodes))

    def touches_library(self) -> bool:
        """Whether it may change, or get hold of, what modules keep.

        A program that imports something stores attributes of ``self`` alone, and then hands no
        library object on: it calls them, or has them as decorators, bases or annotations.
        """
        if not self.modules and not self.members:
            return False
        members: list[tuple[ast.expr, str]]
        members = [(node, self.members[node.id]) for node in self.names if node.id in self.members]
        reached: set[int] = set()
        for node in self.attributes:
            if isinstance(node.value, ast.Name) and node.value.id in self.modules:
                if node.attr not in _public(self.modules[node.value.id]):
                    return True
                reached.add(id(node.value))
                members.append((node, node.attr))
        if any(node.id in self.modules and id(node) not in reached for node in self.names):
            return True
        if any(id(n) not in self.applied for n, member in members if member in _DECORATORS):
            return True
        if not self.stores:
            return self.private
        placed = self.called | self.applied
        handed_on = any(id(node) not in placed for node, _ in members)
        return self.private or handed_on or any(node.id == "type" for node in self.names)

    def depends_on_addresses(self) -> bool:
        """Whether the order of a set may follow from where its elements lie in memory."""
        views = any(node.attr in ("keys", "items") for node in self.attributes)
        if not self.makes_sets and not (views and self.joins_views):
            return False
        return self.makes_identities or any(
            node.id in self.functions and id(node) not in self.called for node in self.names
        )


@cache
def _public(module: str) -> frozenset[str]:
    """The public names of a stateless module that are safe to have."""
    if module not in _STATELESS_MODULES:
        return frozenset()
    there = vars(importlib.import_module(module))
    names = there.get("__all__") or [
        name
        for name, member in there.items()
        if not name.startswith("_") and not isinstance(member, types.ModuleType)
    ]
    return frozenset(names) - _REACHING_MEMBERS


def _leads_out(name: str) -> bool:
    if name in _HARMLESS_ATTRIBUTES:
        return False
    return name.startswith(("_", *_FRAME_PREFIXES)) or name == "register"
