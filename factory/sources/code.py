"""What a program's text says before anybody runs it: syntax, top-level names, calls in tests."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterator

from factory.records import Dropped
from tracer.records import Call


def parse_source(source: str, where: str) -> ast.Module | Dropped:
    """The syntax tree of a whole program, or why there is none."""
    try:
        source.encode("utf-8")
    except UnicodeEncodeError:
        return Dropped("source", "lone_surrogate", where, "half of a surrogate pair in the text")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        return Dropped("source", "syntax_error", where, f"line {error.lineno}: {error.msg}")
    except (ValueError, MemoryError, RecursionError) as error:
        return Dropped("source", "syntax_error", where, str(error))


def check_entry_point(tree: ast.Module, name: str, where: str) -> Dropped | None:
    """A drop unless the module binds ``name`` at its top level."""
    names = top_level_names(tree)
    if name in names:
        return None
    defined = ", ".join(sorted(names)) or "nothing"
    return Dropped("source", "unknown_entry_point", where, f"no {name!r}; defined: {defined}")


def top_level_names(tree: ast.Module) -> frozenset[str]:
    """Names that module code binds, in whatever statement."""
    names: set[str] = set()
    for node in _own_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return frozenset(names)


def _own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes of module code, without the inside of functions, classes and comprehensions."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.comprehension)
    for child in ast.iter_child_nodes(tree):
        yield child
        if not isinstance(child, inner):
            yield from _own_nodes(child)


def calls_of(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    """Calls of the plain name ``name``, in source order."""
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]
    yield from sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def argument_text(call: ast.Call) -> str:
    """What stands between the parentheses of ``call``, spelled anew."""
    parts = [ast.unparse(argument) for argument in call.args]
    for keyword in call.keywords:
        value = ast.unparse(keyword.value)
        parts.append(f"**{value}" if keyword.arg is None else f"{keyword.arg}={value}")
    return ", ".join(parts)


def seed_calls(
    calls: Iterator[ast.Call], program: ast.Module, where: str
) -> tuple[tuple[Call, ...], tuple[Dropped, ...]]:
    """Distinct calls that stand on their own, and a drop for each that needs the test's variables.

    An argument need not be a literal (``3 * 19``): it is evaluated in the sandbox, with the
    program's own names, and the row holds the value.
    """
    known = top_level_names(program) | frozenset(dir(builtins))
    kept: dict[str, Call] = {}
    dropped = []
    for call in calls:
        text = argument_text(call)
        foreign = sorted(_free_names(call) - known)
        if foreign:
            detail = f"({text}) needs {', '.join(foreign)} of the test code"
            dropped.append(Dropped("inputs", "argument_needs_test_code", where, detail))
        else:
            kept.setdefault(text, Call(text))
    return tuple(kept.values()), tuple(dropped)


def _free_names(call: ast.Call) -> frozenset[str]:
    """Names read in the arguments, less those that a comprehension or lambda there binds."""
    read: set[str] = set()
    bound: set[str] = set()
    for part in [*call.args, *call.keywords]:
        for node in ast.walk(part):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
    return frozenset(read - bound)
