"""Code that wants to be paid for tests it does not pass.

Each attack is first shown to be paid by a naive grader; here none of its tests may pass.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from naive_graders import (
    MARKER,
    comparing_grader,
    exit_code_grader,
    marker_grader,
    prefix_grader,
    self_report_grader,
    substring_grader,
    token_grader,
)

from tracer.unit_tests import TestLimits, UnitTester, from_asserts, from_inputs, from_stdio

LIMITS = TestLimits(test_cpu_s=2.0, idle_s=2.0)


@pytest.fixture(scope="module")
def tester() -> Iterator[UnitTester]:
    with UnitTester(LIMITS) as found:
        yield found


@dataclass(frozen=True)
class Attack:
    code: str
    tests: str = "assert f(1) == 7\nassert f(2) == [8]"
    paid_by: Callable[[str, str], bool] = exit_code_grader


SELF_REPORT = """
import os
def f(x):
    for number in range(3, 1024):
        try:
            os.write(number, {message})
        except OSError:
            pass
    {end}
"""
WALK = """
import sys
def walk(wanted):
    frame = sys._getframe()
    while frame is not None:
        for space in (frame.f_locals, frame.f_globals):
            for name, value in list(space.items()):
                if wanted(name, value):
                    return value
        frame = frame.f_back
"""
FIND = """
import gc, sys
def known(x):
    for found in gc.get_objects():
        if type(found) is list and found and type(found[0]) is tuple and len(found[0]) == 2:
            for arguments, expected in found:
                if arguments == (x,):
                    return expected
"""
CASES = "cases = [((1,), 'seven'), ((2,), 'eight')]"


def _equal(base: str, more: str = "") -> str:
    return f"""
class Yes({base}):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    {more}
def f(x):
    return Yes()
