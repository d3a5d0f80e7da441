"""The tests' side of a unit test: runs the tests, without the solution.

The job holds ``setup`` (source run first), ``names`` (those under which the tests know the entry
point) and ``tests``, each ``{"token", "source"}``. One message is sent for each test that was run:
``{"token", "status", "reason"}``. A test *passes* when its source ends without raising and has
called the solution. ``broken`` means that the test itself is at fault.

Source: own (DESIGN, section 3, "Verification").
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from os import _exit
from typing import Any, NoReturn

from tracer.inside.plain import PlainWriter
from tracer.inside.stand_ins import CannotSend, Line, SolutionGone, stand_in
from tracer.inside.streams import open_streams
from tracer.inside.talk import Talk

MODULE = "tests"
_MAX_REASON = 500


def execute(job: dict[str, Any], deliver: Callable[[dict[str, Any]], NoReturn]) -> NoReturn:
    """Run the tests of ``job`` in order and report each."""
    talk = Talk(job["_talk_fd"])
    talk.send({"ready": True})
    open_streams()
    module = types.ModuleType(MODULE)
    sys.modules[MODULE] = module
    line = Line(talk, PlainWriter(job["limits"]["max_value_chars"], MODULE))
    problem = _prepare(module.__dict__, job, line)
    if problem is not None:
        talk.send({"broken": problem})
        _exit(0)
    for test in job["tests"]:
        line.begin()
        try:
            status, reason = _run_test(test["source"], module.__dict__, line)
        except SolutionGone:
            break
        talk.send({"token": test["token"], "status": status, "reason": reason[:_MAX_REASON]})
    talk.send({"end": True})
    _exit(0)


def _prepare(space: dict[str, Any], job: dict[str, Any], line: Line) -> str | None:
    """Run the setup, then bind the solution's names; return what is wrong with the setup."""
    try:
        exec(compile(job["setup"], "<setup>", "exec", dont_inherit=True), space)
    except BaseException as error:
        return f"the setup of the tests raised {type(error).__name__}: {error}"[:_MAX_REASON]
    for name in job["names"]:
        space[name] = stand_in(line, name)
    return None


def _run_test(source: str, space: dict[str, Any], line: Line) -> tuple[str, str]:
    try:
        exec(compile(source, "<test>", "exec", dont_inherit=True), space)
    except SolutionGone:
        raise
    except CannotSend as error:
        # After a call the solution may have had a hand in what is passed on.
        status = "failed" if line.calls else "broken"
        return status, f"the test passes {error}, which is no plain data"
    except AssertionError as error:
        if error is line.raised:
            return "failed", f"the call raised {line.last}"
        said = f" ({error})" if error.args else ""
        return (
            "failed",
            f"{_first_line(source)} does not hold{said}: the last call gave {line.last}",
        )
    except BaseException as error:
        return _judge_exception(error, source, line)
    if not line.calls:
        return "broken", "the test never calls the solution"
    return "passed", ""


def _judge_exception(error: BaseException, source: str, line: Line) -> tuple[str, str]:
    """Tell a call that raised, or whose result could not be used, from a test that is wrong."""
    if error is line.raised:
        return "failed", f"the call raised {line.last}"
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, NameError | ImportError | SystemExit) or not line.calls:
        return "broken", f"the test itself raised {what}"
    return "failed", f"{_first_line(source)} raised {what}: the last call gave {line.last}"


def _first_line(source: str) -> str:
    line, _, rest = source.strip().partition("\n")
    return line if len(line) <= 200 and not rest else f"{line[:200]}..."
