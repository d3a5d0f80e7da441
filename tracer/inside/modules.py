"""The program's text as a module: compiled, run, its entry point and its arguments found."""

from __future__ import annotations

import ast
import sys
import types
from typing import Any

from tracer.inside.arguments import Arguments, BadCall, CallText, evaluate_arguments
from tracer.inside.encode import Encoder
from tracer.inside.outcomes import PROGRAM_MODULE, describe_exception, outcome
from tracer.inside.trees import nodes_of

FILE_NAME = "<program>"


class Refused(Exception):
    """The job ends before its call: the outcome says why."""

    def __init__(self, kind: str, message: str, type_text: str | None = None) -> None:
        self.outcome = outcome(kind, type_text, None, message)


def compile_program(source: str, *, allow_async: bool = True) -> types.CodeType:
    """Compile a program.

    Raises:
        Refused: The text is no program, or is async and must not be.
    """
    try:
        if not allow_async and "async" in source:
            refuse_async(ast.parse(source, FILE_NAME))
        return compile(source, FILE_NAME, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Refused("bad_program", f"line {error.lineno}: {error.msg}", "SyntaxError") from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise Refused("bad_program", f"cannot be compiled: {error}") from None


def new_module() -> types.ModuleType:
    """Make the module that the program is run as, in place of the one before."""
    module = types.ModuleType(PROGRAM_MODULE)
    sys.modules[PROGRAM_MODULE] = module
    return module


def run_module(code: types.CodeType, module: types.ModuleType, encoder: Encoder) -> None:
    """Run the module's own code.

    Raises:
        Refused: It raised.
    """
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        ended = describe_exception(error, encoder)
        if ended["kind"] != "raised":
            raise Refused(ended["kind"], "while the module code ran") from None
        detail = f"the module code raised {ended['type']}"
        if ended["message"]:
            detail += f": {ended['message']}"
        raise Refused("bad_program", detail, ended["type"]) from None


def find_entry(module: types.ModuleType, name: str) -> Any:
    """Return what the module's entry point is.

    Raises:
        Refused: There is none, or it can't be called.
    """
    space = module.__dict__
    if name not in space:
        there = [key for key, value in space.items() if isinstance(value, types.FunctionType)]
        listed = ", ".join(there) or "no function"
        raise Refused("bad_program", f"no entry point {name!r}; the program defines {listed}")
    if not callable(space[name]):
        raise Refused("bad_program", f"entry point {name!r} cannot be called")
    return space[name]


def read_arguments(args: str, module: types.ModuleType, call: CallText | None = None) -> Arguments:
    """Evaluate the text between the parentheses of a call; ``call`` is the same, compiled.

    Raises:
        Refused: That is not possible.
    """
    try:
        return evaluate_arguments(args, module.__dict__, call)
    except BadCall as error:
        raise Refused("bad_program", str(error)) from None


def refuse_async(tree: ast.Module) -> None:
    """Look for async code.

    Raises:
        Refused: There is some.
    """
    for node in nodes_of(tree):
        if isinstance(node, ast.AsyncFunctionDef | ast.Await) or (
            isinstance(node, ast.comprehension) and node.is_async
        ):
            raise Refused("unsupported", "async code is not traced")
