"""Every named query against the same answer computed in plain Python from the Parquet rows.

The expected answers use no SQL and none of the project's views: rows come from pyarrow, control
flow from `ast`.
"""

from __future__ import annotations

import ast
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import built_dataset
import made_dataset
import pytest

from factory.named_queries import find_query, named_queries, parse_settings
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.query import connect, run_query
from factory.recipe import load_recipe

Row = dict[str, Any]
Answer = list[tuple[Any, ...]]


@dataclass
class Dataset:
    """The rows of a dataset folder, and the flat forms of its traces."""

    programs: dict[str, Row]
    traces: list[Row]
    questions: list[Row]
    stage1: list[Row]
    sft: list[Row]
    crpl: list[Row]
    drops: list[Row]
    steps: list[Row] = field(default_factory=list)
    changes: list[Row] = field(default_factory=list)
    activations: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        for trace in self.traces:
            program = self.programs[trace["program_id"]]
            base = {"trace": trace["trace_id"], "program": trace["program_id"]}
            steps = [
                base
                | {
                    "step": index,
                    "stmt": stmt,
                    "line": program["stmt_line"][stmt],
                    "kind": program["stmt_kind"][stmt],
                    "activation": trace["activations"][index],
                    "completed": trace["completed"][index],
                }
                for index, stmt in enumerate(trace["stmts"])
            ]
            self.steps += steps
            for place, step in enumerate(trace["change_step"]):
                change = {k: trace[f"change_{k}"][place] for k in ("name", "op", "type", "value")}
                self.changes.append(steps[step] | change)
            for number, function in enumerate(trace["act_function"]):
                facts = {k: trace[f"act_{k}"][number] for k in ("parent_step", "end", "type")}
                self.activations.append(base | {"activation": number, "function": function} | facts)


def load(folder: Path) -> Dataset:
    import pyarrow.parquet as pq

    def rows(config: str) -> list[Row]:
        files = sorted((folder / config).glob("*.parquet"))
        return [row for file in files for row in pq.ParquetFile(file).read().to_pylist()]

    text = (folder / "drops.jsonl").read_text(encoding="utf-8")
    return Dataset(
        programs={row["program_id"]: row for row in rows("programs")},
        traces=rows("traces"),
        questions=rows("questions"),
        stage1=rows("stage1"),
        sft=rows("sft"),
        crpl=rows("crpl"),
        drops=[json.loads(line) for line in text.splitlines()],
    )


