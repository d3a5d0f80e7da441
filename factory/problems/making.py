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
from factory.problems.results import Made, suite_of
from factory.problems.statement import find_function, state_problem
from factory.problems.trials import Case, Search, Trials, run_together, search_trials
from factory.reasoning.claims import can_be_written, code
from factory.recipe_records import Recipe
from tracer.prompts import chat
from tracer.records import Program, Trace
from tracer.runner import Runner
from tracer.unit_tests import UnitTester

Row = dict[str, Any]

OWN = "program"
"""The column ``source`` of problems that are made of a program of the dataset."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A problem before its tests are known."""

    tree: ast.Module
    statement: str
    search: Search


class Problemsmith:
    """Makes problems in the sandboxes of one worker."""

    def __init__(self, runner: Runner, tester: UnitTester, recipe: Recipe) -> None:
        self._runner = runner
        self._tester = tester
        self._recipe = recipe

    def make(self, program: Row, traces: Sequence[Trace]) -> Made:
        """The problem of a program, as :meth:`make_many` makes it."""
        return self.make_many([(program, traces)])[0]

    def make_many(self, programs: Sequence[tuple[Row, Sequence[Trace]]]) -> list[Made]:
        """The problem of each program, whoever the others are; they are run together.

        Args:
            programs: Rows of programs, each with its runs in the dataset, of which all returned.

        Raises:
            InfrastructureError: The sandbox failed again and again.
        """
        drafts = [self._draft(program, traces) for program, traces in programs]
        searches = [draft.search for draft in drafts if isinstance(draft, _Draft)]
        trials = iter(run_together(searches, self._runner))
        return [
            draft if isinstance(draft, Made) else self._finish(program, traces, draft, next(trials))
            for (program, traces), draft in zip(programs, drafts, strict=True)
        ]

    def _draft(self, program: Row, traces: Sequence[Trace]) -> _Draft | Made:
        """What a problem begins with, or why none is made."""
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
        return _Draft(tree, statement, search_trials(reference, cases, lines, plan, seed))

    def _finish(
        self, program: Row, traces: Sequence[Trace], draft: _Draft, trials: Trials | str
    ) -> Made:
        if isinstance(trials, str):
            return Made(refused=trials)
        if trials.mutants - trials.killed > self._recipe.problems.most_alive:
            told = f"{trials.killed} of {trials.mutants} mutants fail"
            return Made(refused="mutants_live", detail=told)
        row = self._row(program, draft.tree, draft.statement, trials)
        if row is None:
            return Made(refused="reference_fails")
        shown = {case.args for case in trials.examples}
        return Made((row,), examples=tuple(t for t in traces if t.args in shown))

    def _row(self, program: Row, tree: ast.Module, statement: str, trials: Trials) -> Row | None:
        plan, entry_point = self._recipe.problems, program["entry_point"]
        starter = starter_of(tree, entry_point)
        tests = tests_of(entry_point, trials.tests)
        suite = suite_of(tests, entry_point, starter)
        report = self._tester.run(program["source"], suite)
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
