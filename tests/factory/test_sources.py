from __future__ import annotations

import ast
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.errors import UserError
from factory.recipe_records import Fields, Recipe, Source
from factory.records import Draft, Dropped
from factory.sources import Drafted, read_draft
from factory.sources.records import RawRecord, read_raw
from factory.sources.units import UNIT_DRAWS, check_source, units

DATA = Path(__file__).parent.parent / "data"


def recipe_for(path: Path, shape: Any = None, fields: Fields | None = None) -> Recipe:
    return Recipe(Source("jsonl", path=str(path), shape=shape, fields=fields), licence="MIT")


def read_all(path: Path, shape: Any = None, fields: Fields | None = None) -> list[Drafted]:
    recipe = recipe_for(path, shape, fields)
    return [read_draft(raw, recipe) for raw in read_raw(path)]


def read_one(record: object, shape: Any = None, fields: Fields | None = None) -> Drafted:
    text = record if isinstance(record, bytes) else json.dumps(record).encode("ascii")
    return read_draft(RawRecord(7, text), recipe_for(Path("rows.jsonl"), shape, fields))


def draft_in(drafted: Drafted) -> Draft:
    assert drafted.draft is not None, drafted.dropped
    return drafted.draft


def reason(drafted: Drafted) -> str:
    assert drafted.draft is None
    (dropped,) = drafted.dropped
    assert dropped.stage == "source"
    assert dropped.where == "rows.jsonl:7"
    assert dropped.detail
    return dropped.reason


def test_cruxeval_sample() -> None:
    drafts = [draft_in(each) for each in read_all(DATA / "cruxeval/sample.jsonl", "cruxeval")]
    assert len(drafts) == 10
    first = drafts[0]
    assert first.origin.name == "sample_0"
    assert (first.origin.file, first.origin.row) == ("sample.jsonl", 1)
    assert (first.origin.generator, first.origin.licence) == ("jsonl", "MIT")
    assert first.program.entry_point == "f"
    assert first.program.source.startswith("def f(nums):")
    assert [call.args for call in first.calls] == ["[1, 1, 3, 1, 3, 1]"]
    assert first.expected == ("[(4, 1), (4, 1), (4, 1), (4, 1), (2, 3), (2, 3)]",)
    assert first.tests is None


def test_humaneval_sample() -> None:
    read = read_all(DATA / "humaneval/sample.jsonl.gz", "humaneval")
    drafts = {draft_in(each).origin.name: draft_in(each) for each in read}
    close = drafts["HumanEval/0"]
    assert close.program.entry_point == "has_close_elements"
    assert close.program.source.endswith("    return False\n")
    assert len(close.calls) == 7
    assert close.calls[0].args == "[1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.3"
    assert close.tests is not None
    assert close.tests.endswith("\ncheck(has_close_elements)\n")
    spelled = [call.args for call in drafts["HumanEval/25"].calls]
    assert "3 * 19" in spelled, "an argument need not be a literal"
    assert drafts["HumanEval/50"].calls == ()
    dropped = {drop.where: drop for each in read for drop in each.dropped}
    assert set(dropped) == {f"sample.jsonl.gz:{row}" for row in (4, 5, 6, 7)}
    assert {drop.reason for drop in dropped.values()} == {"argument_needs_test_code"}
    assert "encoded_str" in dropped["sample.jsonl.gz:6"].detail


def test_mbpp_sample() -> None:
    drafts = [draft_in(each) for each in read_all(DATA / "mbpp/sample.json", "mbpp")]
    by_name = {draft.origin.name: draft for draft in drafts}
    similar = by_name["2"]
    assert similar.program.entry_point == "similar_elements"
    assert similar.calls[0].args == "(3, 4, 5, 6), (5, 7, 4, 10)"
    assert "14 * 14" in [call.args for call in by_name["803"].calls]
    sphere = by_name["82"]
    assert sphere.tests is not None
    assert sphere.tests.startswith("import math\nassert math.isclose(volume_sphere(10)")
    assert [draft.origin.row for draft in drafts] == [1, 2, 3, 4, 5, 6]


def test_mbpp_calls_the_function_that_the_asserts_call() -> None:
    record = {
        "code": "def g(n):\n    return n\ndef h(n):\n    return g(n)\ndef other():\n    pass",
        "test_list": ["assert h(g(1)) == 1", "assert h(2) == g(2)", "assert h(3) == 3"],
        "task_id": 9,
    }
    draft = draft_in(read_one(record, "mbpp"))
    assert draft.program.entry_point == "h"
    assert [call.args for call in draft.calls] == ["g(1)", "2", "3"]


FIELDS = Fields(code="program", input="given", output="result", entry_point="name")


def test_field_names_of_a_recipe() -> None:
    record = {"program": "def go(a, b=1):\n    return a", "name": "go", "given": "1, b=2"}
    draft = draft_in(read_one({**record, "result": "1", "id": 4}, fields=FIELDS))
    assert draft.program.entry_point == "go"
    assert [call.args for call in draft.calls] == ["1, b=2"]
    assert draft.expected == ("1",)
    assert draft.origin.name == "4"
    assert draft_in(read_one(record, fields=FIELDS)).expected == ()


def test_several_inputs_of_a_record() -> None:
    record = {"code": "def f(a):\n    return a", "input": ["1", "2"], "output": ["1", "2"]}
    draft = draft_in(read_one(record, fields=Fields()))
    assert [call.args for call in draft.calls] == ["1", "2"]
    assert draft.expected == ("1", "2")
    record["output"] = ["1"]
    assert reason(read_one(record, fields=Fields())) == "bad_field"


