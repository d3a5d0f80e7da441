"""Benchmark programs stay out: planted copies are found, others are not, the report says what."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hub import TestHub
from hub.client import Client
from planting import plant

from factory.benchmark_files import digest_files, find_files, programs_of, read_benchmark
from factory.decontamination import BenchmarkIndex, Hit
from factory.errors import RecipeError, UserError
from factory.grid import cells
from factory.load import read_rows
from factory.manifest import read_manifest
from factory.normal_form import bare_tokens
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe import load_recipe, recipe_from_contents
from factory.recipe_records import Benchmark, Decontamination, Recipe, Source
from factory.records import Draft
from factory.templates import draw_draft

DATA = Path(__file__).parent.parent / "data"
CRUXEVAL = DATA / "cruxeval" / "sample.jsonl"
PLAN = Decontamination(
    (
        Benchmark(str(CRUXEVAL), name="cruxeval"),
        Benchmark(str(DATA / "humaneval"), name="humaneval"),
        Benchmark(str(DATA / "mbpp" / "sample.json"), name="mbpp"),
    )
)
ORIGINALS = [
    (benchmark.label, program)
    for benchmark in PLAN.benchmarks
    for program in read_benchmark(benchmark).programs
]


@pytest.fixture(scope="module")
def index() -> BenchmarkIndex:
    return BenchmarkIndex(PLAN)


def test_planted_copies_are_found(index: BenchmarkIndex) -> None:
    assert len(ORIGINALS) == 24
    for label, program in ORIGINALS:
        for number in range(3):
            copy = plant(program.source, random.Random(f"{program.name}:{number}"))
            assert copy != program.source
            hit = index.find(copy, "id")
            assert hit is not None, copy
            assert (hit.benchmark, hit.method, hit.share) == (label, "normal_form", 1.0)


def test_the_copier_changes_what_it_says() -> None:
    source = 'def f(a: int) -> int:\n    """Doc."""\n    total = a + 1\n    return f"{total} x"\n'
    copy = plant(source, random.Random(0))
    assert not {"f(", "a:", "int", "Doc", "total", " 1"} & {*copy.split(), copy[4:6]}
    assert bare_tokens(copy, names=True) == bare_tokens(source, names=True)


@pytest.mark.parametrize("number", range(24))
def test_a_copy_inside_a_larger_program_is_found(index: BenchmarkIndex, number: int) -> None:
    _, program = ORIGINALS[number]
    copy = plant(program.source, random.Random(number))
    around = f"LIMIT = 9\n\ndef helper(n):\n    return n - LIMIT\n\n{copy}\nprint(helper(3))\n"
    hit = index.find(around, "id")
    length = len(bare_tokens(program.source, names=False)) - PLAN.ngram + 1
    if hit is None:
        assert length < 40, "only short ones are not told from what anybody writes"
    else:
        assert hit.method == "ngrams"
        assert hit.benchmark_id == program.name


def test_template_programs_are_rarely_taken_for_a_benchmarks(index: BenchmarkIndex) -> None:
    grid = cells()
    drafts = (draw_draft(grid[k * 7 % len(grid)], random.Random(f"d:{k}")) for k in range(60))
    sources = [draft.program.source for draft in drafts if isinstance(draft, Draft)]
    assert len(sources) >= 50
    assert not [source for source in sources if index.find(source, "id")]


def test_an_index_goes_to_another_process_as_it_is(index: BenchmarkIndex) -> None:
    again = pickle.loads(pickle.dumps(index))
    for _, program in ORIGINALS:
        assert again.find(program.source, "x") == index.find(program.source, "x")


def test_changed_copies_are_found_by_what_they_share(index: BenchmarkIndex) -> None:
    name, source = max(
        ((program.name, program.source) for _, program in ORIGINALS), key=lambda each: len(each[1])
    )
    changed = source.rstrip() + "\n    print(0)\n\ndef extra(n):\n    return n\n"
    hit = index.find(changed, "id")
    assert hit is not None
    assert (hit.method, hit.benchmark_id) == ("ngrams", name)
    assert 0.75 <= hit.share <= 1.0


@pytest.mark.parametrize(
    ("record", "field", "expected"),
    [
        ({"prompt": "def f():\n", "solution": " return 1"}, None, ["def f():\n return 1"]),
        ({"prompt": "Write f.", "code": "def f(): return 1"}, None, ["def f(): return 1"]),
        ({"solutions": '["def f(): return 1", "def g(: x"]'}, None, ["def f(): return 1"]),
        ({"solutions": ["x = 1", 3, None]}, None, ["x = 1"]),
        ({"code": "some words", "solution": "'text'"}, None, []),
        ({"code": "x = 1", "mine": "y = 2"}, "mine", ["y = 2"]),
        ({"code": "x = 1"}, "mine", []),
        ({"code": "x = 1", "solution": "x = 1"}, None, ["x = 1"]),
    ],
)
def test_programs_are_found_by_the_names_of_fields(
    record: dict[str, object], field: str | None, expected: list[str]
) -> None:
    assert list(programs_of(record, field)) == expected


def test_parquet_and_folders_are_read(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"code": ["def f(a):\n    return a\n", "no code"], "id": [7, 8]})
    (tmp_path / "b").mkdir()
    pq.write_table(table, tmp_path / "b" / "test.parquet")
    (tmp_path / "a.jsonl").write_text('{"code": "x = 1"}\n\n{"code": "y = f(2)"}\n')
    (tmp_path / ".hidden.jsonl").write_text("broken")
    (tmp_path / "notes.md").write_text("no data")
    contents = read_benchmark(Benchmark(str(tmp_path)))
    assert [(each.name, each.source) for each in contents.programs] == [
        ("a.jsonl:1", "x = 1"),
        ("a.jsonl:3", "y = f(2)"),
        ("7", "def f(a):\n    return a\n"),
    ]
    assert (contents.rows, contents.without_program) == (4, 1)
    before = digest_files(Benchmark(str(tmp_path)))
    (tmp_path / "a.jsonl").write_text('{"code": "x = 2"}\n')
    assert digest_files(Benchmark(str(tmp_path))) != before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.jsonl", None, "no such file or folder"),
        ("words.txt", "x", "no file of a benchmark"),
        ("bad.jsonl", "{]", "not_json"),
        ("bad.parquet", "PAR", "cannot be read"),
        ("other.jsonl", '{"question": "?"}', "no row of 1 has a program"),
        ("empty.json", "[]", "no row of 0 has a program"),
    ],
)
def test_a_benchmark_that_cannot_be_used_is_refused(
    tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    with pytest.raises(UserError, match=message) as caught:
        BenchmarkIndex(Decontamination((Benchmark(str(path)),)))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


PUT = """
import sys
from huggingface_hub import CommitOperationAdd, HfApi
api, path = HfApi(), sys.argv[1]
api.create_repo("owner/crux", repo_type="dataset", private=True)
made = api.create_commit("owner/crux", [
    CommitOperationAdd("data/test.jsonl", path), CommitOperationAdd("README.md", b"# crux")],
    commit_message="data", repo_type="dataset")
