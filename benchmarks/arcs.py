"""Line transitions of calls, seen by ``sys.settrace`` alone: run as a process of its own.

Reads ``{"code", "entry", "calls": [argument text], "seconds", "lines"}`` from standard input and
prints, for each call, ``null`` when it did not return (an exception, too long, too many lines) or
``[[[line, next line], …], digest of the order of lines, output]``. Line 0 is the end of a function.
Shares no code with the project, so that it can judge it. Trusted programs only.
"""

from __future__ import annotations

import copy
import io
import json
import random
import signal
import sys
import types
from contextlib import redirect_stderr, redirect_stdout


class Stopped(BaseException):
    """The call took too long."""


def stop(*_: object) -> None:
    raise Stopped


def watch(function: object, given: tuple, words: dict, most: int) -> list | None:
    arcs: set[tuple[int, int]] = set()
    last: dict[object, int] = {}
    order = 0
    seen = 0

    def local(frame: types.FrameType, event: str, _: object) -> object:
        nonlocal order, seen
        if event == "line":
            arcs.add((last.get(frame, -1), frame.f_lineno))
            last[frame] = frame.f_lineno
            order = hash((order, frame.f_lineno))
            seen += 1
            if seen > most:
                raise Stopped
        elif event == "return" and frame in last:
            arcs.add((last.pop(frame), 0))
        return local

    def enter(frame: types.FrameType, _: str, __: object) -> object:
        code = frame.f_code
        if code.co_filename != "program.py" or code.co_name.startswith("<"):
            return None
        return local

    sys.settrace(enter)
    try:
        result = function(*given, **words)  # type: ignore[operator]
    finally:
        sys.settrace(None)
    return [sorted(arc for arc in arcs if arc[0] != -1), order, repr(result)[:200]]


def main() -> None:
    task = json.load(sys.stdin)
    module = types.ModuleType("program")
    sys.modules["program"] = module
    exec(compile(task["code"], "program.py", "exec"), vars(module))
    vars(module)["_collect"] = lambda *given, **words: (given, words)
    signal.signal(signal.SIGALRM, stop)
    answers = []
    for text in task["calls"]:
        random.seed(0)
        signal.setitimer(signal.ITIMER_REAL, task["seconds"])
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                given, words = eval(f"_collect({text}\n)", vars(module))
                answer = watch(copy.copy(vars(module)[task["entry"]]), given, words, task["lines"])
        except BaseException:
            answer = None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        answers.append(answer)
    json.dump(answers, sys.__stdout__)


if __name__ == "__main__":
    main()
