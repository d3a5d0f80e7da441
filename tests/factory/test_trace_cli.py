"""`tracefoundry trace`: golden traces, what is shown, and what a user's mistakes bring."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import command_line
import pytest

from factory.cli.trace import parse_call, read_program
from factory.errors import UserError
from factory.trace_view import statement_texts

PROGRAMS = sorted((Path(__file__).parents[1] / "programs").glob("*.py"))


def options_of(program: Path, folder: Path) -> list[str | Path]:
    """The options that the program's first comments ask for."""
    asked = dict(re.findall(r"^# (call|stdin|max steps): (.+)$", program.read_text(), re.M))
    options: list[str | Path] = []
    if "call" in asked:
        options += ["--call", asked["call"]]
    if "max steps" in asked:
        options += ["--max-steps", asked["max steps"]]
    if "stdin" in asked:
        (folder / "stdin").write_text(asked["stdin"] + "\n")
        options += ["--stdin", folder / "stdin"]
    return options


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_golden_trace(
    program: Path,
    tmp_path: Path,
    same_as_gold: Callable[[str, str], None],
    tracefoundry: command_line.Command,
) -> None:
    done = tracefoundry("trace", program, *options_of(program, tmp_path), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert re.fullmatch(r"3\.\d+", document.pop("python"))
    same_as_gold(f"trace/{program.stem}.json", one_row_a_line(document))


def one_row_a_line(document: dict[str, object]) -> str:
    """JSON in which every statement, activation and step has a line of its own."""
    parts = []
    for key, value in document.items():
        if isinstance(value, list):
            rows = ",\n".join(f"  {json.dumps(row)}" for row in value)
            parts.append(f'"{key}": [\n{rows}\n]')
        else:
            parts.append(f'"{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def test_text_shows_statements_changes_outcome_and_questions(
    tracefoundry: command_line.Command,
) -> None:
    program = next(path for path in PROGRAMS if path.stem == "recursion")
    done = tracefoundry("trace", program, "--call", "fact(3)", "--questions")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    steps = [line.rstrip() for line in lines if re.match(r"\s+\d+\s+\d+\s", line)]
    assert len(steps) == 6
    assert re.search(r"│ │ return 1 +→ 1$", steps[-1])
    assert "│ │ fact  n = 1" in done.stdout
    assert "returned 6 (int)" in done.stdout
    assert re.search(r"^\d+ questions$", done.stdout, re.M)
    assert "output: " in done.stdout
    assert "    → 6" in done.stdout


def test_the_middle_of_a_long_trace_is_left_out(
    tmp_path: Path, tracefoundry: command_line.Command
) -> None:
    (tmp_path / "p.py").write_text("def f(n):\n    while n: n -= 1\n")
    call = ("trace", tmp_path / "p.py", "--no-questions", "--call")
    whole = tracefoundry(*call, "f(199)").stdout
    assert len(re.findall(r"while n:", whole)) == 200
    cut = tracefoundry(*call, "f(300)").stdout
    assert "… 201 steps (--json has all)" in cut
    assert [line.split()[0] for line in cut.splitlines() if "n = 150 " in line] == ["299"]
    assert re.search(r"^ +600 ", cut, re.M)


def test_questions_are_a_few_by_default_and_none_on_demand(
    tracefoundry: command_line.Command,
) -> None:
    program = next(path for path in PROGRAMS if path.stem == "loops")
    call = ("trace", program, "--call", "f([3, 1, 4, 1, 5, 9, 2, 6], 2)")
    some = tracefoundry(*call).stdout
    assert len(re.findall("^    → ", some, re.M)) == 8
    assert "--questions shows all" in some
    assert len(re.findall("^    → ", tracefoundry(*call, "--questions").stdout, re.M)) > 8
    assert "questions" not in tracefoundry(*call, "--no-questions").stdout


def test_json_holds_questions_on_demand(tracefoundry: command_line.Command) -> None:
    program = next(path for path in PROGRAMS if path.stem == "recursion")
    done = tracefoundry("trace", program, "--call", "fact(2)", "--json", "--questions")
    questions = json.loads(done.stdout)["questions"]
    assert ("output", "2") in [(question["kind"], question["key"]) for question in questions]


def test_standard_input_can_be_piped_in(tmp_path: Path, tracefoundry: command_line.Command) -> None:
    (tmp_path / "p.py").write_text("def f():\n    return input() + input()\n")
    done = tracefoundry(
        "trace", tmp_path / "p.py", "--call", "f()", "--stdin", "-", "--json", stdin="a\nb\n"
    )
    assert json.loads(done.stdout)["outcome"]["value"] == "'ab'"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("def f():\n    return 1 // 0\n", "raised"),
        ("def f():\n    while True: pass\n", "step_limit"),
        ("1 / 0\ndef f(): pass\n", "bad_program"),
        ("import os\ndef f():\n    os._exit(3)\n", "crashed"),
    ],
)
def test_whatever_the_program_does_is_a_good_result(
    tmp_path: Path, source: str, kind: str, tracefoundry: command_line.Command
) -> None:
    (tmp_path / "p.py").write_text(source)
    done = tracefoundry("trace", tmp_path / "p.py", "--call", "f()", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["outcome"]["kind"] == kind
    shown = tracefoundry("trace", tmp_path / "p.py", "--call", "f()")
    assert shown.returncode == 0
    assert kind.replace("_", " ") in shown.stdout


@pytest.mark.parametrize(
    ("source", "options", "parts"),
    [
        ("def f(:\n", [], ["p.py:1", "syntax error"]),
        ("x = 1\n\nif x\n    y\n", [], ["p.py:3", "syntax error", "if x"]),
        ("def f(): pass\ndef g(): pass\n", ["--call", "h()"], ["'h'", "f, g"]),
        ("x = 1\n", ["--call", "f()"], ["'f'", "no function"]),
        ("x = 1\n", ["--call", "x()"], ["'x'", "cannot be called"]),
        ("def f(): pass\n", ["--call", "f("], ["--call 'f('", "NAME(ARGUMENTS)"]),
        ("def f(): pass\n", ["--call", "f.g()"], ["--call 'f.g()'", "NAME(ARGUMENTS)"]),
        ("def f(): pass\n", ["--call", "f"], ["NAME(ARGUMENTS)"]),
        ("def f(x): pass\n", ["--call", "f(y)"], ["y"]),
        ("x = 1\n", ["--max-steps", "0"], ["--max-steps"]),
        ("x = 1\n", ["--stdin", "nowhere.txt"], ["nowhere.txt", "cannot be read"]),
        ("x = 1\n", ["--no-such"], ["--no-such"]),
        ("x = '\udcff'\n", [], ["p.py"]),
        ("x = 1\0\n", [], ["p.py"]),
    ],
)
def test_mistakes_are_one_clear_line(
    tmp_path: Path,
    source: str,
    options: list[str],
    parts: list[str],
    tracefoundry: command_line.Command,
) -> None:
    (tmp_path / "p.py").write_text(source, encoding="utf-8", errors="surrogateescape")
    done = tracefoundry("trace", tmp_path / "p.py", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert [part for part in parts if part not in done.stderr] == []


@pytest.mark.parametrize("name", ["missing.py", "."])
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, tracefoundry: command_line.Command
) -> None:
    done = tracefoundry("trace", tmp_path / name)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert str(tmp_path / name) in done.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f()", ("f", "")),
        (" f( 1 , x = [2,\n 3] ) ", ("f", "1, x = [2,\n 3]")),
        ("f(*[1], k='a, b)', **{'z': 1})", ("f", "*[1], k='a, b)', **{'z': 1}")),
        ("f(k=1, *xs)", ("f", "k=1, *xs")),
        ("f(x for x in 'ab')", ("f", "(x for x in 'ab')")),
        ("f('é', ((1)))", ("f", "'é', 1")),
    ],
)
def test_call_text_is_split(text: str, expected: tuple[str, str]) -> None:
    assert parse_call(text) == expected


@pytest.mark.parametrize("text", ["", "f", "f()()", "f(1); g()", "a.b()", "f(1) + 1", "x = f()"])
def test_other_call_texts_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="NAME"):
        parse_call(text)


def test_declared_encodings_and_marks_are_read(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes("# coding: latin-1\nx = 'é'\r\n".encode("latin-1"))
    (tmp_path / "bom.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert read_program(tmp_path / "latin.py") == "# coding: latin-1\nx = 'é'\n"
    assert read_program(tmp_path / "bom.py") == "x = 1\n"


def test_statement_texts_are_headers_and_whole_simple_statements() -> None:
    from tracer.records import Statement

    source = "@d\ndef f(a,\n      b):\n    é = 1; y = 2\n    if a: return (b,\n        a)\n"
    statements = (
        Statement(0, 2, 6, 0, "FunctionDef"),
        Statement(1, 4, 4, 4, "Assign"),
        Statement(2, 4, 4, 12, "Assign"),
        Statement(3, 5, 6, 4, "If"),
        Statement(4, 5, 6, 10, "Return"),
    )
    assert statement_texts(source, statements) == {
        0: "def f(a, b):",
        1: "é = 1",
        2: "y = 2",
        3: "if a:",
        4: "return (b, a)",
    }
