"""The command line as a whole: help, exit codes, and the main job end to end."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import built_dataset
import command_line
import pytest
from typer.testing import CliRunner

from factory.cli import COMMANDS, app, run
from factory.errors import InfrastructureError

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "cli.md"
HEAVY = ("datasets", "duckdb", "huggingface_hub", "libcst", "numpy", "pyarrow", "pydantic", "rich")
CRUXEVAL = ROOT / "tests" / "data" / "cruxeval" / "sample.jsonl"


def help_text(*command: str) -> str:
    done = CliRunner().invoke(
        app, [*command, "--help"], prog_name="tracefoundry", env={"COLUMNS": "100"}
    )
    assert done.exit_code == 0
    return done.stdout


def make_reference() -> str:
    parts = [
        "# Command line\n",
        "Made from `--help` by `pytest --update-gold`; a test compares it.\n",
        f"```text\n{help_text()}```\n",
    ]
    for name, _ in COMMANDS:
        parts.append(f"## tracefoundry {name}\n\n```text\n{help_text(name)}```\n")
    return "\n".join(parts)


def test_reference_page_is_not_stale(same_as_file: Callable[[Path, str], None]) -> None:
    same_as_file(REFERENCE, make_reference())


@pytest.mark.parametrize("name", [name for name, _ in COMMANDS])
def test_every_option_has_a_help_text_that_is_a_sentence(name: str) -> None:
    text = help_text(name)
    assert "Work in progress" not in text
    options = re.split(r"\n(?=  -)", text.split("Options:\n")[1])
    for option in options:
        words = " ".join(option.split())
        assert re.search(r"\.( +\[[^]]+\])?$", words), words


def test_help_is_light_and_quick() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = (
        "import sys; from factory.cli import run; code = run(['--help']);"
        f"print(code, [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stderr == "0 []\n"
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert used < 0.3


def test_console_script_answers() -> None:
    script = Path(sys.executable).with_name("tracefoundry")
    done = subprocess.run(
        [script, "--version"], capture_output=True, text=True, check=True, timeout=60
    )
    assert re.fullmatch(r"tracefoundry \d+\.\d+\.\d+\S*\n", done.stdout)


def test_without_a_command_help_is_shown(tracefoundry: command_line.Command) -> None:
    done = tracefoundry()
    assert (done.returncode, done.stderr) == (0, "")
    assert "Commands:" in done.stdout
    assert tracefoundry("version").stdout == tracefoundry("--version").stdout


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["bild"], ["'bild'", "'build'"]),
        (["--nothing"], ["--nothing"]),
        (["build", "--nothing"], ["--nothing", "tracefoundry build --help"]),
        (["build"], ["--out"]),
        (["build", "tinny", "--out", "x"], ["'tinny'", "tiny"]),
        (["build", "--out", "x", "--programs", "0"], ["--programs"]),
        (["build", "--out", "x", "--programs", "many"], ["--programs"]),
        (["build", "none.yaml", "--out", "x"], ["none.yaml"]),
        (["audit", "nowhere"], ["nowhere", "no such folder"]),
        (["query", "nowhere"], ["nowhere", "tracefoundry build"]),
        (["query"], ["DIR"]),
        (["query", ".", "SELECT 1", "--name", "steps_per_line"], ["not both"]),
        (["query", ".", "SELECT 1", "--csv", "--json"], ["--csv and --json"]),
        (["trace"], ["FILE"]),
    ],
)
def test_mistakes_are_one_clear_line_and_make_nothing(
    arguments: list[str],
    parts: list[str],
    tracefoundry: command_line.Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = tracefoundry(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert [part for part in parts if part not in done.stderr] == []
    assert list(tmp_path.iterdir()) == []


def write_recipe(folder: Path, text: str) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("recipe", "parts"),
    [
        ("source: {kind: templates}\nprogram: 3\n", ["recipe.yaml", "'program'", "'programs'"]),
        ("source: {kind: jsonl, path: no.jsonl, shape: cruxeval}\n", ["no.jsonl", "no such file"]),
        ("source: [\n", ["recipe.yaml", "not YAML"]),
        ("source: {kind: templates}\nprograms: 3\nprograms: 4\n", ["recipe.yaml:3", "twice"]),
    ],
)
def test_a_bad_recipe_is_one_clear_line(
    recipe: str, parts: list[str], tracefoundry: command_line.Command, tmp_path: Path
) -> None:
    done = tracefoundry("build", write_recipe(tmp_path, recipe), "--out", tmp_path / "out")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert [part for part in parts if part not in done.stderr] == []
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_dataset.build_dataset(tmp_path_factory.mktemp("built"))


def test_build_audit_query_of_a_real_file(
    tracefoundry: command_line.Command, tmp_path: Path
) -> None:
    source = tmp_path / "sample.jsonl"
    source.write_bytes(CRUXEVAL.read_bytes() + b"{broken\n")
    records = CRUXEVAL.read_bytes().count(b"\n")
    recipe = write_recipe(tmp_path, "source: {kind: jsonl, path: sample.jsonl, shape: cruxeval}\n")
    out = tmp_path / "out"
    built = tracefoundry("build", recipe, "--out", out, "--workers", "2", "--json")
    assert built.returncode == 0
    report = json.loads(built.stdout)
    assert report["counts"]["programs"]["total"] == records
    assert report["drops"] == {"source": {"not_json": 1}}
    assert {(out / file).exists() for file in report["files"]} == {True}

    strict = tracefoundry("build", recipe, "--out", out, "--strict")
    assert strict.returncode == 1
    assert "source/not_json 1" in strict.stderr
    assert f"{records} programs in {out}" in strict.stdout

    audited = tracefoundry("audit", out)
    assert audited.returncode == 0
    assert "100 % reproduced" in audited.stdout

    named = tracefoundry("query", out, "--name", "drop_reasons", "--json")
    place = f"sample.jsonl:{records + 1}"
    assert json.loads(named.stdout) == [
        {"stage": "source", "reason": "not_json", "drops": 1, "example": place}
    ]


def test_strict_bears_what_mutation_drops(
    dataset: Path, tracefoundry: command_line.Command
) -> None:
    recipe = dataset.parent / "recipe.yaml"
    done = tracefoundry("build", recipe, "--out", dataset, "--strict", "--json")
    assert done.returncode == 1
    drops = json.loads(done.stdout)["drops"]
    assert drops["execution"]["step_limit"] >= 1
    assert re.search(r"drops: source/not_json 1 \(see .+/drops\.jsonl\)\n$", done.stderr)


def test_dry_run_estimates_and_writes_nothing(
    tracefoundry: command_line.Command, tmp_path: Path
) -> None:
    recipe = write_recipe(tmp_path, f"source: {{kind: jsonl, path: {CRUXEVAL}, shape: cruxeval}}\n")
    done = tracefoundry("build", recipe, "--out", tmp_path / "out", "--dry-run", "--json")
    found = json.loads(done.stdout)
    records = CRUXEVAL.read_bytes().count(b"\n")
    assert (found["rows"], found["programs"], found["traces"]) == (records,) * 3
    assert found["seconds"] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["recipe.yaml"]
    assert "about" in tracefoundry("build", recipe, "--dry-run").stdout


def test_audit_names_each_row_that_is_not_reproduced(
    dataset: Path, tracefoundry: command_line.Command, tmp_path: Path
) -> None:
    import pyarrow.parquet as pq

    changed = tmp_path / "changed"
    shutil.copytree(dataset, changed)
    file = next(
        path
        for path in sorted((changed / "traces").glob("*.parquet"))
        if pq.ParquetFile(path).metadata.num_rows
    )
    table = pq.ParquetFile(file).read()
    rows = table.to_pylist()
    rows[0]["output_value"] = "'forged'"
    pq.write_table(table.from_pylist(rows, schema=table.schema), file)
    done = tracefoundry("audit", changed, "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert not report["ok"]
    found = {(p["config"], p["id"], p["column"]) for p in report["problems"]}
    assert ("traces", rows[0]["trace_id"], "output_value") in found
    shown = tracefoundry("audit", changed)
    assert shown.returncode == 1
    assert f"traces {rows[0]['trace_id']} output_value" in shown.stdout


def test_query_prints_table_csv_json_parquet_and_plan(
    dataset: Path, tracefoundry: command_line.Command, tmp_path: Path
) -> None:
    sql = "SELECT kind, count(*) AS n, NULL AS no, ['a'] AS l FROM steps GROUP BY kind ORDER BY 1"
    rows = json.loads(tracefoundry("query", dataset, sql, "--json").stdout)
    assert [row["kind"] for row in rows] == sorted(row["kind"] for row in rows)
    assert rows[0] | {"kind": "", "n": 0} == {"kind": "", "n": 0, "no": None, "l": ["a"]}
    csv = tracefoundry("query", dataset, sql, "--csv").stdout.splitlines()
    assert csv[0] == "kind,n,no,l"
    assert csv[1] == f'{rows[0]["kind"]},{rows[0]["n"]},,"[""a""]"'
    table = tracefoundry("query", dataset, sql).stdout
    assert all(re.search(rf"{row['kind']} +{row['n']} ", table) for row in rows)
    written = tracefoundry("query", dataset, sql, "--parquet", tmp_path / "o.parquet")
    assert (written.returncode, written.stdout) == (0, "")
    assert (tmp_path / "o.parquet").read_bytes()[:4] == b"PAR1"
    plan = tracefoundry("query", dataset, sql, "--explain").stdout
    assert plan.startswith(sql)
    assert len(plan.splitlines()) > 10


def test_query_without_sql_lists_tables_and_queries(
    dataset: Path, tracefoundry: command_line.Command
) -> None:
    text = tracefoundry("query", dataset).stdout
    assert "steps: one execution of one statement" in text
    assert "drop_reasons: What was left out" in text
    listed = tracefoundry("query", dataset, "--list").stdout
    assert "hottest_lines" in listed
    assert "steps: " not in listed
    overview = json.loads(tracefoundry("query", dataset, "--json").stdout)
    assert overview["tables"][0]["name"] == "programs"
    assert {"name", "question", "columns", "parameters"} == set(overview["queries"][0])


def test_query_parameters_reach_named_and_own_sql(
    dataset: Path, tracefoundry: command_line.Command
) -> None:
    named = tracefoundry(
        "query", dataset, "--name", "hottest_lines", "--set", "top=2", "--csv"
    ).stdout
    assert len(named.splitlines()) == 3
    own = tracefoundry("query", dataset, "SELECT $a || 'x' AS t", "--set", "a=y", "--csv").stdout
    assert own == "t\nyx\n"


def test_query_says_that_a_build_is_unfinished(
    dataset: Path, tracefoundry: command_line.Command, tmp_path: Path
) -> None:
    shutil.copytree(dataset, tmp_path / "part")
    (tmp_path / "part" / "manifest.json").unlink()
    done = tracefoundry("query", tmp_path / "part", "SELECT 1")
    assert done.returncode == 0
    assert "has not finished" in done.stderr


def test_long_tables_are_cut_with_a_note(dataset: Path, tracefoundry: command_line.Command) -> None:
    done = tracefoundry("query", dataset, "SELECT * FROM range(1001)")
    assert len(done.stdout.splitlines()) < 1010
    assert "--csv" in done.stderr
    assert "--csv" not in tracefoundry("query", dataset, "FROM range(1000)").stderr


def test_failing_infrastructure_is_three_and_a_full_disk_is_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "registered_commands", list(app.registered_commands))

    @app.command("fail")
    def fail(kind: str) -> None:
        if kind == "sandbox":
            raise InfrastructureError("the sandbox failed")
        raise OSError(28, "No space left on device")

    assert run(["fail", "sandbox"]) == 3
    assert capsys.readouterr().err == "error: the sandbox failed\n"
    assert run(["fail", "disk"]) == 2
    assert capsys.readouterr().err == "error: the disk: No space left on device\n"


@pytest.mark.slow
def test_interrupted_build_says_how_to_continue_and_does(tmp_path: Path) -> None:
    recipe = write_recipe(
        tmp_path,
        f"source: {{kind: jsonl, path: {CRUXEVAL}, shape: cruxeval}}\ninputs: {{mutants: 8}}\n",
    )
    command = [sys.executable, "-m", "factory", "build", str(recipe), "--out"]
    out = tmp_path / "out"
    process = subprocess.Popen(
        [*command, str(out), "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (out / ".work").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, "")
    assert errors == "error: interrupted; run the same command again to continue\n"
    done = command_line.spawn("build", recipe, "--out", out, "--workers", "1")
    assert done.returncode == 0


def test_interrupted_query_is_no_traceback(dataset: Path) -> None:
    sql = "SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 3"
    process = subprocess.Popen(
        [sys.executable, "-m", "factory", "query", str(dataset), sql],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(20):  # the first may come before there is anything to interrupt
            time.sleep(2.5)
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                output, errors = process.communicate(timeout=1)
                break
        else:
            pytest.fail("it goes on after twenty signals")
    finally:
        process.kill()
    assert (process.returncode, output) == (130, "")
    assert errors.startswith("error: interrupted")
    assert errors.count("\n") == 1


def test_odd_characters_do_not_break_a_narrow_terminal(tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text("def f():\n    print('é ☃')\n    return '☃'\n")
    done = command_line.spawn(
        "trace", program, "--call", "f()", PYTHONIOENCODING="ascii", COLUMNS="40"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "returned" in done.stdout


def test_progress_is_lines_when_standard_error_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from factory.progress import LogProgress, SilentProgress, choose_progress

    assert isinstance(choose_progress(), LogProgress)
    with LogProgress(seconds=0.0) as progress:
        progress.advance("rows", 1, 3)
        progress.advance("rows", 3, 3)
    with LogProgress() as progress:
        progress.advance("rows", 1, None)
        progress.advance("rows", 2, None)
    with SilentProgress() as silent:
        silent.advance("rows", 3, 3)
    assert capsys.readouterr() == ("", "rows: 1 of 3\nrows: 3 of 3\n")


def test_bars_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    from factory.progress import RichProgress

    with RichProgress() as progress:
        progress.advance("rows", 1, None)
        progress.advance("rows", 2, 2)
    assert capsys.readouterr().out == ""


def test_demo_takes_a_folder_of_its_own(tmp_path: Path) -> None:
    from factory.demo import choose_folder
    from factory.recipe import load_recipe

    recipe = load_recipe("demo")
    assert choose_folder(recipe, tmp_path).name == "demo-out"
    assert choose_folder(recipe, tmp_path).name == "demo-out"
    (tmp_path / "demo-out-2").mkdir()
    (tmp_path / "demo-out-2" / "mine.txt").write_text("x")
    shutil.rmtree(tmp_path / "demo-out")
    (tmp_path / "demo-out").write_text("a file")
    assert choose_folder(recipe, tmp_path).name == "demo-out-3"
    assert (tmp_path / "demo-out-2" / "mine.txt").read_text() == "x"


def test_demo_questions_have_different_kinds(dataset: Path) -> None:
    from factory.demo import pick_questions

    picked = pick_questions(dataset)
    kinds = [question.kind for _, _, question in picked]
    assert kinds == ["output", "next_statement", "variable_state"]
    for source, call, question in picked:
        assert call.split("(")[0] in source
        assert question.text
        assert question.key


def test_the_demo_from_end_to_end(
    tracefoundry: command_line.Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With four programs; the packaged recipe has 120."""
    recipe = (ROOT / "factory" / "recipes" / "tiny.yaml").read_text()
    small = tmp_path / "small.yaml"
    small.write_text(
        recipe.replace("programs: 60", "programs: 4").replace("mutants: 2", "mutants: 0")
    )
    monkeypatch.setattr("factory.demo.RECIPE", small)
    monkeypatch.setattr("trainer.demonstration.missing_library", lambda: "torch")
    done = tracefoundry("demo", "--out", tmp_path / "made")
    assert done.returncode == 0, done.stderr
    assert "the training is left out: torch is not installed; it needs pip install" in done.stderr
    assert "100 % reproduced" in done.stdout
    assert f"published at {tmp_path / 'made-published'}" in done.stdout
    names = [
        {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*.*")
            if path.is_file() and ".work" not in path.parts
        }
        for folder in (tmp_path / "made", tmp_path / "made-published")
    ]
    assert names[0] == names[1]
    again = tracefoundry("demo", "--out", tmp_path / "made")
    assert again.returncode == 0
    assert f"all is at {tmp_path / 'made-published'}" in again.stdout


def test_pyproject_names_this_entry_point() -> None:
    import tomllib

    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"tracefoundry": "factory.cli:main"}
    assert os.access(Path(sys.executable).with_name("tracefoundry"), os.X_OK)


def test_a_finished_build_is_reused(tracefoundry: command_line.Command, tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, f"source: {{kind: jsonl, path: {CRUXEVAL}, shape: cruxeval}}\n")
    build = ("build", recipe, "--out", tmp_path / "out", "--programs", "2", "--json")
    first = json.loads(tracefoundry(*build).stdout)
    second = json.loads(tracefoundry(*build).stdout)
    assert (first["reused"], second["reused"]) == (False, True)
    assert second | {"reused": False, "seconds": 0} == first | {"seconds": 0}
