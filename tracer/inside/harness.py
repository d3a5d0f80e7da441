"""Runs one program once, inside the contained child, and hands one result to ``deliver``.

Jobs are dictionaries ``{"mode", "source", "entry_point", "args", "stdin", "limits"}``; modes are
``trace`` (statement steps are recorded), ``run`` (the same call, plainly) and ``check`` (the whole
text is run as one module, for reference solutions with their tests).
"""

from __future__ import annotations

import ast
import gc
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from tracer.inside import frames, watch
from tracer.inside.activations import CodeInfo
from tracer.inside.arguments import Arguments, BadCall, evaluate_arguments
from tracer.inside.encode import Encoder
from tracer.inside.layout import Layout, lay_out
from tracer.inside.outcomes import PROGRAM_MODULE, describe_exception, outcome
from tracer.inside.scopes import named_globals
from tracer.inside.steps import Recorder
from tracer.inside.streams import open_streams, read_output, restart_output

FILE_NAME = "<program>"
RECURSION_LIMIT = 1000
TRACE_MARGIN = 200
"""Frames by which a traced run may go deeper: the recorder itself needs some."""

Deliver = Callable[[dict[str, Any]], NoReturn]


class _Refused(Exception):
    """The job ends before its call: the outcome says why."""

    def __init__(self, kind: str, message: str, type_text: str | None = None) -> None:
        self.outcome = outcome(kind, type_text, None, message)


def execute(job: dict[str, Any], deliver: Deliver) -> NoReturn:
    """Run ``job`` and deliver its result; whatever the program does ends in a result."""
    gc.disable()
    sys.setrecursionlimit(RECURSION_LIMIT)
    open_streams()
    limits = job["limits"]
    encoder = Encoder(limits["max_value_chars"], limits["max_value_depth"], PROGRAM_MODULE)
    result: dict[str, Any] = {
        "python": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "complete": False,
        "stdout": "",
        "args": job["args"],
        "statements": [],
        "activations": [],
        "steps": [],
        "lazy_lines": [],
    }
    try:
        if job["mode"] == "trace":
            _trace(job, encoder, result, deliver)
        else:
            _run(job, encoder, result)
    except _Refused as refused:
        result["outcome"] = refused.outcome
    watched = watch.first_attempt()
    ended = result["outcome"]
    if watched is None and (ended["type"], ended["message"]) == watch.NO_THREADS:
        watched = "the program tried to start a thread"
    if watched is not None:
        result["outcome"] = outcome("blocked", None, None, watched)
        result["complete"] = False
    deliver(result)


