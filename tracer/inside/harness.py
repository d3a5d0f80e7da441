"""Runs one program once, inside the contained child, and hands one result to ``deliver``.

Jobs are dictionaries ``{"mode", "source", "entry_point", "args", "stdin", "limits"}``; modes are
``trace`` (statement steps are recorded), ``run`` (the same call, plainly) and ``check`` (the whole
text is run as one module, for reference solutions with their tests). Two more make all of
``calls``, each in a new namespace: ``many`` (plainly) and ``traces`` (traced and, if ``plain`` says
so, plainly as well).
"""

from __future__ import annotations

import ast
import gc
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from tracer.inside import watch
from tracer.inside.activations import CodeInfo
from tracer.inside.columns import REPORT
from tracer.inside.encode import Encoder
from tracer.inside.frames import GENERATOR, slots_of, targets_of
from tracer.inside.layout import Layout, lay_out, stmt_of
from tracer.inside.modules import (
    FILE_NAME,
    Refused,
    compile_program,
    find_entry,
    new_module,
    read_arguments,
    refuse_async,
    run_module,
)
from tracer.inside.outcomes import PROGRAM_MODULE, describe_exception, outcome
from tracer.inside.plain_runs import run_call, run_many, run_once
from tracer.inside.plan import Plan, make_plan
from tracer.inside.scopes import named_globals
from tracer.inside.steps import Recorder
from tracer.inside.streams import open_streams, read_output, restart_output
from tracer.inside.trees import children_of

RECURSION_LIMIT = 1000
TRACE_MARGIN = 200
"""Frames by which a traced run may go deeper: the recorder itself needs some."""

Deliver = Callable[[dict[str, Any]], NoReturn]


def execute(job: dict[str, Any], deliver: Deliver) -> NoReturn:
    """Run ``job`` and deliver its result; whatever the program does ends in a result."""
    gc.disable()
    sys.setrecursionlimit(RECURSION_LIMIT)
    open_streams()
    result = _blank(job["args"])
    try:
        if job["mode"] == "trace":
            _trace(job, _encoder(job), result, deliver)
        elif job["mode"] == "traces":
            _trace_many(job, result, deliver)
        elif job["mode"] == "many":
            run_many(job, _encoder(job), result)
        else:
            run_once(job, _encoder(job), result)
    except Refused as refused:
        result["outcome"] = refused.outcome
    watched = watch.first_attempt()
    ended = result["outcome"]
    if watched is None and (ended["type"], ended["message"]) == watch.NO_THREADS:
        watched = "the program tried to start a thread"
    if watched is not None:
        result["outcome"] = outcome("blocked", None, None, watched)
        result["complete"] = False
    deliver(result)


def _blank(args: str) -> dict[str, Any]:
    """Return a result in which nothing has happened yet."""
    return {
        "python": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "complete": False,
        "stdout": "",
        "args": args,
        "statements": [],
        "lazy_lines": [],
        **{key: [] for key in REPORT},
    }


def _encoder(job: dict[str, Any]) -> Encoder:
    limits = job["limits"]
    return Encoder(limits["max_value_chars"], limits["max_value_depth"], PROGRAM_MODULE)


def _trace_many(job: dict[str, Any], result: dict[str, Any], deliver: Deliver) -> None:
    """Trace the ``calls``, ``[source, entry point, arguments]`` each, of programs without input.

    ``result`` gets ``results``, one for each call in their order, each with ``plain`` (its outcome
    and output) if that is wanted; a call that reaches its step limit is the last one.
    """
    prepared: dict[str, Prepared] = {}
    plain: dict[str, types.CodeType] = {}
    results = result["results"] = []
    result["outcome"] = outcome("returned")
    for source, entry, args in job["calls"]:
        call = {**job, "source": source, "entry_point": entry, "args": args}
        traced = _blank(args)
        results.append(traced)
        sys.setrecursionlimit(RECURSION_LIMIT)
        try:
            if source not in prepared:
                prepared[source] = prepare(source)
            _trace(call, _encoder(job), traced, lambda _: deliver(result), prepared[source])
            if job["plain"]:
                sys.setrecursionlimit(RECURSION_LIMIT)
                if source not in plain:
                    plain[source] = compile_program(source)[1]
                traced["plain"] = run_call(call, plain[source], _encoder(job))
        except Refused as refused:
            traced["outcome"] = refused.outcome


