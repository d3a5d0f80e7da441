"""Makes suites of the published shapes of unit tests.

Sources: MBPP's ``test_list`` (https://arxiv.org/abs/2108.07732), HumanEval's ``check(candidate)``
(https://arxiv.org/abs/2107.03374), EvalPlus's base and plus inputs with ``atol``
(https://arxiv.org/abs/2305.01210), APPS's inputs and outputs (https://arxiv.org/abs/2105.09938).
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tracer.literals import NotFaithful, arguments_of, from_node
from tracer.unit_tests.claims import claim_about, fold
from tracer.unit_tests.records import Test, TestSuite
from tracer.values import canonical, is_faithful


def from_asserts(entry_point: str, asserts: Sequence[str] | str, setup: str = "") -> TestSuite:
    """Tests that are statements calling ``entry_point`` by its name, as MBPP's ``test_list``.

    Args:
        entry_point: name of the function.
        asserts: source of each test; or one module text, as EvalPlus's ``assertion``, whose asserts
            are the tests and whose other statements belong to the setup.
        setup: code of ours that is run first, in the tests' process: imports and helpers.

    Raises:
        ValueError: there is no test, or a text is not Python.
    """
    if isinstance(asserts, str):
        body = _tree(asserts, "the text of the tests").body
        others = [ast.unparse(node) for node in body if not isinstance(node, ast.Assert)]
        setup = "\n".join([setup, *others])
        asserts = [ast.unparse(node) for node in body if isinstance(node, ast.Assert)]
    for place, text in enumerate(asserts):
        _tree(text, f"test {place}")
    names = (_name(entry_point),)
    before = _tree(setup, "the setup")
    tests = tuple(_source_test(text, names, before) for text in asserts)
    return _suite(TestSuite("source", tests, entry_point, names=names, setup=setup))


def from_check(entry_point: str, check_source: str, setup: str = "") -> TestSuite:
    """The tests of a ``check(candidate)`` function, as HumanEval's.

    A body that is a plain sequence of asserts gives one test for each that calls the candidate; any
    other body is one test.

    Args:
        entry_point: name of the function.
        check_source: module text that defines ``check``; a call of it at the end is no matter.
        setup: code of ours that is run first, such as the problem's prompt: HumanEval's checks use
            helpers that stand there.

    Raises:
        ValueError: the text is not Python, defines no ``check`` of one parameter, or tests nothing.
    """
    _tree(setup, "the setup")
    body = _tree(check_source, "the check").body
    check = next(
        (n for n in reversed(body) if isinstance(n, ast.FunctionDef) and n.name == "check"), None
    )
    if check is None or len(check.args.args) != 1:
        raise ValueError("the check defines no function check(candidate)")
    candidate = check.args.args[0].arg
    rest = [node for node in body if node is not check and not _calls_check(node)]
    asserts = _plain_asserts(check, candidate)
    if asserts is None:
        sources = [f"{ast.unparse(check)}\ncheck({entry_point})"]
    else:
        sources = [ast.unparse(node) for node in asserts]
    parts = [setup, *(ast.unparse(node) for node in rest)]
    before = "\n\n".join(part for part in parts if part)
    names = tuple(dict.fromkeys((_name(entry_point), candidate)))
    tree = _tree(before, "the setup")
    tests = tuple(_source_test(text, names, tree) for text in sources)
    return _suite(TestSuite("source", tests, entry_point, names=names, setup=before))


def from_inputs(
    entry_point: str,
    inputs: Sequence[Sequence[Any]],
    expected: Sequence[Any] | None = None,
    *,
    reference_code: str | None = None,
    atol: float = 0.0,
    json_sequences: bool = False,
) -> TestSuite:
    """Tests that are argument lists with the expected results, as EvalPlus's.

    Results are compared as Python's ``==`` compares plain data, NaN being equal to NaN; with
    ``atol`` two floats in the same place may differ by as much, ints never.

    Args:
        entry_point: name of the function.
        inputs: positional arguments of each call; plain data.
        expected: result of each call; plain data.
        reference_code: instead of ``expected``, code that defines ``entry_point``, run on the same
            inputs in a process of its own; an input on which it fails is an invalid test.
        atol: absolute tolerance between floats.
        json_sequences: whether the expected results went through JSON, which writes a tuple as a
            list: then the two are the same, as in APPS's own tests.

    Raises:
        ValueError: there is no test, neither or both of ``expected`` and ``reference_code`` are
            given, their number differs, or a value is no plain data.
    """
    if (expected is None) == (reference_code is None):
        raise ValueError("give either the expected results or reference code")
    if expected is not None and len(expected) != len(inputs):
        raise ValueError(f"{len(inputs)} inputs have {len(expected)} expected results")
    if not atol >= 0:
        raise ValueError("atol is not negative")
    tests = []
    for place, arguments in enumerate(inputs):
        texts = tuple(_text(value, f"input {place}") for value in arguments)
        result = None if expected is None else _text(expected[place], f"expected result {place}")
        tests.append(Test(args=texts, expected=result))
    return _suite(
        TestSuite(
            "call",
            tuple(tests),
            _name(entry_point),
            reference=reference_code,
            atol=float(atol),
            json_sequences=json_sequences,
        )
    )


def from_stdio(inputs: Sequence[str], outputs: Sequence[str]) -> TestSuite:
    """Tests of a whole program: what it reads and what it is to print, as APPS's.

    Output is compared line by line; blanks at the end of a line and blank lines at the end don't
    count.

    Raises:
        ValueError: there is no test, or as many outputs as inputs are not given.
    """
    if len(inputs) != len(outputs):
        raise ValueError(f"{len(inputs)} inputs have {len(outputs)} outputs")
    if not all(isinstance(text, str) for text in (*inputs, *outputs)):
        raise ValueError("inputs and outputs of programs are text")
    tests = tuple(
        Test(stdin=given, expected=printed) for given, printed in zip(inputs, outputs, strict=True)
    )
    return _suite(TestSuite("program", tests))


def imports_of(source: str) -> str:
    """Return the import statements at the top level of ``source``, as a setup.

    Some published tests use modules that only the reference solution imports.

    Raises:
        ValueError: the text is not Python.
    """
    body = _tree(source, "the source").body
    return "\n".join(ast.unparse(n) for n in body if isinstance(n, ast.Import | ast.ImportFrom))


def _source_test(text: str, names: tuple[str, ...], setup: ast.Module) -> Test:
    """A test that is code, taken apart where it asserts something of one call on literals."""
    test = Test(source=text)
    body = _tree(text, "a test").body
    if len(body) != 1 or not isinstance(body[0], ast.Assert):
        return test
    node = fold(body[0].test)
    calls = [part for part in ast.walk(node) if _is_call_of(part, names)]
    mentions = [part for part in ast.walk(node) if _is_name(part, names)]
    if len(calls) != 1 or len(mentions) != 1:
        return test
    call = calls[0]
    assert isinstance(call, ast.Call)
    try:
        positional, keyword = arguments_of(call)
    except NotFaithful:
        return test
    taken = replace(
        test,
        args=tuple(map(canonical, positional)),
        kwargs=tuple((name, canonical(part)) for name, part in keyword.items()),
    )
    expected = _equal_literal(node, call)
    if expected is not None:
        return replace(taken, expected=expected)
    claim = claim_about(node, call, setup)
    return test if claim is None else replace(taken, claim=claim)


def _equal_literal(node: ast.expr, call: ast.Call) -> str | None:
    """The canonical text of the literal that the test compares the call with."""
    if not (
        isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq)
    ):
        return None
    sides = (node.left, node.comparators[0])
    if call not in sides:
        return None
    try:
        text = canonical(from_node(sides[call is sides[0]]))
    except NotFaithful:
        return None
    return None if "nan" in text else text  # equals nothing in Python, and so is left to Python


def _is_name(node: ast.AST, names: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _is_call_of(node: ast.AST, names: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _suite(suite: TestSuite) -> TestSuite:
    if not suite.tests:
        raise ValueError("there are no tests: a suite without tests would pass anything")
    return suite


def _name(entry_point: str) -> str:
    if not entry_point.isidentifier():
        raise ValueError(f"the entry point {entry_point!r} is no name")
    return entry_point


def _tree(text: str, what: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"{what} is not Python: {error}") from None


def _text(value: Any, what: str) -> str:
    text = canonical(value)
    if not is_faithful(text):
        raise ValueError(f"{what} is no plain data: {text[:100]}")
    return text


def _calls_check(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "check"
    )


def _plain_asserts(check: ast.FunctionDef, candidate: str) -> list[ast.Assert] | None:
    """Asserts that call the candidate; ``None`` if there is more to the body than asserts."""
    found = []
    for node in check.body:
        if isinstance(node, ast.Assert):
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if candidate in names:
                found.append(node)
        elif not isinstance(node, ast.Pass) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            return None
    return found