def test_no_input_field_means_no_calls() -> None:
    record = {"code": "def f(a: int):\n    return a"}
    assert draft_in(read_one(record, fields=Fields(input=None))).calls == ()


GOOD = {"code": "def f(a):\n    return a", "input": "1", "output": "1"}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (b'{"code": "def f', "not_json"),
        (b"\xff{}", "not_utf8"),
        (b"[" * 100_000, "not_json"),
        ([1], "not_an_object"),
        ({}, "missing_field"),
        ({**GOOD, "code": 3}, "bad_field"),
        ({**GOOD, "input": None}, "bad_field"),
        ({**GOOD, "code": "def f(:\n    pass"}, "syntax_error"),
        ({**GOOD, "code": "def f(a):\n\x00    return a"}, "syntax_error"),
        ({**GOOD, "code": "def g(a):\n    return a"}, "unknown_entry_point"),
        ({**GOOD, "code": "def g(a):\n    def f():\n        pass"}, "unknown_entry_point"),
        ({**GOOD, "code": "def f(a):\n    return '\ud800'"}, "lone_surrogate"),
        ({**GOOD, "input": "1)"}, "bad_input"),
        ({**GOOD, "input": "1) or g(2"}, "bad_input"),
        ({**GOOD, "input": "1 +"}, "bad_input"),
    ],
)
def test_a_bad_row_is_a_drop_with_file_and_line(record: object, expected: str) -> None:
    assert reason(read_one(record, "cruxeval")) == expected


@pytest.mark.parametrize(
    ("shape", "record", "expected"),
    [
        (
            "humaneval",
            {"prompt": "def f():\n", "canonical_solution": "  return 1"},
            "missing_field",
        ),
        (
            "humaneval",
            {
                "prompt": "def f():\n",
                "canonical_solution": "  return 1",
                "entry_point": "f",
                "test": "def test(): pass",
            },
            "bad_tests",
        ),
        (
            "mbpp",
            {"code": "def f(): pass", "test_list": ["assert g() == 1"]},
            "unknown_entry_point",
        ),
        ("mbpp", {"code": "def f(): pass", "test_list": ["assert f( == 1"]}, "bad_tests"),
        ("mbpp", {"code": "def f(: pass", "test_list": ["assert f() == 1"]}, "syntax_error"),
    ],
)
def test_bad_rows_of_other_shapes(shape: str, record: object, expected: str) -> None:
    assert reason(read_one(record, shape)) == expected


@pytest.mark.parametrize(
    "code",
    [
        "f = lambda a: a",
        "from operator import neg as f",
        "if True:\n    def f(a):\n        return a",
        "class f:\n    pass",
        "(f, g) = (abs, abs)",
    ],
)
def test_an_entry_point_is_any_top_level_name(code: str) -> None:
    assert draft_in(read_one({**GOOD, "code": code}, "cruxeval"))


def test_lines_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    row = json.dumps(GOOD)
    path.write_text(f"\ufeff{row}\n\n{row}\r\n{{broken\n{row}", encoding="utf-8")
    read = read_all(path, "cruxeval")
    assert [each.draft.origin.row for each in read if each.draft] == [1, 3, 5]
    (dropped,) = [drop for each in read for drop in each.dropped]
    assert dropped == Dropped("source", "not_json", "rows.jsonl:4", dropped.detail)


def test_the_same_records_in_every_kind_of_file(tmp_path: Path) -> None:
    rows = [{**GOOD, "id": str(number)} for number in range(5)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "a.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(json.dumps(rows).encode()))
    for name in ("a.jsonl", "a.jsonl.gz", "a.json", "a.json.gz"):
        drafts = [draft_in(each) for each in read_all(tmp_path / name, "cruxeval")]
        assert [draft.origin.name for draft in drafts] == list("01234")
        assert [draft.origin.row for draft in drafts] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("gone.jsonl", None, "no such file"),
        ("rows.csv", b"a,b", "give one of .jsonl"),
        ("rows.json", b'{"code": 1}', "a list of records"),
        ("rows.json", b"[1,", "not JSON"),
        ("rows.jsonl.gz", b"plain text", "cannot be read"),
        ("rows.jsonl.gz", gzip.compress(b"a" * 10_000, mtime=0)[:30], "cannot be read"),
    ],
)
def test_a_bad_file_is_an_error_that_names_it(
    tmp_path: Path, name: str, content: bytes | None, words: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=words) as caught:
        check_source(recipe_for(path, "cruxeval"))
    assert name in caught.value.message


def test_units_cut_the_rows_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("{}\n" * (2 * UNIT_DRAWS + 3), encoding="utf-8")
    cut = list(units(recipe_for(path, "cruxeval"), None))
    assert [len(unit.rows or ()) for unit in cut] == [UNIT_DRAWS, UNIT_DRAWS, 3]
    assert [unit.first for unit in cut] == [0, UNIT_DRAWS, 2 * UNIT_DRAWS]
    few = list(units(recipe_for(path, "cruxeval"), UNIT_DRAWS + 1))
    assert [len(unit.rows or ()) for unit in few] == [UNIT_DRAWS, 1]
    assert few[0] == cut[0]


@given(st.lists(st.one_of(st.integers(), st.text(max_size=5), st.lists(st.booleans())), max_size=3))
def test_literal_arguments_keep_their_values(values: list[object]) -> None:
    arguments = ", ".join(map(repr, values))
    record = {
        "code": "def f(*a):\n    return a",
        "test_list": [f"assert f({arguments}) == None"],
    }
    draft = draft_in(read_one(record, "mbpp"))
    assert list(ast.literal_eval(f"[{draft.calls[0].args}]")) == values
