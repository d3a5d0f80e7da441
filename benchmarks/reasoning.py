"""What is the reasoning data of a build worth? Every figure is counted again from its rows.

    tracefoundry build small --programs 2000 --out DIR
    python benchmarks/reasoning.py DIR [--problems N]

References run against their hidden tests again, fresh mutants of them too; every rationale and plan
is checked by its text alone, beside the run or the reference that it is about; texts that are drawn
anew say how often the checker raises a false alarm, or misses an injury; two classifiers that know
only lengths or words are asked about families that they were not trained on, each family once
(five folds). Exits with 1 where a figure misses its mark.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from factory.identity import content_id  # noqa: E402
from factory.load import read_rows, trace_of  # noqa: E402
from factory.problems.mutants import make_mutants  # noqa: E402
from factory.problems.results import suite_of  # noqa: E402
from factory.reasoning.checking import Report, check  # noqa: E402
from factory.reasoning.injuries import INJURIES  # noqa: E402
from factory.reasoning.plans import injuries as plan_injuries  # noqa: E402
from factory.reasoning.plans import weaknesses as plan_weaknesses  # noqa: E402
from factory.reasoning.plans.checking import check_plan  # noqa: E402
from factory.reasoning.plans.outline import Plan, plan_of  # noqa: E402
from factory.reasoning.plans.telling import plan_text, tell_plan  # noqa: E402
from factory.reasoning.shortcuts import Sides, measure_shortcuts  # noqa: E402
from factory.reasoning.telling import Story, story_of, tell, text_of  # noqa: E402
from factory.reasoning.weaknesses import WEAKNESSES  # noqa: E402
from factory.sft import story_to_tell  # noqa: E402
from tracer.unit_tests import UnitTester  # noqa: E402

Row = dict[str, Any]

FOLDS = 5
FRESH = 2
"""Texts that are drawn anew of each run and plan."""
WORDS = re.compile(
    r"\b(factual\w*|rigou?r\w*|coheren\w*|injur\w*|degrad\w*|optimi[sz]ed|weakness\w*)\b", re.I
)
"""What would name a dimension, or what was done to a text."""
_FINDS = {injury.name: (injury.dimension, injury.finds) for injury in INJURIES}
_PLAN_FINDS = {i.name: (i.dimension, i.finds) for i in plan_injuries.INJURIES}


@dataclass
class Marks:
    """Figures and what they must be."""

    missed: list[str] = field(default_factory=list)

    def show(self, what: str, value: float, *, least: float = 0.0, most: float = 1e12) -> None:
        """Print a figure beside its mark."""
        good = least <= value <= most
        wanted = f">= {least:g}" if least else f"<= {most:g}" if most < 1e12 else ""
        shown = f"{value:.4f}".rstrip("0").rstrip(".")
        print(f"  {what:<64}{shown:>10}  {wanted:<10}{'' if good else 'MISSED'}")
        if not good:
            self.missed.append(what)


@dataclass(frozen=True)
class Data:
    """The rows of a build, by what they belong to."""

    programs: dict[str, Row]
    traces: dict[str, Row]
    questions: dict[str, Row]
    problems: dict[str, Row]
    """By program."""
    sft: list[Row]
    crpl: list[Row]


def read(folder: Path) -> Data:
    """The rows that reasoning is about."""
    return Data(
        {row["program_id"]: row for row in read_rows(folder, "programs")},
        {row["trace_id"]: row for row in read_rows(folder, "traces")},
        {row["question_id"]: row for row in read_rows(folder, "questions")},
        {row["program_id"]: row for row in read_rows(folder, "problems")},
        list(read_rows(folder, "sft")),
        list(read_rows(folder, "crpl")),
    )


def thought(messages: Sequence[Row]) -> str:
    """The reasoning of a reply."""
    text: str = messages[-1]["content"]
    return text.partition("<think>\n")[2].partition("\n</think>")[0]


class Checker:
    """Holds texts against what they are about; asks for no column that says what was done."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self.stories: dict[str, Story] = {}
        self.plans: dict[str, Plan] = {}

    def story(self, row: Row) -> Story:
        """The run of a row."""
        trace = self._data.traces[row["trace_id"]]
        if row["trace_id"] not in self.stories:
            story = story_of(trace_of(trace, self._data.programs[row["program_id"]]))
            assert story is not None
            self.stories[row["trace_id"]] = story
        return self.stories[row["trace_id"]]

    def plan(self, program_id: str) -> Plan:
        """The plan of a problem's reference."""
        if program_id not in self.plans:
            program, problem = self._data.programs[program_id], self._data.problems[program_id]
            shown = problem["prompt"][-1]["content"]
            entry = program["entry_point"]
            examples = [
                trace_of(trace, program)
                for trace in self._traces(program_id)
                if f"- `{entry}({trace['args']})` returns" in shown
                or f"- `` {entry}({trace['args']}) `` returns" in shown
            ]
            plan = plan_of(program["source"], entry, examples)
            assert plan is not None
            self.plans[program_id] = plan
        return self.plans[program_id]

    def _traces(self, program_id: str) -> list[Row]:
        return [t for t in self._data.traces.values() if t["program_id"] == program_id]

    def report(self, row: Row, text: str) -> Report:
        """What is wrong with one side of a pair."""
        if row["task"] == "generation":
            return check_plan(text, self.plan(row["program_id"]))
        return check(text, self.story(row))


