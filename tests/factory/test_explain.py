"""`tracefoundry explain`, and that the trace gives every question's key a second time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import built_dataset
import command_line
import pytest

from factory.errors import UserError
from factory.evidence import EVIDENCE, find_evidence
from factory.explanation import explain
from factory.load import question_of, read_rows, trace_of
from tracer.derivation import derive
from tracer.questions import QUESTION_KINDS
from tracer.records import Call, Program, Question, Trace
from tracer.runner import Runner

PROGRAMS = (
    ("loops", "[3, 1, 4, 1, 5], k=2"),
    ("recursion", "4"),
    ("exceptions", "'x'"),
    ("aliasing", ""),
    ("classes", ""),
    ("matching", "{'op': 'add', 'args': [1, 2]}"),
)
LOOPS = """def part(n):
    return 6 // n

def f(xs, ys):
    zs = xs
    total = 0
    for x in xs:
        if x > 2:
            total += x
        else:
            try:
                total += part(x)
            except ZeroDivisionError:
                continue
    while total > 100:
        total -= 1
    zs.append(total)
    ys.append(total)
    return xs, ys
"""


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_dataset.build_dataset(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def traces() -> list[Trace]:
    calls = [("f", LOOPS, "[0, 1, 7], []"), ("f", LOOPS, "[], [1]"), ("part", LOOPS, "0")]
    for name, args in PROGRAMS:
        source = (built_dataset.PROGRAMS / f"{name}.py").read_text()
        calls.append((built_dataset.INPUTS[name][0], source, args))
    with Runner() as runner:
        return [runner.run(Program(source, entry), Call(args)) for entry, source, args in calls]


@pytest.mark.parametrize("kind", [kind.name for kind in QUESTION_KINDS])
def test_the_trace_gives_the_key_again(kind: str, traces: list[Trace]) -> None:
    found = 0
    for trace in traces:
        for question in derive(trace, [kind]):
            evidence = find_evidence(question, trace)
            if kind == "variable_state":
                assert json.loads(evidence.answer or "") == json.loads(question.key)
            else:
                assert evidence.answer == question.key, question.text
            assert evidence.because.endswith(".")
            assert all(0 <= step < len(trace.steps) for step in evidence.steps)
            assert list(evidence.steps) == sorted(evidence.steps)
            found += 1
    assert found >= 3


def test_every_kind_is_explained() -> None:
    assert EVIDENCE.keys() == {kind.name for kind in QUESTION_KINDS}
    unknown = find_evidence(Question("other", "", "", ()), None)  # type: ignore[arg-type]
    assert unknown.answer is None


def test_every_published_question(dataset: Path) -> None:
    programs = {row["program_id"]: row for row in read_rows(dataset, "programs")}
    traces = {
        row["trace_id"]: trace_of(row, programs[row["program_id"]])
        for row in read_rows(dataset, "traces")
    }
    count = 0
    for row in read_rows(dataset, "questions"):
        question = question_of(row)
        answer = find_evidence(question, traces[row["trace_id"]]).answer
        if question.kind == "variable_state":
            assert json.loads(answer or "") == json.loads(question.key)
        else:
            assert answer == question.key
        count += 1
    assert count > 50


def first(dataset: Path, config: str) -> dict[str, Any]:
    return next(read_rows(dataset, config))


def test_a_question_is_shown_with_its_reason(
    dataset: Path, tracefoundry: command_line.Command
) -> None:
    row = next(r for r in read_rows(dataset, "questions") if r["kind"] == "next_statement")
    done = tracefoundry("explain", dataset, row["question_id"])
    assert (done.returncode, done.stderr) == (0, "")
    assert f"answer key: {row['key']}" in done.stdout
    assert f"why: Step {row['step']} is execution {row['occurrence']} of line {row['line']}" in (
        done.stdout
    )
    assert f"\n> {row['line']:>3} " in done.stdout
    assert "instead" not in done.stdout
    document = json.loads(tracefoundry("explain", dataset, row["question_id"], "--json").stdout)
    assert document["question"] == row
    assert document["evidence"]["answer"] == row["key"]
    assert document["trace"]["trace_id"] == row["trace_id"]


def test_a_trace_and_a_program(dataset: Path, tracefoundry: command_line.Command) -> None:
    trace = first(dataset, "traces")
    shown = tracefoundry("explain", dataset, trace["trace_id"])
    assert shown.returncode == 0
    assert f"{trace['n_steps']} steps" in shown.stdout
    document = json.loads(tracefoundry("explain", dataset, trace["trace_id"], "--json").stdout)
    assert document["trace"] == trace
    asked = [r for r in read_rows(dataset, "questions") if r["trace_id"] == trace["trace_id"]]
    assert sorted(q["question_id"] for q in document["questions"]) == sorted(
        q["question_id"] for q in asked
    )
    program = first(dataset, "programs")
    document = json.loads(tracefoundry("explain", dataset, program["program_id"], "--json").stdout)
    assert document["program"] == program
    ids = [t["trace_id"] for t in document["traces"]]
    assert ids == sorted(
        r["trace_id"]
        for r in read_rows(dataset, "traces")
        if r["program_id"] == program["program_id"]
    )
    shown = tracefoundry("explain", dataset, program["program_id"])
    assert program["entry_point"] in shown.stdout
    assert all(trace_id in shown.stdout for trace_id in ids)


def test_the_beginning_of_an_id_is_enough(dataset: Path) -> None:
    ids = sorted(
        row[column]
        for config, column in (
            ("programs", "program_id"),
            ("traces", "trace_id"),
            ("questions", "question_id"),
        )
        for row in read_rows(dataset, config)
    )
    own_id = ids[0]
    assert explain(dataset, own_id[:10]).id == own_id
    near = f"{own_id[:-1]}{'0' if own_id[-1] != '0' else '1'}"
    with pytest.raises(UserError, match=own_id):
        explain(dataset, near)


@pytest.mark.parametrize("name", ["", "0", "zzzzzzzzzzzzzzzz", "'; --", "%"])
def test_no_such_id_is_one_line(
    name: str, dataset: Path, tracefoundry: command_line.Command
) -> None:
    done = tracefoundry("explain", dataset, name)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "nearest" in done.stderr


def test_several_ids_that_begin_so(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from factory.table import CONFIGS, schema

    rows = {
        "programs": [{"program_id": "abcd1"}, {"program_id": "abcd2"}],
        "traces": [{"trace_id": "abcd", "program_id": "gone"}],
    }
    for config in CONFIGS:
        (tmp_path / config).mkdir()
        table = pa.Table.from_pylist(rows.get(config, []), schema=schema(config))
        pq.write_table(table, tmp_path / config / "train-00000.parquet")
    assert explain(tmp_path, "abcd1").config == "programs"
    with pytest.raises(UserError, match="damaged"):
        explain(tmp_path, "abcd")
    (tmp_path / "traces" / "train-00000.parquet").unlink()
    pq.write_table(schema("traces").empty_table(), tmp_path / "traces" / "train-00000.parquet")
    with pytest.raises(UserError, match=r"2 ids begin so \(program abcd1, program abcd2"):
        explain(tmp_path, "abcd")
