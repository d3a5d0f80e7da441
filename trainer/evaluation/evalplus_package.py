"""The ``evalplus`` package as the judge of HumanEval+ and MBPP+, where it is installed.

It works in a process of its own, and runs code in children of that with limits of its own, which
contain less than our sandbox does.

Source: https://github.com/evalplus/evalplus (its API, version 0.3)
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from tracer.records import Verdict
from trainer.errors import TrainingError

MISJUDGED = frozenset({"find_zero"})
"""Functions that version 0.3.1 never passes, since its special comparison forgets to count
(HumanEval/32); they are left to our runner."""


def has_evalplus() -> bool:
    """Whether the package is installed."""
    return importlib.util.find_spec("evalplus") is not None


def can_judge(record: Mapping[str, Any]) -> bool:
    """Whether the package's verdict on a record is of use."""
    return record["entry_point"] not in MISJUDGED


def require_evalplus() -> None:
    """See that the package is installed.

    Raises:
        TrainingError: It is not.
    """
    if not has_evalplus():
        raise TrainingError("--runner evalplus: it is not installed: pip install evalplus")


class EvalPlus:
    """Judges code by the inputs of EvalPlus's records; close it."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """End its process; it starts again when it is needed."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def check(self, record: Mapping[str, Any], code: str) -> Verdict:
        """Judge code by all inputs of a record."""
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                1, mp_context=spawn, initializer=_end_with, initargs=(os.getpid(),)
            )
        try:
            status = self._pool.submit(_status, dict(record), code).result()
        except BrokenProcessPool as error:
            self._pool = None
            return Verdict("infrastructure", f"evalplus: its process ended: {error}")
        except Exception as error:  # whatever the reference of a foreign file raises
            return Verdict("infrastructure", f"evalplus: {type(error).__name__}: {error}")
        if status == "pass":
            return Verdict("correct", "all inputs pass, says evalplus")
        return Verdict("incorrect", f"says evalplus: {status}")


def _end_with(parent: int) -> None:
    """End this process when the one that started it is gone, even if that was killed."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _status(record: dict[str, Any], code: str) -> str:
    """What evalplus says: ``pass``, ``fail`` or ``timeout``."""
    from evalplus.data.mbpp import mbpp_deserialize_inputs
    from evalplus.eval import untrusted_check
    from evalplus.eval._special_oracle import MBPP_OUTPUT_NOT_NONE_TASKS
    from evalplus.gen.util import trusted_exec

    task, entry_point = str(record["task_id"]), record["entry_point"]
    inputs = [*record["base_input"], *(record.get("plus_input") or ())]
    mbpp = task.startswith("Mbpp")
    if mbpp:
        inputs = mbpp_deserialize_inputs(task, inputs)
    expected, seconds = trusted_exec(
        record["prompt"] + record["canonical_solution"],
        inputs,
        entry_point,
        record_time=True,
        output_not_none=mbpp and entry_point in MBPP_OUTPUT_NOT_NONE_TASKS,
    )
    status, _ = untrusted_check(
        "mbpp" if mbpp else "humaneval",
        code,
        inputs,
        entry_point,
        expected=expected,
        atol=record.get("atol") or 0,
        ref_time=seconds,
        fast_check=True,
    )
    return str(status)