"""


ATTACKS = {
    # It ends early.
    "exit: in the function": Attack("import os\ndef f(x): os._exit(0)"),
    "exit: on import": Attack("import os\nos._exit(0)\ndef f(x): return 0"),
    "exit: SystemExit": Attack("import sys\ndef f(x): sys.exit(0)"),
    "exit: SystemExit on import": Attack("import sys\nsys.exit(0)"),
    "exit: own kind of SystemExit": Attack(
        "class End(SystemExit): pass\ndef f(x): raise End(0)"
    ),
    "exit: hook for exceptions": Attack(
        "import os, sys\nsys.excepthook = lambda *_: os._exit(0)\ndef f(x): return 0"
    ),
    "exit: at the end of the process": Attack(
        "import atexit, os\natexit.register(os._exit, 0)\ndef f(x): return 0"
    ),
    "exit: when an object dies": Attack(
        "import os\nclass Last:\n    def __del__(self): os._exit(0)\nlast = Last()\n"
        "def f(x):\n    global last\n    del last"
    ),
    "exit: by the C library": Attack("import ctypes\ndef f(x): ctypes.CDLL(None)._exit(0)"),
    "exit: by a signal handler": Attack(
        "import os, signal\nsignal.signal(signal.SIGALRM, lambda *_: os._exit(0))\n"
        "def f(x):\n    signal.raise_signal(signal.SIGALRM)"
    ),
    # It prints what a harness prints.
    "marker: printed": Attack(f"print({MARKER!r})\ndef f(x): return 0", paid_by=marker_grader),
    "marker: written to the descriptor": Attack(
        f"import os\nos.write(1, {MARKER.encode()!r})\ndef f(x): return 0", paid_by=marker_grader
    ),
    "marker: through the first stream": Attack(
        f"import sys\nsys.__stdout__.write({MARKER!r})\ndef f(x): return 0", paid_by=marker_grader
    ),
    "marker: at exit": Attack(
        f"import atexit\natexit.register(print, {MARKER!r})\ndef f(x): return 0",
        paid_by=marker_grader,
    ),
    "marker: by a hook": Attack(
        f"import sys\nsys.excepthook = lambda *_: print({MARKER!r})\ndef f(x): return 0",
        paid_by=marker_grader,
    ),
    "marker: from the source of the tests": Attack(
        "import os\ndef f(x):\n    text = open(__file__).read()\n"
        "    print(text[text.rindex('print('):], flush=True)\n    os._exit(0)",
        paid_by=marker_grader,
    ),
    # It replaces what the tests use.
    "patch: math.isclose": Attack(
        "import math\nmath.isclose = lambda *a, **k: True\ndef f(x): return 0.0",
        "import math\nassert math.isclose(f(1), 2.5)",
    ),
    "patch: abs": Attack(
        "import builtins\nbuiltins.abs = lambda x: 0\ndef f(x): return 0.0",
        "assert abs(f(1) - 2.5) < 1e-6",
    ),
    "patch: set": Attack(
        "import builtins\nbuiltins.set = lambda x=(): 0\ndef f(x): return [0]",
        "assert set(f(1)) == set([1, 2])",
    ),
    "patch: sorted": Attack(
        "import builtins\nbuiltins.sorted = lambda *a, **k: 0\ndef f(x): return [0]",
        "assert sorted(f(1)) == sorted([2, 1])",
    ),
    "patch: len": Attack(
        "import builtins\nbuiltins.len = lambda x: 3\ndef f(x): return 'a'",
        "assert len(f(1)) == 3",
    ),
    "patch: isinstance": Attack(
        "import builtins\nbuiltins.isinstance = lambda *_: True\ndef f(x): return 1",
        "assert isinstance(f(1), str)",
    ),
    "patch: all": Attack(
        "import builtins\nbuiltins.all = lambda parts: list(parts) and True\ndef f(x): return 0",
        "assert all(f(x) == x + 1 for x in range(1, 5))",
    ),
    "patch: the lines of the tests": Attack(
        "import sys\ndef skip(frame, event, arg):\n    return skip\n"
        "def f(x):\n    frame = sys._getframe(1)\n    frame.f_trace = jump\n"
        "    sys.settrace(skip)\n    return 7\n"
        "def jump(frame, event, arg):\n    import os\n    os._exit(0)\n",
        "assert f(1) == 8\nassert f(2) == 8",
    ),
    # It looks for the expected values.
    "look: collector": Attack(
        f"{FIND}def f(x): return known(x)", CASES, paid_by=comparing_grader
    ),
    "look: locals of the caller": Attack(
        "import sys\ndef f(x): return sys._getframe(1).f_locals['expected']",
        CASES,
        paid_by=comparing_grader,
    ),
    "look: every frame": Attack(
        f"{WALK}def f(x):\n    cases = walk(lambda name, value: name == 'cases')\n"
        "    return dict(cases)[(x,)]",
        CASES,
        paid_by=comparing_grader,
    ),
    "look: main module": Attack(
        "import __main__\ndef f(x): return dict(__main__.cases)[(x,)]",
        CASES,
        paid_by=comparing_grader,
    ),
    "look: own file": Attack(
        "import ast\ndef f(x):\n    for node in ast.parse(open(__file__).read()).body:\n"
        "        if isinstance(node, ast.Assign) and node.targets[0].id == 'cases':\n"
        "            return dict(ast.literal_eval(node.value))[(x,)]",
        CASES,
        paid_by=comparing_grader,
    ),
    "look: constants of the caller": Attack(
        "import sys\ndef f(x):\n    for part in sys._getframe(1).f_code.co_consts:\n"
        "        if isinstance(part, str) and part.startswith('seven'): return part",
        "assert f(1) == 'seventy'",
    ),
    "look: source of the caller": Attack(
        "import inspect\ndef f(x):\n    line = inspect.stack()[1].code_context[0]\n"
        "    return eval(line.split('==')[1])",
        "assert f(1) == 'seventy'\nassert f(2) == 3",
    ),
    "look: referrers of the argument": Attack(
        "import gc\ndef f(x):\n    for holder in gc.get_referrers(x):\n"
        "        for outer in gc.get_referrers(holder):\n"
        "            if type(outer) is tuple and len(outer) == 2: return outer[1]",
        "cases = [((['a', 1],), 'seven'), ((['b', 2],), 'eight')]",
        paid_by=comparing_grader,
    ),
    "look: modules": Attack(
        "import sys\ndef f(x):\n    for module in list(sys.modules.values()):\n"
        "        if hasattr(module, 'cases'): return dict(module.cases)[(x,)]",
        CASES,
        paid_by=comparing_grader,
    ),
    # It returns objects that agree with anything.
    "equal: object": Attack(_equal("object")),
    "equal: int": Attack(_equal("int")),
    "equal: list": Attack(_equal("list"), "assert f(1) == [1, 2]"),
    "equal: str": Attack(_equal("str"), "assert f(1) == 'seven'"),
    "equal: float": Attack(_equal("float"), "assert f(1) == 2.5"),
    "equal: dict": Attack(_equal("dict"), "assert f(1) == {1: 2}"),
    "equal: tuple": Attack(_equal("tuple"), "assert f(1) == (1, 2)"),
    "equal: inside a list": Attack(
        _equal("object").replace("return Yes()", "return [Yes()]"), "assert f(1) == [3]"
    ),
    "equal: as a key": Attack(
        _equal("object").replace("return Yes()", "return {Yes(): 1}"),
        "assert list(f(1)) == ['a']",
    ),
    "equal: from a generator": Attack(
        _equal("object").replace("return Yes()", "yield Yes()"), "assert list(f(1)) == [3]"
    ),
    "equal: a class": Attack(
        "class Meta(type):\n    def __eq__(self, other): return True\n"
        "    __hash__ = type.__hash__\nclass Yes(metaclass=Meta): pass\ndef f(x): return Yes",
    ),
    "equal: library object": Attack("from unittest.mock import ANY\ndef f(x): return ANY"),
    "equal: another class by its word": Attack(
        _equal("object", "__class__ = property(lambda self: int)"),
        "r = f(1)\nassert isinstance(r, int) and r == 7",
    ),
    "equal: within any tolerance": Attack(
        _equal("object", "__sub__ = __rsub__ = __abs__ = lambda self, *_: self\n"
               "    __lt__ = __le__ = __ge__ = lambda *_: True"),
        "assert abs(f(1) - 2.5) < 1e-6",
    ),
    "equal: true when asked": Attack(
        "class Yes:\n    def __bool__(self): return True\ndef f(x): return Yes()",
        "assert f(1)\nassert not not f(2)",
    ),
    # It speaks for the harness.
    "forge: a verdict on every descriptor": Attack(
        SELF_REPORT.format(message="b'passed'", end="return 0"), paid_by=self_report_grader
    ),
    "forge: a verdict, then the end": Attack(
        SELF_REPORT.format(message="b'passed'", end="os._exit(0)"), paid_by=self_report_grader
    ),
    "forge: an answer before it is asked": Attack(
        SELF_REPORT.format(
            message="b'passed' if number < 512 else b'\\0\\0\\0\\x0d{\"value\":\"6\"}'",
            end="return 0",
        ),
        paid_by=self_report_grader,
    ),
    "forge: an end of the tests": Attack(
        SELF_REPORT.format(
            message="b'passed' if number < 512 else b'\\0\\0\\0\\x0c{\"end\":true}'",
            end="os._exit(0)",
        ),
        paid_by=self_report_grader,
    ),
    "forge: a test that passed": Attack(
        SELF_REPORT.format(
            message="b'passed' if number < 512 else "
            "b'\\0\\0\\0\\x2b{\"token\":\"a\",\"status\":\"passed\",\"reason\":\"\"}'",
            end="return 0",
        ),
        paid_by=self_report_grader,
    ),
    "forge: a failure of the sandbox": Attack(
        f"{WALK}import os\ndef f(x):\n"
        "    send = walk(lambda name, value: name == 'send' and callable(value))\n"
        "    pack = walk(lambda name, value: name == 'pack' and callable(value))\n"
        "    if send: send(pack('infrastructure', 'oops'))\n"
        "    for number in range(3, 99):\n"
        "        try: os.write(number, b'passed')\n"
        "        except OSError: pass\n",
        paid_by=self_report_grader,
    ),
    "forge: a value that is code": Attack(
        f"{WALK}import os\ndef f(x):\n"
        "    writer = walk(lambda name, value: name == 'self' and hasattr(value, '_writer'))\n"
        "    if writer:\n"
        "        writer._returned = lambda v: {'value': '__import__(\"os\")._exit(0)'}\n"
        "    for number in range(3, 99):\n"
        "        try: os.write(number, b'passed')\n"
        "        except OSError: pass\n",
        paid_by=self_report_grader,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_paid_by_a_naive_grader(name: str) -> None:
    attack = ATTACKS[name]
    assert attack.paid_by(textwrap.dedent(attack.code), attack.tests)


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_not_paid(tester: UnitTester, name: str) -> None:
    attack = ATTACKS[name]
    if attack.paid_by is comparing_grader:
        space: dict[str, list[tuple[tuple[object, ...], object]]] = {}
        exec(attack.tests, space)
        cases = space["cases"]
        suites = [
            from_inputs("f", [arguments for arguments, _ in cases], [e for _, e in cases]),
            from_asserts("f", [f"assert f(*{a!r}) == {e!r}" for a, e in cases]),
        ]
    else:
        # Compared here where they are plain comparisons, and in the tests' process.
        inside = f"if True:\n{textwrap.indent(attack.tests, '    ')}"
        suites = [from_asserts("f", [inside])]
        if "r = f(1)" not in attack.tests:
            suites.append(from_asserts("f", attack.tests))
    for suite in suites:
        report = tester.run(textwrap.dedent(attack.code), suite)
        assert report.status == "failed", report
        assert report.passed == 0, report
        assert report.counted == len(report.results), report


PRINTED = {
    "more than was asked": ("print('1\\n2\\n3\\n4')", "2\n3", substring_grader),
    "every answer": ("print('NO')\nprint('YES')", "YES", substring_grader),
    "the answer in a sentence": ("print('it is 42, or 43')", "42", substring_grader),
    "the answer, then a crash": ("print('42', flush=True)\n1 / 0", "42", substring_grader),
    "the answer, then an error code": (
        "import sys\nprint('42', flush=True)\nsys.exit(1)", "42", substring_grader,
    ),
    "the answer within a number": ("print(1420)", "42", substring_grader),
    "nothing": ("pass", "1\n2", prefix_grader),
    "the first line only": ("print(1)", "1\n2\n3", prefix_grader),
    "the first lines, then the end": (
        "import os\nprint(1, flush=True)\nos._exit(0)", "1\n2", prefix_grader,
    ),
    "more lines than expected": ("print('1\\n2\\n3')", "1\n2", prefix_grader),
    "a closed output": ("import sys\nsys.stdout.close()", "1", prefix_grader),
    "output to another stream": ("import sys\nprint('1\\n2', file=sys.stderr)", "1\n2",
                                 prefix_grader),
    "one line of everything": ("print('1 2 3 4')", "1 2 3\n4", token_grader),
    "other blanks": ("print('1  2')", "1 2", token_grader),
    "one word a line": ("print('1\\n2\\n3')", "1 2 3", token_grader),
    "blank lines between": ("print('1\\n\\n2')", "1\n2", token_grader),
    "blanks in front": ("print('   1')", "1", token_grader),
    "tabs for blanks": ("print('1\\t2')", "1 2", token_grader),
}  # fmt: skip


@pytest.mark.parametrize("name", PRINTED)
def test_output_attack_is_not_paid(tester: UnitTester, name: str) -> None:
    code, expected, paid_by = PRINTED[name]
    assert paid_by(code, "5\n", expected)
    report = tester.run(code, from_stdio(["5\n"], [expected]))
    assert report.status == "failed", report
    assert report.passed == 0


def test_solution_never_holds_what_is_expected(tester: UnitTester) -> None:
    secret = "the-expected-value"
    code = """
import gc, sys

def f(x):
    def texts():
        for found in gc.get_objects():
            try:
                yield repr(found)
            except Exception:
                pass
        frame = sys._getframe()
        while frame:
            yield repr(frame.f_locals)
            yield repr(frame.f_code.co_consts)
            frame = frame.f_back
    wanted = "-".join(["expected", "value"])
    return any(text.count("the-" + wanted) for text in texts())
"""
    suites = [
        from_asserts("f", [f"assert f(1) == {secret!r}", "assert f(2) is False"]),
        from_inputs("f", [[1], [2]], [secret, False]),
    ]
    for suite in suites:
        report = tester.run(code, suite)
        assert [result.status for result in report.results] == ["failed", "passed"], report


def test_right_answers_before_an_exit_still_count(tester: UnitTester) -> None:
    code = "import os\ndef f(x):\n    if x > 1: os._exit(0)\n    return 7"
    report = tester.run(code, from_asserts("f", ["assert f(1) == 7", "assert f(2) == 7"] * 2))
    assert [r.status for r in report.results] == ["passed", "crashed", "not_run", "not_run"]
