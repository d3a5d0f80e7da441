"""The row of a problem that is made of a program and its runs.

Source: the columns are those that :mod:`tracer.problems` and the reward of unit tests read.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from string import Template
from typing import Any

from factory.errors import InfrastructureError
from factory.identity import content_id
from factory.problems.kinds import kind_words
from factory.problems.statement import find_function, state_problem
from factory.problems.trials import Case, Trials, find_trials
from factory.reasoning.claims import can_be_written, code
from factory.recipe_records import Recipe
from factory.records import Dropped
from tracer.problems import problem_of
from tracer.prompts import chat
from tracer.records import Program, Trace
from tracer.runner import Runner
from tracer.unit_tests import UnitTester

Row = dict[str, Any]

OWN = "program"
"""The column ``source`` of problems that are made of a program of the dataset."""


@dataclass(frozen=True, slots=True)
class Made:
    """The row of a problem, or why there is none."""

    rows: tuple[Row, ...] = ()
    refused: str | None = None
    """A slug; ``None`` too when none was wanted."""
    detail: str = ""

    def drops(self, where: str) -> tuple[Dropped, ...]:
        """The drop of a problem that was refused; ``where`` names its program."""
        if self.refused is None:
            return ()
        return (Dropped("problems", self.refused, where, self.detail),)


class Problemsmith:
    """Makes problems in the sandboxes of one worker."""

    def __init__(self, runner: Runner, tester: UnitTester, recipe: Recipe) -> None:
        self._runner = runner
        self._tester = tester
        self._recipe = recipe

    def make(self, program: Row, traces: Sequence[Trace]) -> Made:
        """The problem of a program.

        Args:
            program: The program's row.
            traces: Its runs in the dataset, of which all returned.

        Raises:
            InfrastructureError: The sandbox failed again and again.
        """
        plan = self._recipe.problems
        if not plan.wanted:
            return Made()
        tree = _tree(program["source"])
        statement = None if tree is None else state_problem(tree, program["entry_point"])
        if tree is None or statement is None:
            return Made(refused="no_function")
        if any(trace.stdout for trace in traces):
            return Made(refused="prints")
        cases = [Case(t.args, t.outcome.value or "") for t in traces if _is_writable(t)]
        reference = Program(program["source"], program["entry_point"])
        lines = frozenset(step.line for trace in traces for step in trace.steps)
        seed = f"{program['program_id']}:problem"
        trials = find_trials(reference, cases, lines, plan, self._runner, seed)
        if isinstance(trials, str):
            return Made(refused=trials)
        if trials.mutants - trials.killed > plan.most_alive:
            told = f"{trials.killed} of {trials.mutants} mutants fail"
            return Made(refused="mutants_live", detail=told)
        row = self._row(program, tree, statement, trials)
        return Made(refused="reference_fails") if row is None else Made((row,))

    def _row(self, program: Row, tree: ast.Module, statement: str, trials: Trials) -> Row | None:
        plan, entry_point = self._recipe.problems, program["entry_point"]
        starter = starter_of(tree, entry_point)
        tests = tests_of(entry_point, trials.tests)
        record = {**tests, "entry_point": entry_point, "prompt": starter}
        report = self._tester.run(program["source"], problem_of(record).suite)
        if report.status == "infrastructure":
            raise InfrastructureError(f"the tests of a reference could not be run: {report.reason}")
        if report.status != "passed":
            return None
        examples = "\n".join(
            f"- {code(f'{entry_point}({case.args})')} returns {code(case.value)}"
            for case in trials.examples
        )
        text = Template(plan.prompt).substitute(
            statement=statement,
            examples=examples,
            starter=starter.rstrip("\n"),
            entry_point=entry_point,
        )
        return {
            "problem_id": content_id(["problem", program["program_id"]]),
            "program_id": program["program_id"],
            "split": program["split"],
            "level": program["level"],
            "prompt": chat(plan.system, text),
            "starter": starter,
            "entry_point": entry_point,
            "tests": json.dumps(tests),
            "reference": program["source"],
            "n_tests": len(trials.tests),
            "mutants": trials.mutants,
            "mutants_killed": trials.killed,
            "licence": program["licence"],
            "source": OWN,
        }


def tests_of(entry_point: str, cases: Sequence[Case]) -> dict[str, Any]:
    """Tests as asserts, in the shape of MBPP."""
    asserts = [f"assert {entry_point}({case.args}) == {case.value}" for case in cases]
    imported = any("collections." in text for text in asserts)
    tests: dict[str, Any] = {"test_list": asserts}
    if imported:
        tests["test_imports"] = ["import collections"]
    return tests


def starter_of(tree: ast.Module, entry_point: str) -> str:
    """The head of the solution: imports, the line that defines the function, a docstring."""
    function = find_function(tree, entry_point)
    assert function is not None
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    lines = [ast.unparse(node) for node in imports]
    returns = "" if function.returns is None else f" -> {ast.unparse(function.returns)}"
    what = "what is asked for" if function.returns is None else kind_words(function.returns)
    head = f"def {function.name}({ast.unparse(function.args)}){returns}:"
    lines += ["", "", head] if lines else [head]
    return "\n".join([*lines, f'    """Return {what.replace("`", "")}."""', ""])


def _is_writable(trace: Trace) -> bool:
    value = trace.outcome.value
    return value is not None and can_be_written(value) and can_be_written(trace.args or "None")


def _tree(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
