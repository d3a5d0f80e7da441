"""Problems of code generation in their published shapes, and the code in a reply to one.

``problem_of({"prompt": ..., "entry_point": "f", "test": "def check(candidate): ..."})`` is one of
HumanEval's shape; MBPP's has ``test_list``, EvalPlus's ``base_input`` and ``canonical_solution``,
that of APPS ``input_output``. A reply may hold the whole function, or only its body, which then
follows the prompt; in a code fence or not.

Sources: HumanEval (https://arxiv.org/abs/2107.03374), MBPP (https://arxiv.org/abs/2108.07732),
EvalPlus (https://arxiv.org/abs/2305.01210), APPS (https://arxiv.org/abs/2105.09938).
"""

from __future__ import annotations

import ast
import builtins
import json
import textwrap
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tracer.answers import Layout, locate_answer
from tracer.fences import fenced_blocks
from tracer.records import Verdict
from tracer.unit_tests import (
    TestReport,
    TestSuite,
    from_asserts,
    from_check,
    from_inputs,
    from_stdio,
    imports_of,
)
from tracer.witnesses import restored

TEST_FIELDS = ("base_input", "test_list", "test", "input_output")
"""Fields that hold the tests of a problem; the first of them that is there counts."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Tests, and what a reply continues."""

    suite: TestSuite
    prompt: str = ""
    """Python text that a reply may continue: imports, helpers, the head of the function."""


def problem_of(record: Mapping[str, Any]) -> Problem:
    """Read a problem of a published shape.

    Raises:
        ValueError: The record is of no known shape, or its tests can't be used; says why.
    """
    kind = next((name for name in TEST_FIELDS if record.get(name)), None)
    if kind is None:
        raise ValueError(f"none of the keys {', '.join(TEST_FIELDS)} holds tests")
    prompt = record.get("prompt", "")
    prompt = prompt if isinstance(prompt, str) and _tree(prompt) is not None else ""
    if kind == "input_output":
        return Problem(_from_input_output(record[kind]), prompt)
    if kind == "test_list":
        return Problem(_from_test_list(record), prompt)
    entry_point = _text(record, "entry_point")
    if kind == "test":
        return Problem(from_check(entry_point, _text(record, "test"), prompt), prompt)
    given = [*record["base_input"], *record.get("plus_input", ())]
    if isinstance(record.get("assertion"), str):
        given = restored(entry_point, record["assertion"], record["base_input"], given)
    suite = from_inputs(
        entry_point,
        given,
        reference_code=prompt + _text(record, "canonical_solution"),
        atol=record.get("atol") or 0.0,
    )
    return Problem(suite, prompt)


def _from_test_list(record: Mapping[str, Any]) -> TestSuite:
    tests = record["test_list"]
    if not isinstance(tests, list) or not all(isinstance(test, str) for test in tests):
        raise ValueError("'test_list' is no list of texts")
    code = record.get("code")
    code = code if isinstance(code, str) and _tree(code) is not None else ""
    imports = record.get("test_imports") or ()
    parts = [imports_of(code), *imports, record.get("test_setup_code") or ""]
    setup = "\n".join(part for part in parts if part)
    return from_asserts(record.get("entry_point") or _called_function(tests, code), tests, setup)


def _called_function(tests: list[str], code: str) -> str:
    """The function that the tests are about: defined by the reference if there is one."""
    called: Counter[str] = Counter()
    for test in tests:
        tree = _tree(test)
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call)) if tree else ()
        called.update({node.func.id for node in calls if isinstance(node.func, ast.Name)})
    defined = _defined(_tree(code))
    names = [name for name in called if name in defined or not hasattr(builtins, name)]
    if not names:
        raise ValueError("the tests call no function")
    return max(names, key=lambda name: (name in defined, called[name]))


def _from_input_output(value: Any) -> TestSuite:
    try:
        pairs = json.loads(value) if isinstance(value, str) else value
        inputs, outputs = pairs["inputs"], pairs["outputs"]
    except (ValueError, KeyError, TypeError):
        raise ValueError("'input_output' does not hold 'inputs' and 'outputs'") from None
    if pairs.get("fn_name"):
        return from_inputs(pairs["fn_name"], inputs, outputs, json_sequences=True)
    return from_stdio(inputs, outputs)


def _text(record: Mapping[str, Any], name: str) -> str:
    if not isinstance(record.get(name), str):
        raise ValueError(f"the key {name!r} is missing or no text")
    text: str = record[name]
    return text


def find_code(problem: Problem, reply: str, layout: Layout = "any") -> str | Verdict:
    """The program to test, made of a reply; or the verdict on a reply that holds none."""
    region = locate_answer(reply, layout)
    if region is None:
        return Verdict("unparsed", "the reply has no answer block that can be told apart")
    blocks = fenced_blocks(region)
    texts = [text for text in reversed(blocks) if text] or ([] if blocks else [region.strip("\n")])
    if not any(text.strip() for text in texts):
        return Verdict("no_answer", "the reply holds no code")
    name = problem.suite.entry_point
    for text in texts:
        whole = textwrap.dedent(text)
        tree = _tree(whole)
        if tree is not None and (name is None or name in _defined(tree)):
            before = "" if "from __future__" in whole else _preamble(problem.prompt, name)
            return f"{before}{whole}\n"
    if problem.prompt and name is not None:
        body = texts[0]
        for text in (body, textwrap.indent(textwrap.dedent(body), "    ")):
            whole = f"{problem.prompt}\n{text}\n"
            if _compiles(whole) and name in _defined(_tree(whole)):
                return whole
    if _tree(textwrap.dedent(texts[0])) is None:
        return Verdict("unparsed", "the code in the reply is not Python")
    return Verdict("incorrect", f"the code in the reply defines no function {name}")


def verdict_of(report: TestReport) -> Verdict:
    """What a report of unit tests says about the code."""
    if report.status == "passed":
        return Verdict("correct", f"all {report.counted} tests pass")
    if report.status == "failed":
        return Verdict("incorrect", report.reason)
    return Verdict("infrastructure", f"the tests could not be run: {report.reason}")


def _preamble(prompt: str, name: str | None) -> str:
    """What a prompt defines before its function: imports, constants, helpers."""
    tree = _tree(prompt)
    if tree is None:
        return ""
    kept = [node for node in tree.body if getattr(node, "name", None) != name]
    kept = [node for node in kept if not _is_text(node)]
    return "".join(f"{ast.unparse(node)}\n\n" for node in kept)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _defined(tree: ast.Module | None) -> frozenset[str]:
    """Top-level names that a program binds by a statement that stands alone."""
    names: set[str] = set()
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.If | ast.Try):
            names |= _defined(ast.Module(node.body, []))
    return frozenset(names)


def _compiles(text: str) -> bool:
    """Whether a text is a module: unlike ``_tree`` it knows that ``return`` needs a function."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<reply>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
