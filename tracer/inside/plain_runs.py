"""Runs calls of a program plainly: one, several, or only the text of a module."""

from __future__ import annotations

import types
from typing import Any

from tracer.inside import watch
from tracer.inside.arguments import CallText
from tracer.inside.encode import Encoder
from tracer.inside.modules import (
    Refused,
    compile_program,
    find_entry,
    new_module,
    read_arguments,
    refuse_async,
    run_module,
)
from tracer.inside.outcomes import describe_exception, outcome
from tracer.inside.streams import read_output, restart_output


def run_once(job: dict[str, Any], encoder: Encoder, result: dict[str, Any]) -> None:
    """Run the call plainly (``run``) or only the module text (``check``)."""
    tree, code = compile_program(job["source"])
    module = new_module()
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
        refuse_async(tree)
        watch.begin()
        result["args"], result["outcome"] = _call(job["args"], entry, code, module, encoder)
    result["stdout"] = read_output(job["limits"]["output_bytes"])


def run_call(
    job: dict[str, Any], code: types.CodeType, encoder: Encoder, text: CallText | None
) -> dict[str, Any]:
    """Run one call of a compiled program; return its ``outcome`` and ``stdout``."""
    entry = job["entry_point"]
    _, ended = _call(job["args"], entry, code, new_module(), encoder, text)
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
                tree, code = compile_program(source)
                refuse_async(tree)
                codes[source] = code
            outcomes.append(_call(args, entry, codes[source], new_module(), encoder)[1])
        except Refused as refused:
            outcomes.append(refused.outcome)
    result["outcome"] = outcome("returned")


def _call(
    args: str,
    entry: str,
    code: types.CodeType,
    module: types.ModuleType,
    encoder: Encoder,
    text: CallText | None = None,
) -> tuple[str, dict[str, Any]]:
    """Run the module, then one call of its entry point; canonical arguments and the outcome."""
    run_module(code, module, encoder)
    function = find_entry(module, entry)
    arguments = read_arguments(args, module, encoder, text)
    restart_output()
    try:
        value = function(*arguments.positional, **arguments.keyword)
        return arguments.text, outcome("returned", *encoder.describe(value))
    except BaseException as error:
        return arguments.text, describe_exception(error, encoder)
