r"""Unit tests of model-written code that the code cannot talk its way past.

The code runs in one contained process, the tests in another, and only plain data passes between
them, through this one; no expected value is ever in the code's memory.

Example:
    >>> suite = from_asserts("f", ["assert f(1) == 2"])
    >>> run_unit_tests("def f(x):\n    return x + 1", suite).status
    'passed'
"""

from tracer.unit_tests.batch import run_many
from tracer.unit_tests.records import Test, TestLimits, TestReport, TestResult, TestSuite
from tracer.unit_tests.suites import (
    from_asserts,
    from_check,
    from_inputs,
    from_stdio,
    imports_of,
)
from tracer.unit_tests.tester import UnitTester, run_unit_tests

__all__ = [
    "Test",
    "TestLimits",
    "TestReport",
    "TestResult",
    "TestSuite",
    "UnitTester",
    "from_asserts",
    "from_check",
    "from_inputs",
    "from_stdio",
    "imports_of",
    "run_many",
    "run_unit_tests",
]