def _trace(
    job: dict[str, Any],
    encoder: Encoder,
    result: dict[str, Any],
    deliver: Deliver,
    prepared: Prepared | None = None,
) -> None:
    source, entry, limits = job["source"], job["entry_point"], job["limits"]
    prepared = prepared or prepare(source)
    code, codes = prepared.code, prepared.plan.codes
    result["statements"] = prepared.statements
    result["lazy_lines"] = list(prepared.lazy_lines)
    module = new_module()
    watch.begin()
    if entry is None:
        entry_code: types.CodeType | None = code

        def call() -> Any:
            exec(code, module.__dict__)
    else:
        run_module(code, module, encoder)
        function = find_entry(module, entry)
        arguments = read_arguments(job["args"], module, encoder)
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

    recorder = Recorder(prepared.plan, encoder, limits["max_steps"], entry_code, cut)
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


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program compiled for tracing."""

    code: types.CodeType
    plan: Plan
    lazy_lines: tuple[int, ...]
    """Source lines that hold a lambda or a generator expression."""
    statements: list[dict[str, Any]]


def prepare(source: str) -> Prepared:
    """Compile the text of a program so that a :class:`~.steps.Recorder` can follow it.

    Raises:
        Refused: the text does not compile, or is async.
    """
    try:
        return _prepare(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        compile_program(source)  # says what is wrong with the text itself
        raise


def _prepare(source: str) -> Prepared:
    tree = ast.parse(source, FILE_NAME)
    definitions = _preorder_definitions(tree)
    global_names = named_globals(source, FILE_NAME, definitions)
    layout = lay_out(tree)
    if layout.has_async:
        refuse_async(tree)
    code = compile(layout.tree, FILE_NAME, "exec", dont_inherit=True)
    names = dict(zip(map(id, definitions), global_names, strict=True))
    statements = [
        {"stmt": s.first, "line": s.line, "end_line": s.end_line, "col": s.col, "kind": s.kind}
        for s in layout.sites
    ]
    plan = make_plan(layout, _code_infos(code, layout, names))
    return Prepared(code, plan, layout.lazy_lines, statements)


def _preorder_definitions(tree: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for child in children_of(tree):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(child)
        if not isinstance(child, ast.expr):
            found.extend(_preorder_definitions(child))
    return found


def _code_infos(
    code: types.CodeType,
    layout: Layout,
    global_names: dict[int, tuple[tuple[str, ...], tuple[str, ...]]],
) -> dict[int, CodeInfo]:
    """Describe the code objects whose frames are activations, by the identity of the code."""
    infos = {
        id(code): CodeInfo(code, "<module>", (), (), False, code.co_code, False, slots_of(code), {})
    }

    def visit(outer: types.CodeType) -> None:
        for inner in outer.co_consts:
            if not isinstance(inner, types.CodeType):
                continue
            node = layout.definitions.get(inner.co_firstlineno)
            if node is not None and inner.co_name == getattr(node, "name", None):
                slots = slots_of(inner)
                moving, steady = global_names[id(node)]
                if layout.reaches_namespaces:
                    moving, steady = moving + steady, ()
                infos[id(inner)] = CodeInfo(
                    code=inner,
                    function=inner.co_qualname.replace("<locals>.", ""),
                    steady_names=steady,
                    global_names=moving,
                    is_class=isinstance(node, ast.ClassDef),
                    bytecode=inner.co_code,
                    is_generator=bool(inner.co_flags & GENERATOR),
                    slots=slots,
                    targets=targets_of(
                        slots,
                        layout.sites,
                        stmt_of(inner.co_firstlineno),
                        open_frames=layout.reaches_namespaces,
                    ),
                )
            visit(inner)

    visit(code)
    return infos