api.create_tag("owner/crux", tag="v1", revision=made.oid, repo_type="dataset")
api.create_commit("owner/crux", [
    CommitOperationAdd("data/test.jsonl", b'{"code": "x = 1"}\\n')],
    commit_message="other data", repo_type="dataset")
"""


@pytest.mark.hub
@pytest.mark.timeout(600)
def test_a_benchmark_of_the_hub_is_read_at_its_revision(tmp_path: Path) -> None:
    contaminated(tmp_path)
    recipe, out = tmp_path / "recipe.yaml", tmp_path / "out"
    rows = "source: {kind: jsonl, path: rows.jsonl, code: code, entry_point: entry}\n"
    place = "hf://datasets/owner/crux"
    with TestHub() as hub, Client(hub.environment, tmp_path / "home") as client:
        assert client.python(PUT, CRUXEVAL).returncode == 0
        recipe.write_text(f"{rows}decontamination: {{benchmarks: [{{path: '{place}@v1'}}]}}\n")
        done = client.run("build", recipe, "--out", out, "--workers", "1")
        assert done.returncode == 0, done.stderr
        assert "owner/crux@v1" in done.stderr
        manifest = read_manifest(out)
        assert manifest["drops"] == {"decontamination": {"normal_form": 2}}
        (found,) = manifest["decontamination"]["benchmarks"]
        assert (found["name"], found["path"], found["files"]) == ("crux", f"{place}@v1", 1)
        recipe.write_text(f"{rows}decontamination: {{benchmarks: [{{path: '{place}'}}]}}\n")
        done = client.run("build", recipe, "--out", tmp_path / "newest", "--workers", "1")
        assert done.returncode == 0, done.stderr
        assert read_manifest(tmp_path / "newest")["decontamination"]["hits"] == []
        for wrong in ("owner/crux@v9", "crux"):
            recipe.write_text(
                f"{rows}decontamination: {{benchmarks: [{{path: 'hf://datasets/{wrong}'}}]}}\n"
            )
            done = client.run("build", recipe, "--out", tmp_path / "none")
            assert done.returncode == 2
            assert wrong in done.stderr
            assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "none").exists()


# --- in a build ---------------------------------------------------------------------------------


def contaminated(folder: Path) -> Path:
    """A file of a planted copy, a program of its own, and a benchmark's program as it is."""
    row = json.loads(CRUXEVAL.read_text("utf-8").splitlines()[0])
    copy = plant(row["code"], random.Random(0))
    own = "def f(n):\n    for k in range(n):\n        n += k * n\n    return [n] * 2\n"
    rows = [
        {"code": copy, "input": row["input"], "entry": copy[4 : copy.index("(")]},
        {"code": own, "input": "3", "entry": "f"},
        {"code": row["code"], "input": row["input"], "entry": "f"},
    ]
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return path


