r"""LiveCodeBench, code generation: contest problems, judged by their public and private tests.

Rows ``{"question_id": "abc301_a", "question_content": ..., "starter_code": "", "difficulty":
"easy", "public_test_cases": "[{\"input\": ..., \"output\": ..., \"testtype\": \"stdin\"}]",
"private_test_cases": ..., "metadata": "{\"func_name\": ...}"}``. The private tests may be packed (a
pickled text, compressed, in base 64): they are unpacked by a reader that builds nothing but text.

Source: https://arxiv.org/abs/2403.07974
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import pickle
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tracer.problems import Problem
from tracer.unit_tests import TestSuite, from_inputs, from_stdio
from trainer.evaluation.asking import ask_for_code, in_fence
from trainer.evaluation.coding import CODE, code_task
from trainer.evaluation.fields import readable, text
from trainer.evaluation.records import Loaded, Row, Task, TestsKey

MAX_BYTES = 512 * 1024 * 1024
"""Of the unpacked tests of one problem."""


def load(rows: Iterable[Row]) -> Loaded:
    """One task a row."""
    tasks, left_out = readable(rows, _task)
    return Loaded(tuple(tasks), tuple(left_out))


def _task(row: Row, place: int) -> Task:
    starter = row.get("starter_code") or ""
    cases = [*_cases(row.get("public_test_cases")), *_cases(row.get("private_test_cases"))]
    if not cases:
        raise ValueError("it has no tests")
    suite = _suite(cases, row)
    how = (
        f"Complete this code.\n\n{in_fence(starter)}"
        if suite.entry_point
        else "Read from standard input and write the answer to standard output."
    )
    prompt = ask_for_code(f"{text(row, 'question_content').strip()}\n\n{how}")
    key = TestsKey(Problem(suite), method=suite.entry_point is not None)
    name = str(row.get("question_id", place))
    return code_task(name, prompt, {CODE: key}, row.get("difficulty"))


def _suite(cases: Sequence[Mapping[str, Any]], row: Row) -> TestSuite:
    try:
        if cases[0].get("testtype") != "functional":
            return from_stdio([each["input"] for each in cases], [each["output"] for each in cases])
        function = json.loads(row.get("metadata") or "{}")["func_name"]
        inputs = [[json.loads(line) for line in each["input"].split("\n")] for each in cases]
        outputs = [json.loads(each["output"]) for each in cases]
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"its tests can't be read: {error!r}") from None
    return from_inputs(function, inputs, outputs, json_sequences=True)


def _cases(packed: Any) -> list[Mapping[str, Any]]:
    """The tests of a field: JSON, or JSON that was pickled, compressed and written in base 64.

    Raises:
        ValueError: It is neither.
    """
    if not packed:
        return []
    try:
        found = json.loads(packed) if isinstance(packed, str) else packed
    except ValueError:
        found = json.loads(_unpack(packed))
    if not isinstance(found, list):
        raise ValueError("its tests are no list")
    return found


def _unpack(packed: str) -> str:
    try:
        reader = zlib.decompressobj()
        plain = reader.decompress(base64.b64decode(packed, validate=True), MAX_BYTES)
        found = _TextOnly(io.BytesIO(plain)).load()
    except (binascii.Error, zlib.error, pickle.UnpicklingError, EOFError, ValueError) as error:
        raise ValueError(f"its private tests can't be unpacked: {error}") from None
    if not isinstance(found, str):
        raise ValueError("its private tests are no packed text")
    return found


class _TextOnly(pickle.Unpickler):
    """Reads a pickled text, and nothing that names a class or function."""

    def find_class(self, module: str, name: str) -> Any:
        """Refuse."""
        raise pickle.UnpicklingError(f"it names {module}.{name}")

    def persistent_load(self, pid: Any) -> Any:
        """Refuse."""
        raise pickle.UnpicklingError("it points outside")