def count_rows(data: Data, marks: Marks) -> None:
    """How many there are, and whether pairs are balanced."""
    scale = len(data.programs) / 2_000
    print(f"{len(data.programs)} programs")
    marks.show("problems", len(data.problems), least=int(1_500 * scale))
    marks.show("rows of sft", len(data.sft), least=int(4_000 * scale))
    for task, number in sorted(Counter(row["task"] for row in data.sft).items()):
        print(f"    {task:<62}{number:>10}")
    marks.show("pairs", len(data.crpl), least=int(6_000 * scale))
    for key in ("task", "dimension", "pair_kind"):
        shares = Counter(row[key] for row in data.crpl)
        fair = len(data.crpl) / len(shares)
        for value, number in sorted(shares.items()):
            print(f"    {key} {value:<{61 - len(key)}}{number:>10}")
        marks.show(
            f"smallest share by {key}, to an equal one", min(shares.values()) / fair, least=0.75
        )
    cells = Counter((row["dimension"], row["pair_kind"]) for row in data.crpl)
    fair = len(data.crpl) / 9
    for (dimension, kind), number in sorted(cells.items()):
        print(f"    {dimension + ' ' + kind:<62}{number:>10}")
    marks.show("smallest of the nine, to an equal share", min(cells.values()) / fair, least=0.6)


def run_problems(data: Data, most: int, marks: Marks) -> None:
    """References against their tests, and fresh mutants of them."""
    rows = list(data.problems.values())[:most]
    lines: dict[str, set[int]] = defaultdict(set)
    for trace in data.traces.values():
        program = data.programs[trace["program_id"]]
        lines[trace["program_id"]].update(program["stmt_line"][stmt] for stmt in trace["stmts"])
    passed = died = mutants = 0
    leaks = quoted = statements = 0
    with UnitTester() as tester:
        for row in rows:
            suite = suite_of(json.loads(row["tests"]), row["entry_point"], row["starter"])
            passed += tester.run(row["reference"], suite).status == "passed"
            rng = random.Random(content_id([row["problem_id"], "fresh"]))
            known = frozenset(lines[row["program_id"]])
            for mutant in make_mutants(ast.parse(row["reference"]), known, 3, rng):
                mutants += 1
                died += tester.run(mutant.source, suite).status != "passed"
            prompt = row["prompt"][-1]["content"]
            calls = [
                t.removeprefix("assert ").rpartition(" == ")[0]
                for t in json.loads(row["tests"])["test_list"]
            ]
            leaks += any(f"`{call}`" in prompt for call in calls)
            body = {
                line.strip()
                for line in row["reference"].splitlines()
                if len(line.strip()) > 24
                and not line.lstrip().startswith(("def ", "from ", "import "))
            }
            statements += len(body)
            quoted += sum(line in prompt for line in body)
    print(f"problems ({len(rows)} run again)")
    marks.show("references that pass their tests", passed / len(rows), least=1.0)
    made, killed = (
        sum(row[k] for row in data.problems.values()) for k in ("mutants", "mutants_killed")
    )
    marks.show("mutants of the build that die", killed / made, least=0.95)
    marks.show(f"fresh mutants that die (of {mutants})", died / mutants)
    marks.show("prompts with the call of a hidden test", leaks, most=0)
    marks.show(
        f"lines of the solution in its prompt (of {statements})",
        quoted / max(statements, 1),
        most=0.01,
    )


def check_conversations(data: Data, checker: Checker, marks: Marks) -> None:
    """Every claim of every rationale."""
    claims = wrong = 0
    for row in data.sft:
        if row["verified"] == "trace":
            question = data.questions[row["question_id"]]
            story = story_to_tell(checker.story(row), row["task"], question)
            assert story is not None
            report = check(thought(row["messages"]), story)
            claims += report.claims
            wrong += len(report.findings) + (report.claims != row["claims"])
    print("sft")
    marks.show(f"claims that do not hold (of {claims})", wrong, most=0)