def recipe_file(folder: Path, benchmark: Path) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(
        "source: {kind: jsonl, path: rows.jsonl, code: code, entry_point: entry}\n"
        f"decontamination: {{benchmarks: [{{path: {benchmark}, name: crux}}]}}\n"
    )
    return path


def test_a_build_leaves_benchmark_programs_out_and_reports_them(tmp_path: Path) -> None:
    contaminated(tmp_path)
    benchmark = tmp_path / "crux.jsonl"
    benchmark.write_bytes(CRUXEVAL.read_bytes())
    recipe = load_recipe(recipe_file(tmp_path, Path("crux.jsonl")))
    out = tmp_path / "out"
    report = build(recipe, out, progress=SilentProgress())
    assert [row["provenance"]["row"] for row in read_rows(out, "programs")] == [2]
    manifest = read_manifest(out)
    assert manifest["drops"] == {"decontamination": {"normal_form": 2}}
    found = manifest["decontamination"]
    assert [set(Hit.__slots__) == set(hit) for hit in found["hits"]] == [True, True]
    assert {hit["benchmark_id"] for hit in found["hits"]} == {"sample_0"}
    assert len({hit["program_id"] for hit in found["hits"]}) == 2
    (described,) = found["benchmarks"]
    assert described["sha256"] == manifest["recipe"]["benchmarks_sha256"][0]
    assert (described["name"], described["rows"], described["programs"]) == ("crux", 10, 10)
    assert str(tmp_path) not in json.dumps(manifest)
    lines = (out / "drops.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["detail"] == "crux sample_0 (100%)"
    assert not report.reused
    assert build(recipe, out, progress=SilentProgress()).reused
    restored = recipe_from_contents(
        {k: v for k, v in manifest["recipe"].items() if k in recipe.contents()},
        where="manifest",
        seed=0,
    )
    assert restored.hash == recipe.hash


def test_a_changed_benchmark_makes_the_build_anew(tmp_path: Path) -> None:
    contaminated(tmp_path)
    benchmark = tmp_path / "crux.jsonl"
    benchmark.write_bytes(CRUXEVAL.read_bytes())
    recipe = load_recipe(recipe_file(tmp_path, Path("crux.jsonl")))
    build(recipe, tmp_path / "out", progress=SilentProgress())
    benchmark.write_text('{"code": "x = 1"}\n')
    again = build(recipe, tmp_path / "out", progress=SilentProgress())
    assert not again.reused
    assert again.programs == 3
    assert again.manifest["decontamination"]["hits"] == []


def test_keys_of_the_recipe_are_checked(tmp_path: Path) -> None:
    for line, message in (
        ("decontamination: {benchmarks: [{paht: x}]}", r"0\.paht'; did you mean 'path'"),
        ("decontamination: {benchmark: [{path: x}]}", "did you mean 'benchmarks'"),
        ("decontamination: {share: 0}", "share must be more than 0"),
        ("decontamination: {ngram: 0}", "ngram must be at least 1"),
        ("decontamination: {benchmarks: [{path: a/x.json}, {path: b/x.json}]}", "called 'x'"),
        ("near_duplicates: 0.99", "near_duplicates must be between"),
        ("inputs: {keep: 0}", "keep must be at least 1"),
    ):
        path = tmp_path / "recipe.yaml"
        path.write_text(f"source: {{kind: templates}}\n{line}\n")
        with pytest.raises(RecipeError, match=message):
            load_recipe(path)


def test_without_benchmarks_nothing_is_compared() -> None:
    recipe = Recipe(Source("templates"))
    assert recipe.decontamination == Decontamination()
    changed = replace(recipe, decontamination=PLAN)
    assert changed.hash != recipe.hash
    assert str(DATA) not in json.dumps(changed.contents())
    assert find_files(PLAN.benchmarks[1])[0].name == "sample.jsonl.gz"
