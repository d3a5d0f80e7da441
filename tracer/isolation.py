"""Whether several calls of a program may share one process without knowing of each other.

Each call gets a fresh namespace anyway, so only what lies outside the program's own namespace can
carry something from one call to the next: modules with state, the built-in namespace, frames.
Programs that could reach any of it are run one call a process. The check errs on that side.

Source: own.
"""

from __future__ import annotations

import ast

_STATELESS_MODULES = frozenset(
    {
        "__future__",
        "bisect",
        "cmath",
        "collections",
        "copy",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "itertools",
        "math",
        "numbers",
        "operator",
        "re",
        "statistics",
        "string",
        "typing",
    }
)
_REACHING = frozenset(
    {
        "__builtins__",
        "__import__",
        "__loader__",
        "__spec__",
        "breakpoint",
        "compile",
        "delattr",
        "eval",
        "exec",
        "exit",
        "getattr",
        "globals",
        "help",
        "input",
        "locals",
        "open",
        "quit",
        "setattr",
        "vars",
    }
)
"""Names of built-in functions that lead out of a namespace or to a stream."""
_FRAME_PREFIXES = ("_", "ag_", "co_", "cr_", "f_", "func_", "gi_", "tb_")
_HARMLESS_ATTRIBUTES = frozenset({"__init__", "__name__", "__len__"})


def keeps_to_itself(source: str) -> bool:
    """Whether calls of a program, each in a fresh namespace, cannot influence one another."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    imports = False
    stores = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports = True
            if any(alias.name not in _STATELESS_MODULES for alias in node.names):
                return False
        elif isinstance(node, ast.ImportFrom):
            imports = True
            if node.module not in _STATELESS_MODULES or node.level:
                return False
        elif isinstance(node, ast.Name) and node.id in _REACHING:
            return False
        elif isinstance(node, ast.Attribute):
            if not _is_own(node) and _leads_out(node.attr):
                return False
            stores |= not isinstance(node.ctx, ast.Load) and not _is_own(node)
    return not (imports and stores)


def _leads_out(name: str) -> bool:
    return name.startswith(_FRAME_PREFIXES) and name not in _HARMLESS_ATTRIBUTES


def _is_own(node: ast.Attribute) -> bool:
    """Whether it is ``self.name``, with a name that is no special one."""
    ours = isinstance(node.value, ast.Name) and node.value.id == "self"
    return ours and not node.attr.startswith("__")