def grouped(rows: list[Row], *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    return groups


def distinct(rows: list[Row], key: str) -> int:
    return len({row[key] for row in rows})


def nulls_last(value: Any) -> tuple[bool, Any]:
    return value is None, value or 0


def source_lines(program: Row) -> list[str]:
    return program["source"].replace("\r\n", "\n").replace("\r", "\n").split("\n")


class Syntax:
    """What the syntax tree of a program says about its statements."""

    def __init__(self, source: str) -> None:
        self.nodes = made_dataset.number_statements(source)
        self.numbers = {node: number for number, node in enumerate(self.nodes)}
        self.first_in_body = {
            number: self.first_step(node.body, isinstance(node, ast.FunctionDef))
            for number, node in enumerate(self.nodes)
            if hasattr(node, "body")
        }

    def first_step(self, body: list[ast.stmt], function: bool) -> int | None:
        """Number of the first statement of a block that makes a step."""
        for node in body:
            if isinstance(node, ast.Try):
                inner = self.first_step(node.body, False)
                if inner is not None:
                    return inner
            elif self.makes_steps(node):
                return self.numbers[node]
        return None

    def makes_steps(self, node: ast.AST) -> bool:
        silent = isinstance(node, (ast.Global, ast.Nonlocal, ast.Try))
        return not (silent or (isinstance(node, ast.AnnAssign) and node.value is None))

    def called(self) -> list[int]:
        """Numbers of the statements that a call can run: inside a function, no docstring."""
        found = set()
        for node in self.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inside = {n for n in ast.walk(node) if n in self.numbers} - {node}
                found |= {self.numbers[n] for n in inside if self.makes_steps(n)}
        for node in self.nodes:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                first = node.body[0]
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    found.discard(self.numbers[first])
        return sorted(found)


def headers(data: Dataset, *kinds: str) -> Iterator[Row]:
    """The steps of these kinds, with `entered`: the next step of the activation opens the body."""
    syntax = {key: Syntax(program["source"]) for key, program in data.programs.items()}
    for steps in grouped(data.steps, "trace", "activation").values():
        for step, after in zip(steps, [*steps[1:], None], strict=True):
            if step["kind"] in kinds:
                first = syntax[step["program"]].first_in_body[step["stmt"]]
                yield step | {"entered": after is not None and after["stmt"] == first}


def histories(data: Dataset) -> Iterator[tuple[Row, Any]]:
    """Every change with the type that its variable had before in the same activation."""
    last: dict[tuple[Any, ...], Any] = {}
    for trace in data.traces:
        for place, activation in enumerate(trace["entry_activation"]):
            last[trace["trace_id"], activation, trace["entry_name"][place]] = trace["entry_type"][
                place
            ]
    for change in data.changes:
        key = change["trace"], change["activation"], change["name"]
        yield change, last.get(key)
        last[key] = change["type"]


def steps_per_line(data: Dataset) -> Answer:
    groups = grouped(data.steps, "program", "line")
    return [(*key, len(rows), distinct(rows, "trace")) for key, rows in sorted(groups.items())]


def hottest_lines(data: Dataset, top: int) -> Answer:
    rows = sorted(steps_per_line(data), key=lambda row: (-row[2], row[0], row[1]))[:top]
    return [(*row, source_lines(data.programs[row[0]])[row[1] - 1].strip(" \t")) for row in rows]


def loops_over(data: Dataset, more: int) -> Answer:
    answer = []
    groups = grouped([*headers(data, "For", "AsyncFor", "While")], "trace", "program", "stmt")
    for (trace, program, stmt), rows in groups.items():
        entered = sum(row["entered"] for row in rows)
        if entered > more:
            first = rows[0]
            found = (trace, program, first["line"], first["kind"], entered, len(rows))
            answer.append(((-entered, trace, stmt), found))
    return [row for _, row in sorted(answer)]


def variables_becoming(data: Dataset, type: str) -> Answer:
    hits = [
        change | {"was": was}
        for change, was in histories(data)
        if change["type"] == type and was != type
    ]
    answer = [
        (*key, len(rows), distinct(rows, "trace"))
        for key, rows in grouped(hits, "program", "name", "line", "was").items()
    ]
    return sorted(answer, key=lambda r: (-r[4], r[0], r[1], r[2], r[3] is not None, r[3] or ""))


def variables_changing_type(data: Dataset) -> Answer:
    hits, last = [], {}
    for change, was in histories(data):
        key = change["trace"], change["activation"], change["name"]
        was = was or last.get(key)
        if change["type"] is not None:
            if was is not None and was != change["type"]:
                hits.append(change | {"was": was})
            last[key] = change["type"]
        else:
            last.setdefault(key, was)
    answer = [
        (*key, len(rows), distinct(rows, "trace"))
        for key, rows in grouped(hits, "program", "name", "was", "type").items()
    ]
    return sorted(answer, key=lambda row: (-row[4], *row[:4]))


def longest_traces_per_level(data: Dataset, top: int) -> Answer:
    answer = []
    for (level,), rows in sorted(
        grouped(data.traces, "level").items(), key=lambda item: nulls_last(item[0][0])
    ):
        ranked = sorted(rows, key=lambda row: (-row["n_steps"], row["trace_id"]))[:top]
        for place, row in enumerate(ranked, 1):
            entry = data.programs[row["program_id"]]["entry_point"]
            ids = row["trace_id"], row["program_id"]
            answer.append((level, place, *ids, row["n_steps"], entry, row["args"]))
    return answer


def question_balance(data: Dataset) -> Answer:
    totals = Counter(row["level"] for row in data.questions)
    counts = Counter((row["level"], row["kind"]) for row in data.questions)
    keys = sorted(counts, key=lambda key: (nulls_last(key[0]), key[1]))
    return [(*key, counts[key], counts[key] / totals[key[0]]) for key in keys]


def hardest_questions(data: Dataset, top: int) -> Answer:
    answer = []
    for (kind,), rows in sorted(grouped(data.questions, "kind").items()):
        ranked = sorted(rows, key=lambda row: (-row["score"], row["question_id"]))[:top]
        for place, row in enumerate(ranked, 1):
            effort, asked = row["effort"]["steps"], row["text"].split("\n")[0]
            answer.append(
                (kind, place, row["question_id"], row["score"], row["level"], effort, asked)
            )
    return answer


def stage1_balance(data: Dataset) -> Answer:
    answer = []
    for (task, level), rows in grouped(data.stage1, "task", "level").items():
        asked = [
            (kind, key) for row in rows for kind, key in zip(row["kinds"], row["keys"], strict=True)
        ]
        executed = (asked.count(("executed", said)) for said in ("yes", "no"))
        answer.append((task, level, len(rows), len(asked), *executed))
    return sorted(answer, key=lambda row: (row[0], nulls_last(row[1])))


def claims_by_level(data: Dataset) -> Answer:
    answer = []
    for key, rows in grouped(data.sft, "level", "task").items():
        claims = [row["claims"] for row in rows]
        mean = pytest.approx(sum(claims) / len(claims), abs=0.0051)
        answer.append((*key, len(rows), sum(claims), min(claims), mean, max(claims)))
    return sorted(answer, key=lambda row: (nulls_last(row[0]), row[1]))


def pair_balance(data: Dataset) -> Answer:
    answer = []
    for key, rows in sorted(grouped(data.crpl, "dimension", "pair_kind").items()):
        sizes = [(row["chosen_chars"], row["rejected_chars"]) for row in rows]
        longer = (sum(a > b for a, b in sizes), sum(a < b for a, b in sizes))
        means = (pytest.approx(sum(s) / len(s), abs=0.051) for s in zip(*sizes, strict=True))
        answer.append((*key, len(rows), *longer, *means))
    return answer


def curriculum_phases(data: Dataset) -> Answer:
    answer = []
    trained = [row for row in data.stage1 if row["split"] == "train"]
    for (phase,), rows in sorted(grouped(trained, "phase").items()):
        levels = sorted({row["level"] for row in rows}, key=nulls_last)
        mean = sum(row["score"] for row in rows) / len(rows)
        answer.append((phase, len(rows), levels, pytest.approx(mean, abs=0.0051)))
    return answer


def passes_by_level(data: Dataset) -> Answer:
    measured = [row for row in data.questions if row["difficulty"] is not None]
    answer = []
    for (level, kind), rows in grouped(measured, "level", "kind").items():
        counts = [(row["difficulty"]["passes"], row["difficulty"]["n"]) for row in rows]
        passes, answers = (sum(each) for each in zip(*counts, strict=True))
        never = sum(right == 0 for right, _ in counts)
        always = sum(right == n for right, n in counts)
        share = passes / answers
        answer.append((level, kind, len(rows), answers, passes, share, never, always))
    return sorted(answer, key=lambda row: (nulls_last(row[0]), row[1]))


def drop_reasons(data: Dataset) -> Answer:
    answer = [
        (*key, len(rows), min(row["where"] for row in rows))
        for key, rows in grouped(data.drops, "stage", "reason").items()
    ]
    return sorted(answer, key=lambda row: (-row[2], row[0], row[1]))


def reached(data: Dataset) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {trace["program_id"]: set() for trace in data.traces}
    for step in data.steps:
        found[step["program"]].add(step["stmt"])
    return dict(sorted(found.items()))


def never_executed(data: Dataset) -> Answer:
    return [
        (
            key,
            stmt,
            data.programs[key]["stmt_line"][stmt],
            data.programs[key]["stmt_kind"][stmt],
            source_lines(data.programs[key])[data.programs[key]["stmt_line"][stmt] - 1].strip(),
        )
        for key, seen in reached(data).items()
        for stmt in Syntax(data.programs[key]["source"]).called()
        if stmt not in seen
    ]


def statement_coverage(data: Dataset) -> Answer:
    runs = Counter(trace["program_id"] for trace in data.traces)
    answer = []
    for key, seen in reached(data).items():
        called = set(Syntax(data.programs[key]["source"]).called())
        executed = len(called & seen)
        answer.append((key, runs[key], len(called), executed, executed / len(called)))
    return sorted(answer, key=lambda row: (row[4], row[0]))


def one_sided_branches(data: Dataset, least: int) -> Answer:
    answer = []
    done = [row for row in headers(data, "If") if row["completed"]]
    for (program, _, line), rows in sorted(grouped(done, "program", "stmt", "line").items()):
        ways = {row["entered"] for row in rows}
        if len(ways) == 1 and len(rows) >= least:
            answer.append((program, line, ways.pop(), len(rows), distinct(rows, "trace")))
    return answer


def deepest_recursion(data: Dataset, top: int) -> Answer:
    answer = []
    places = {(step["trace"], step["step"]): step["activation"] for step in data.steps}
    for (trace, program), rows in grouped(data.activations, "trace", "program").items():
        open_at_once: Counter[str] = Counter()
        for row in rows:
            function, above, same = row["function"], row, 0
            while True:
                same += above["function"] == function
                if above["parent_step"] is None:
                    break
                above = rows[places[trace, above["parent_step"]]]
            open_at_once[function] = max(open_at_once[function], same)
        total = Counter(row["function"] for row in rows)
        answer += [(trace, program, f, n, total[f]) for f, n in open_at_once.items() if n > 1]
    return sorted(answer, key=lambda row: (-row[3], row[0], row[2]))[:top]


def most_changed_variables(data: Dataset, top: int) -> Answer:
    answer = []
    for key, rows in grouped(data.changes, "program", "name").items():
        ops = Counter(row["op"] for row in rows)
        deleted = ops["delete"] + ops["implicit_delete"]
        counts = len(rows), ops["bind"], ops["rebind"], ops["mutate"], deleted
        answer.append((*key, *counts, distinct(rows, "trace")))
    return sorted(answer, key=lambda row: (-row[2], row[0], row[1]))[:top]


def types_by_frequency(data: Dataset) -> Answer:
    typed = [row for row in data.changes if row["type"] is not None]
    answer = [
        (key, len(rows), len(grouped(rows, "program", "name")), distinct(rows, "trace"))
        for (key,), rows in grouped(typed, "type").items()
    ]
    return sorted(answer, key=lambda row: (-row[1], row[0]))


def exceptions_raised(data: Dataset) -> Answer:
    ends = {t["trace_id"]: t["output_type"] for t in data.traces if t["outcome"] == "raised"}
    raised = [row for row in data.activations if row["end"] == "raised"]
    answer = []
    for (kind,), rows in grouped(raised, "type").items():
        traces = {row["trace"] for row in rows}
        answer.append((kind, len(rows), len(traces), sum(ends.get(t) == kind for t in traces)))
    return sorted(answer, key=lambda row: (-row[1], row[0]))


def statements_interrupted(data: Dataset) -> Answer:
    answer = [
        ((-len(rows), program, stmt), (program, line, kind, len(rows), distinct(rows, "trace")))
        for (program, stmt, line, kind), rows in grouped(
            [row for row in data.steps if not row["completed"]], "program", "stmt", "line", "kind"
        ).items()
    ]
    return [row for _, row in sorted(answer)]


def outputs_by_type(data: Dataset) -> Answer:
    done = [row for row in data.traces if row["outcome"] == "returned"]
    answer = []
    for (kind,), rows in grouped(done, "output_type").items():
        counts = Counter(row["output_value"] for row in rows)
        value, times = min(counts.items(), key=lambda item: (-item[1], item[0]))
        answer.append((kind, len(rows), len(counts), value, times / len(rows)))
    return sorted(answer, key=lambda row: (-row[1], row[0]))


def outcomes_by_level(data: Dataset) -> Answer:
    counts = Counter(
        (row["level"], row["outcome"], row["output_type"] if row["outcome"] == "raised" else None)
        for row in data.traces
    )
    answer = [(*key, n) for key, n in counts.items()]
    return sorted(answer, key=lambda r: (nulls_last(r[0]), -r[3], r[1], r[2] is None, r[2] or ""))


def activations_per_function(data: Dataset) -> Answer:
    answer = []
    for key, rows in grouped(data.activations, "program", "function").items():
        per_trace = Counter(row["trace"] for row in rows)
        answer.append((*key, len(rows), len(per_trace), max(per_trace.values())))
    return sorted(answer, key=lambda row: (-row[2], row[0], row[1]))


def aliasing_mutations(data: Dataset) -> Answer:
    mutations = [row for row in data.changes if row["op"] == "mutate"]
    answer = [
        (*key[:4], ", ".join(sorted(row["name"] for row in rows)), *key[4:])
        for key, rows in grouped(
            mutations, "trace", "program", "step", "line", "type", "value"
        ).items()
        if len(rows) > 1
    ]
    return sorted(answer, key=lambda row: (row[0], row[2], row[4]))


def steps_by_level(data: Dataset) -> Answer:
    answer = []
    for (level,), rows in grouped(data.traces, "level").items():
        sizes = sorted(row["n_steps"] for row in rows)
        middle, high = (sizes[-(-len(sizes) * tenths // 10) - 1] for tenths in (5, 9))
        answer.append((level, len(sizes), sizes[0], middle, high, sizes[-1]))
    return sorted(answer, key=lambda row: nulls_last(row[0]))


def constant_programs(data: Dataset) -> Answer:
    done = [row for row in data.traces if row["outcome"] == "returned"]
    answer = [
        (key, data.programs[key]["entry_point"], len(rows), rows[0]["output_value"])
        for (key,), rows in grouped(done, "program_id").items()
        if len(rows) > 1 and len(grouped(rows, "output_type", "output_value")) == 1
    ]
    return sorted(answer, key=lambda row: (-row[2], row[0]))


def commonest_answers(data: Dataset, top: int) -> Answer:
    answer = []
    for (kind,), rows in sorted(grouped(data.questions, "kind").items()):
        keys = Counter(row["key"] for row in rows)
        ranked = sorted(keys.items(), key=lambda item: (-item[1], item[0]))[:top]
        answer += [(kind, i, key, n, n / len(rows)) for i, (key, n) in enumerate(ranked, 1)]
    return answer


def families_across_splits(data: Dataset) -> Answer:
    families = grouped([*data.programs.values()], "family_id")
    return [
        (family, ", ".join(sorted({row["split"] for row in rows})), len(rows))
        for (family,), rows in sorted(families.items())
        if distinct(rows, "split") > 1
    ]


def values_too_large(data: Dataset) -> Answer:
    large = [row for row in data.changes if (row["value"] or "").startswith("too_large(")]
    answer = [
        (*key, len(rows), distinct(rows, "trace"))
        for key, rows in grouped(large, "program", "name", "line").items()
    ]
    return sorted(answer, key=lambda row: (-row[3], *row[:3]))


def programs_by_constraint(data: Dataset) -> Answer:
    runs = Counter(trace["program_id"] for trace in data.traces)
    cells: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for key, row in data.programs.items():
        if row["constraint"]:
            cells[row["constraint"]["type"], row["constraint"]["method"], row["level"]].append(key)
    return [(*cell, len(ids), sum(runs[key] for key in ids)) for cell, ids in sorted(cells.items())]


EXPECTED: dict[str, Callable[..., Answer]] = {
    function.__name__: function
    for function in (
        activations_per_function,
        aliasing_mutations,
        commonest_answers,
        constant_programs,
        curriculum_phases,
        deepest_recursion,
        drop_reasons,
        exceptions_raised,
        families_across_splits,
        hardest_questions,
        hottest_lines,
        longest_traces_per_level,
        loops_over,
        most_changed_variables,
        never_executed,
        one_sided_branches,
        outcomes_by_level,
        outputs_by_type,
        passes_by_level,
        programs_by_constraint,
        question_balance,
        stage1_balance,
        claims_by_level,
        pair_balance,
        statement_coverage,
        statements_interrupted,
        steps_by_level,
        steps_per_line,
        types_by_frequency,
        values_too_large,
        variables_becoming,
        variables_changing_type,
    )
}


@pytest.fixture(scope="module", params=["built", 1, pytest.param("drawn", marks=pytest.mark.slow)])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of a real file, one of made rows, and one of drawn programs."""
    path = tmp_path_factory.mktemp(f"dataset-{request.param}")
    if request.param == "drawn":
        build(load_recipe("tiny"), path, programs=24, progress=SilentProgress())
        return path
    if request.param == "built":
        return built_dataset.build_dataset(path)
    made_dataset.write_dataset(path, request.param)
    return path


@pytest.fixture(scope="module")
def connection(folder: Path) -> Iterator[Any]:
    with connect(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def data(folder: Path) -> Dataset:
    return load(folder)


def test_every_query_has_an_expected_answer() -> None:
    assert sorted(EXPECTED) == [query.name for query in named_queries()]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_answer_is_that_of_plain_python(name: str, connection: Any, data: Dataset) -> None:
    query = find_query(name)
    parameters = parse_settings([], query)
    result = run_query(connection, query.sql, parameters)
    assert result.columns == query.columns
    assert list(result.rows()) == EXPECTED[name](data, **parameters)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("loops_over", {"more": 0}),
        ("variables_becoming", {"type": "int"}),
        ("hottest_lines", {"top": 3}),
        ("one_sided_branches", {"least": 1}),
        ("longest_traces_per_level", {"top": 1}),
        ("hardest_questions", {"top": 1}),
    ],
)
def test_parameters_change_the_answer(
    name: str, settings: dict[str, Any], connection: Any, data: Dataset
) -> None:
    query = find_query(name)
    texts = [f"{key}={value}" for key, value in settings.items()]
    rows = list(run_query(connection, query.sql, parse_settings(texts, query)).rows())
    assert rows == EXPECTED[name](data, **settings)