def check_pairs(data: Data, checker: Checker, marks: Marks) -> None:
    """Every side of every pair, by its text."""
    bad_chosen = bad_rejected = named = 0
    for row in data.crpl:
        first = checker.report(row, thought(row["chosen"]))
        second = checker.report(row, thought(row["rejected"]))
        bad_chosen += bool(first.injuries or first.weaknesses(row["dimension"]))
        finds = _PLAN_FINDS if row["task"] == "generation" else _FINDS
        wanted = set() if row["injury"] is None else {finds[row["injury"]]}
        bad_rejected += {(f.dimension, f.name) for f in second.injuries} != wanted
        bad_rejected += row["weakness"] is not None and not second.weaknesses(row["dimension"])
        texts = [m["content"] for k in ("prompt", "chosen", "rejected") for m in row[k]]
        named += any(WORDS.search(text) for text in texts)
    print(f"crpl ({len(data.crpl)} pairs)")
    marks.show("better sides with an injury, or a weakness of the dimension", bad_chosen, most=0)
    marks.show("worse sides without exactly what they name", bad_rejected, most=0)
    marks.show("pairs whose texts name a dimension", named, most=0)
    for name, number in sorted(Counter(r["injury"] for r in data.crpl if r["injury"]).items()):
        print(f"    {name:<62}{number:>10}")


def draw_anew(checker: Checker, marks: Marks) -> None:
    """False alarms on clean texts, and injuries that are missed, on texts the build never saw."""
    texts: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    done: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for key, story in checker.stories.items():
        rng = random.Random(content_id([key, "anew"]))
        for _ in range(FRESH):
            told = tell(story, rng, rng.choice((1, 2, 3, 5)))
            if told is not None:
                for weakness in rng.sample(WEAKNESSES, rng.randrange(3)):
                    told = weakness.weaken(told, rng) or told
                texts["runs"] += 1
                alarms["runs"] += bool(check(text_of(told), story).injuries)
                injury = rng.choice(INJURIES)
                hurt = injury.injure(told, story, rng, rng.random() < 0.5)
                if hurt is not None and text_of(hurt) != text_of(told):
                    done["runs"] += 1
                    missed["runs"] += not check(text_of(hurt), story).injuries
    for key, plan in checker.plans.items():
        rng = random.Random(content_id([key, "anew"]))
        for _ in range(FRESH):
            steps = tell_plan(plan, rng)
            if steps is not None:
                for change in rng.sample(plan_weaknesses.WEAKNESSES, rng.randrange(3)):
                    steps = change.change(steps, rng, False) or steps
                texts["plans"] += 1
                alarms["plans"] += bool(check_plan(plan_text(steps), plan).injuries)
                spoil = rng.choice(plan_injuries.INJURIES)
                spoilt = spoil.change(steps, rng, rng.random() < 0.5)
                if spoilt is not None and plan_text(spoilt) != plan_text(steps):
                    done["plans"] += 1
                    missed["plans"] += not check_plan(plan_text(spoilt), plan).injuries
    print("texts that are drawn anew")
    for what in sorted(texts):
        marks.show(
            f"false alarms on clean {what} (of {texts[what]})",
            alarms[what] / texts[what],
            most=0.01,
        )
        marks.show(
            f"injuries that are missed in {what} (of {done[what]})", missed[what] / done[what]
        )


def ask_classifiers(data: Data, marks: Marks) -> None:
    """Both shortcuts, on families that they were not trained on; every family once."""
    print(f"shortcuts on held-out families, {FOLDS} folds (a coin: 0.5)")
    for keys in (("dimension", "pair_kind"), ("task", "dimension", "pair_kind")):
        found: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
        for fold in range(FOLDS):
            for each in measure_shortcuts(list(_sides(data, keys, fold))):
                if each.length is not None and each.words is not None:
                    found[each.group].append((each.pairs, each.length, each.words))
        for group, folds in sorted(found.items()):
            pairs = sum(each[0] for each in folds)
            for what, place, most in (("length", 1, 0.55), ("words", 2, 0.60)):
                share = sum(each[0] * each[place] for each in folds) / pairs
                marks.show(f"{group} by {what} ({pairs} pairs)", share, most=most)


def _sides(data: Data, keys: Sequence[str], fold: int) -> Iterator[Sides]:
    for row in data.crpl:
        group = " ".join(row[key] for key in keys)
        held_out = random.Random(row["family_id"]).randrange(FOLDS) == fold
        yield Sides(thought(row["chosen"]), thought(row["rejected"]), group, held_out)


def main() -> int:
    """Print all figures; 1 where one misses its mark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("dataset", type=Path)
    parser.add_argument(
        "--problems", type=int, default=10**9, help="problems to run again, at most"
    )
    options = parser.parse_args()
    data, marks = read(options.dataset), Marks()
    checker = Checker(data)
    count_rows(data, marks)
    run_problems(data, options.problems, marks)
    check_conversations(data, checker, marks)
    check_pairs(data, checker, marks)
    draw_anew(checker, marks)
    ask_classifiers(data, marks)
    print(f"missed: {', '.join(marks.missed) or 'none'}")
    return 1 if marks.missed else 0


if __name__ == "__main__":
    sys.exit(main())
