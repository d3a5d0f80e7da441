"""Takes in problems of public data sets: each must be solved by a solution of its own.

Source: the shapes are those of :mod:`factory.problems.shapes`.
"""

from __future__ import annotations

import json
from string import Template
from typing import Any

from factory.errors import InfrastructureError
from factory.identity import content_id
from factory.problems.results import Made, suite_of
from factory.problems.shapes import PROBLEM_SHAPES, BadProblem, PublishedProblem
from factory.recipe_records import Recipe
from factory.splits import choose_split
from tracer.prompts import chat
from tracer.unit_tests import TestReport, TestSuite, UnitTester

Row = dict[str, Any]


class Publisher:
    """Takes in problems of public data sets: each must be solved by a solution of its own."""

    def __init__(self, tester: UnitTester, recipe: Recipe) -> None:
        self._tester = tester
        self._recipe = recipe

    def take(self, record: dict[str, Any]) -> Made:
        """The row of a record of the recipe's shape.

        Raises:
            InfrastructureError: The sandbox failed again and again.
        """
        try:
            problem = PROBLEM_SHAPES[self._recipe.source.shape or ""](record)
            if not problem.references:
                return Made(refused="no_reference", detail=problem.name)
            suite = suite_of(problem.tests, problem.entry_point, problem.starter)
        except BadProblem as bad:
            return Made(refused=bad.reason, detail=bad.detail)
        except (ValueError, TypeError, KeyError) as error:
            return Made(refused="bad_tests", detail=str(error))
        reason = ""
        for reference in problem.references:
            report = self._run(reference, suite)
            if report.status == "passed":
                return Made((self._row(problem, suite, reference),))
            reason = reason or report.reason
        return Made(refused="reference_fails", detail=reason)

    def _run(self, reference: str, suite: TestSuite) -> TestReport:
        report = self._tester.run(reference, suite)
        if any(result.status == "infrastructure" for result in report.results):
            raise InfrastructureError(f"tests could not be run: {report.reason}")
        return report

    def _row(self, problem: PublishedProblem, suite: TestSuite, reference: str) -> Row:
        plan, tests = self._recipe.problems, json.dumps(problem.tests)
        starter = problem.starter.rstrip("\n")
        begins = f"\n\nThe code begins like this:\n\n```python\n{starter}\n```" if starter else ""
        text = Template(plan.published).substitute(statement=f"{problem.statement}{begins}")
        own_id = content_id(["published", problem.statement, tests])
        return {
            "problem_id": own_id,
            "program_id": None,
            "split": choose_split(own_id, self._recipe.splits),
            "level": None,
            "prompt": chat(plan.system, text),
            "starter": problem.starter,
            "entry_point": suite.entry_point,
            "tests": tests,
            "reference": reference,
            "n_tests": len(suite.tests),
            "mutants": None,
            "mutants_killed": None,
            "licence": self._recipe.licence,
            "source": self._recipe.source.shape,
        }

    def recheck(self, row: Row) -> str:
        """What is wrong with a published row: why its reference fails, or nothing.

        Raises:
            InfrastructureError: The sandbox failed again and again.
        """
        try:
            suite = suite_of(json.loads(row["tests"]), row["entry_point"], row["starter"])
        except (ValueError, TypeError, KeyError) as error:
            return str(error)
        report = self._run(row["reference"], suite)
        return "" if report.status == "passed" else report.reason
