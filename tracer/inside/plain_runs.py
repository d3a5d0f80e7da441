"""Runs calls of a program plainly: one, several, or only the text of a module."""

from __future__ import annotations

import types
from typing import Any

from tracer.inside import watch
from tracer.inside.arguments import Arguments, CallText
from tracer.inside.encode import Encoder
from tracer.inside.modules import (
    Refused,
    compile_program,
    find_entry,
    new_module,
    read_arguments,
    run_module,
)
from tracer.inside.outcomes import describe_exception, outcome
from tracer.inside.streams import read_output, restart_output


def run_once(job: dict[str, Any], encoder: Encoder, result: dict[str, Any]) -> None:
    """Run the call plainly (``run``) or only the module text (``check``)."""
    entry = job["entry_point"] if job["mode"] == "run" else None
    code = compile_program(job["source"], allow_async=entry is None)
    if entry is None:
        module = new_module()
        restart_output()
        watch.begin()
        try:
            exec(code, module.__dict__)
            result["outcome"] = outcome("returned", "NoneType", "None")
        except BaseException as error:
            result["outcome"] = describe_exception(error, encoder)
    else:
        watch.begin()
        function, arguments = _begin(job["args"], entry, code, encoder)
        result["args"] = arguments.write(encoder)
        result["outcome"] = _finish(function, arguments, encoder)
    result["stdout"] = read_output(job["limits"]["output_bytes"])


def run_call(
    job: dict[str, Any], code: types.CodeType, encoder: Encoder, text: CallText | None
) -> dict[str, Any]:
    """Run one call of a compiled program; return its ``outcome`` and ``stdout``."""
    begun = _begin(job["args"], job["entry_point"], code, encoder, text)
    ended = _finish(*begun, encoder)
    return {"outcome": ended, "stdout": read_output(job["limits"]["output_bytes"])}


def run_many(job: dict[str, Any], encoder: Encoder, result: dict[str, Any]) -> None:
    """Make the ``calls``, ``[source, entry point, arguments]`` each; what they print is not kept.

    ``result`` gets ``outcomes``, in their order.
    """
    codes: dict[str, types.CodeType] = {}
    outcomes = result["outcomes"] = []
    watch.begin()
    for source, entry, args in job["calls"]:
        try:
            if source not in codes:
                codes[source] = compile_program(source, allow_async=False)
            outcomes.append(_finish(*_begin(args, entry, codes[source], encoder), encoder))
        except Refused as refused:
            outcomes.append(refused.outcome)
    result["outcome"] = outcome("returned")


def _begin(
    args: str,
    entry: str,
    code: types.CodeType,
    encoder: Encoder,
    text: CallText | None = None,
) -> tuple[Any, Arguments]:
    """Run the module; return its entry point and the arguments of the call."""
    module = new_module()
    run_module(code, module, encoder)
    function = find_entry(module, entry)
    return function, read_arguments(args, module, text)


def _finish(function: Any, arguments: Arguments, encoder: Encoder) -> dict[str, Any]:
    """Make the call; return its outcome."""
    restart_output()
    try:
        value = function(*arguments.positional, **arguments.keyword)
        return outcome("returned", *encoder.describe(value))
    except BaseException as error:
        return describe_exception(error, encoder)