def _compile(source: str) -> tuple[ast.Module, types.CodeType]:
    try:
        return ast.parse(source, FILE_NAME), compile(source, FILE_NAME, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise _Refused("bad_program", f"line {error.lineno}: {error.msg}", "SyntaxError") from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise _Refused("bad_program", f"cannot be compiled: {error}") from None


def _new_module() -> types.ModuleType:
    module = types.ModuleType(PROGRAM_MODULE)
    sys.modules[PROGRAM_MODULE] = module
    return module


def _run_module(code: types.CodeType, module: types.ModuleType, encoder: Encoder) -> None:
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        ended = describe_exception(error, encoder)
        if ended["kind"] != "raised":
            raise _Refused(ended["kind"], "while the module code ran") from None
        detail = f"the module code raised {ended['type']}"
        if ended["message"]:
            detail += f": {ended['message']}"
        raise _Refused("bad_program", detail, ended["type"]) from None


def _find_entry(module: types.ModuleType, name: str) -> Any:
    space = module.__dict__
    if name not in space:
        there = [key for key, value in space.items() if isinstance(value, types.FunctionType)]
        listed = ", ".join(there) or "no function"
        raise _Refused("bad_program", f"no entry point {name!r}; the program defines {listed}")
    if not callable(space[name]):
        raise _Refused("bad_program", f"entry point {name!r} cannot be called")
    return space[name]


def _arguments(job: dict[str, Any], module: types.ModuleType, encoder: Encoder) -> Arguments:
    try:
        return evaluate_arguments(job["args"], module.__dict__, encoder)
    except BadCall as error:
        raise _Refused("bad_program", str(error)) from None


def _run(job: dict[str, Any], encoder: Encoder, result: dict[str, Any]) -> None:
    """Run the call plainly (``run``) or only the module text (``check``)."""
    tree, code = _compile(job["source"])
    module = _new_module()
    entry = job["entry_point"]
    if job["mode"] == "check" or entry is None:
        restart_output()
        watch.begin()
        try:
            exec(code, module.__dict__)
            result["outcome"] = outcome("returned", "NoneType", "None")
        except BaseException as error:
            result["outcome"] = describe_exception(error, encoder)
    else:
        _refuse_async(tree)
        watch.begin()
        _run_module(code, module, encoder)
        function = _find_entry(module, entry)
        arguments = _arguments(job, module, encoder)
        result["args"] = arguments.text
        restart_output()
        try:
            value = function(*arguments.positional, **arguments.keyword)
            result["outcome"] = outcome("returned", *encoder.describe(value))
        except BaseException as error:
            result["outcome"] = describe_exception(error, encoder)
    result["stdout"] = read_output(job["limits"]["output_bytes"])


def _refuse_async(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncFunctionDef | ast.Await) or (
            isinstance(node, ast.comprehension) and node.is_async
        ):
            raise _Refused("unsupported", "async code is not traced")


def _trace(job: dict[str, Any], encoder: Encoder, result: dict[str, Any], deliver: Deliver) -> None:
    source, entry, limits = job["source"], job["entry_point"], job["limits"]
    tree, _ = _compile(source)
    _refuse_async(tree)
    definitions = _preorder_definitions(tree)
    global_names = named_globals(source, FILE_NAME, definitions)
    layout = lay_out(tree)
    result["statements"] = [
        {"stmt": s.first, "line": s.line, "end_line": s.end_line, "col": s.col, "kind": s.kind}
        for s in layout.sites
    ]
    result["lazy_lines"] = list(layout.lazy_lines)
    code = compile(layout.tree, FILE_NAME, "exec", dont_inherit=True)
    codes = _code_infos(code, layout, dict(zip(map(id, definitions), global_names, strict=True)))
    module = _new_module()
    watch.begin()
    if entry is None:
        entry_code: types.CodeType | None = code

        def call() -> Any:
            exec(code, module.__dict__)
    else:
        _run_module(code, module, encoder)
        function = _find_entry(module, entry)
        arguments = _arguments(job, module, encoder)
        result["args"] = arguments.text
        entry_code = getattr(function, "__code__", None)
        if not isinstance(function, types.FunctionType) or id(entry_code) not in codes:
            entry_code = None

        def call() -> Any:
            return function(*arguments.positional, **arguments.keyword)

    def cut() -> None:
        sys.settrace(None)
        result.update(recorder.result())
        result["outcome"] = outcome("step_limit")
        result["stdout"] = read_output(limits["output_bytes"])
        watched = watch.first_attempt()
        if watched is not None:
            result["outcome"] = outcome("blocked", None, None, watched)
        deliver(result)

    recorder = Recorder(layout, codes, encoder, limits["max_steps"], entry_code, cut)
    restart_output()
    sys.setrecursionlimit(RECURSION_LIMIT + TRACE_MARGIN)
    error: BaseException | None = None
    value: Any = None
    recorder.start()
    try:
        value = call()
    except BaseException as raised:
        error = raised
    whole = recorder.stop()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT + TRACE_MARGIN))
    if error is not None:
        recorder.name_exception(error)
        ended = describe_exception(error, encoder)
    else:
        ended = outcome("returned", *encoder.describe(value))
    result.update(recorder.result())
    result["outcome"] = _judge(ended, recorder, whole)
    result["complete"] = (
        whole
        and not recorder.recursion_error
        and not recorder.memory_error
        and result["outcome"]["kind"] in ("returned", "raised")
    )
    result["stdout"] = read_output(limits["output_bytes"])


def _judge(ended: dict[str, Any], recorder: Recorder, whole: bool) -> dict[str, Any]:
    """Return the outcome of a traced call, once the recorder has been heard."""
    if recorder.fault is not None:
        return outcome("disturbed", None, None, f"the recorder failed: {recorder.fault}")
    if recorder.memory_error:
        return outcome("memory", "MemoryError", None)
    if recorder.recursion_error:
        if ended["type"] == "RecursionError" and ended["kind"] == "raised":
            return ended
        return outcome("depth_dependent", None, None, "the program caught a RecursionError")
    if not whole:
        return outcome("disturbed", None, None, "the program removed or replaced the tracer")
    return ended


def _preorder_definitions(tree: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(child)
        if not isinstance(child, ast.expr):
            found.extend(_preorder_definitions(child))
    return found


def _code_infos(
    code: types.CodeType, layout: Layout, global_names: dict[int, tuple[str, ...]]
) -> dict[int, CodeInfo]:
    """Describe the code objects whose frames are activations, by the identity of the code."""
    infos = {id(code): CodeInfo(code, "<module>", (), False, code.co_code, True)}

    def visit(outer: types.CodeType) -> None:
        for inner in outer.co_consts:
            if not isinstance(inner, types.CodeType):
                continue
            node = layout.definitions.get(inner.co_firstlineno)
            if node is not None and inner.co_name == getattr(node, "name", None):
                infos[id(inner)] = CodeInfo(
                    code=inner,
                    function=inner.co_qualname.replace("<locals>.", ""),
                    global_names=global_names[id(node)],
                    is_class=isinstance(node, ast.ClassDef),
                    bytecode=inner.co_code,
                    keeps_locals=frames.keeps_locals(inner),
                )
            visit(inner)

    visit(code)
    return infos
