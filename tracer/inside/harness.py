"""Runs one program once, inside the contained child, and hands one result to ``deliver``.

Jobs are dictionaries ``{"mode", "source", "entry_point", "args", "stdin", "limits"}``; modes are
``trace`` (statement steps are recorded), ``points`` (their order is, and the states after the steps
of ``points``), ``run`` (the same call, plainly) and ``check`` (the whole
text is run as one module, for reference solutions with their tests). Two more make all of
``calls``, each in a new namespace: ``many`` (plainly) and ``traces`` (traced and, if ``plain`` says
so, plainly as well). ``prepare`` runs nothing: it compiles ``programs`` and ``arguments`` for jobs
to come.
"""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from tracer.inside import watch
from tracer.inside.arguments import CallText
from tracer.inside.columns import REPORT
from tracer.inside.encode import Encoder
from tracer.inside.modules import (
    Refused,
    compile_program,
    find_entry,
    new_module,
    read_arguments,
    run_module,
)
from tracer.inside.outcomes import PROGRAM_MODULE, describe_exception, outcome
from tracer.inside.packing import pack_call, pack_program, unpack_call, unpack_code, unpack_program
from tracer.inside.plain_runs import run_call, run_many, run_once
from tracer.inside.points import PointRecorder
from tracer.inside.preparation import Prepared, prepare
from tracer.inside.steps import Recorder
from tracer.inside.streams import open_streams, read_output, restart_output

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
        if job["mode"] in ("trace", "points"):
            prepared = prepare(job["source"])
            _describe(prepared, result)
            _trace(job, _encoder(job), result, deliver, prepared)
        elif job["mode"] == "prepare":
            _prepare_many(job, result)
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


def _prepare_many(job: dict[str, Any], result: dict[str, Any]) -> None:
    """Compile texts of programs and of arguments; ``None`` for what the run itself is to read."""
    result["programs"] = [pack_program(source) for source in job["programs"]]
    result["arguments"] = [pack_call(text) for text in job["arguments"]]
    result["outcome"] = outcome("returned")


def _trace_many(job: dict[str, Any], result: dict[str, Any], deliver: Deliver) -> None:
    """Trace ``calls`` of programs that have no input.

    Each is ``[number of its program, entry point, arguments, packed arguments]``; ``programs`` are
    ``[source, packed program, packed plain code]``. What is packed was made by ``prepare``, or is
    ``None``. ``result`` gets ``results``, one for each call in their order, each with ``plain``
    (its outcome and output) if that is wanted; a call that reaches its step limit is the last one.
    """
    known: dict[int, Prepared] = {}
    plain: dict[int, types.CodeType] = {}
    results = result["results"] = []
    result["outcome"] = outcome("returned")
    for number, entry, args, packed_args in job["calls"]:
        source, packed, packed_plain = job["programs"][number]
        call = {**job, "entry_point": entry, "args": args}
        traced = _blank(args)
        results.append(traced)
        sys.setrecursionlimit(RECURSION_LIMIT)
        try:
            if number not in known:
                prepared = prepare(source) if packed is None else unpack_program(packed)
                known[number] = prepared
            prepared = known[number]
            if packed is None:
                _describe(prepared, traced)
            text = None if packed_args is None else unpack_call(packed_args)
            _trace(call, _encoder(job), traced, lambda _: deliver(result), prepared, text)
            if job["plain"]:
                sys.setrecursionlimit(RECURSION_LIMIT)
                if number not in plain:
                    plain[number] = (
                        compile_program(source) if packed is None else unpack_code(packed_plain)
                    )
                traced["plain"] = run_call(call, plain[number], _encoder(job), text)
        except Refused as refused:
            traced["outcome"] = refused.outcome


def _describe(prepared: Prepared, result: dict[str, Any]) -> None:
    result["statements"] = prepared.statements
    result["lazy_lines"] = list(prepared.lazy_lines)


def _trace(
    job: dict[str, Any],
    encoder: Encoder,
    result: dict[str, Any],
    deliver: Deliver,
    prepared: Prepared,
    text: CallText | None = None,
) -> None:
    entry, limits = job["entry_point"], job["limits"]
    code, codes = prepared.code, prepared.codes
    module = new_module()
    watch.begin()
    if entry is None:
        entry_code: types.CodeType | None = code

        def call() -> Any:
            exec(code, module.__dict__)
    else:
        run_module(code, module, encoder)
        function = find_entry(module, entry)
        arguments = read_arguments(job["args"], module, text)
        result["args"] = arguments.write(encoder)
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

    recorder = _recorder(job, prepared, encoder, entry_code, cut)
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


def _recorder(
    job: dict[str, Any],
    prepared: Prepared,
    encoder: Encoder,
    entry_code: types.CodeType | None,
    cut: Callable[[], None],
) -> Recorder:
    max_steps = job["limits"]["max_steps"]
    if job["mode"] == "points":
        return PointRecorder(prepared, encoder, max_steps, entry_code, cut, job["points"])
    return Recorder(prepared, encoder, max_steps, entry_code, cut)


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
