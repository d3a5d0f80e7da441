"""The pages as files: what they hold, what they refuse, and that no text of a program is markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import built_dataset
import command_line
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.load import read_rows, trace_of
from factory.progress import SilentProgress
from factory.site import trace_page, write_site
from factory.site.documents import Shown, program_document
from factory.site.pages import data_script
from tracer.records import Call, Program, Question, Trace
from tracer.runner import run

HOSTILE = "</script><script>alert(1)</script><!-- \u2028 & \" ' ` ${x} \udc80"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_dataset.build_dataset(tmp_path_factory.mktemp("built"))


def make_site(dataset: Path, out: Path, programs: int = 100, steps: int = 2_000) -> Any:
    return write_site(dataset, out, programs=programs, steps=steps, progress=SilentProgress())


@pytest.fixture(scope="module")
def site(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    make_site(dataset, out)
    return out


class Tags(HTMLParser):
    """Start tags with their attributes, and the contents of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._inside = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[-1] += data


def read_script(script: str) -> tuple[str, Any]:
    """Name and content of a data script, read as JSON."""
    match = re.fullmatch(r'\s*tracefoundry\.receive\("([\w-]*)",(.*)\);\s*', script, re.DOTALL)
    assert match
    return match[1], json.loads(match[2])


def programs_of(site: Path) -> dict[str, Any]:
    found = {}
    for file in sorted((site / "data").glob("programs-*.js")):
        name, content = read_script(file.read_text("ascii"))
        assert name == file.stem
        found |= {program["id"]: program for program in content}
    return found


def test_every_row_is_in_the_site(dataset: Path, site: Path) -> None:
    programs = programs_of(site)
    rows = {row["program_id"]: row for row in read_rows(dataset, "programs")}
    assert programs.keys() == rows.keys()
    traces: dict[str, Trace] = {}
    for row in read_rows(dataset, "traces"):
        program = programs[row["program_id"]]
        (shown,) = (each for each in program["traces"] if each["args"] == row["args"])
        assert shown["stmts"] == row["stmts"]
        assert shown["total"] == row["n_steps"]
        assert [change[4] for change in shown["changes"]] == row["change_value"]
        assert [frame["function"] for frame in shown["frames"]] == row["act_function"]
        traces[row["trace_id"]] = trace_of(row, rows[row["program_id"]])
    asked = [q for p in programs.values() for t in p["traces"] for q in t["questions"]]
    expected = list(read_rows(dataset, "questions"))
    assert sorted(q[0] for q in asked) == sorted(row["question_id"] for row in expected)
    forms = {
        q[0]: p["forms"][q[3]]
        for p in programs.values()
        for t in p["traces"]
        for q in t["questions"]
    }
    for row in expected:
        (question,) = (q for q in asked if q[0] == row["question_id"])
        assert question[4:6] == [row["key"], row["valid"]]
        assert f"{question[2]}\n{forms[row['question_id']]}".split() == row["text"].split()


def test_the_index_finds_every_program(dataset: Path, site: Path) -> None:
    _, index = read_script((site / "data" / "index.js").read_text("ascii"))
    for entry in index["programs"]:
        _, chunk = read_script((site / "data" / f"{entry['chunk']}.js").read_text("ascii"))
        (program,) = (each for each in chunk if each["id"] == entry["id"])
        kinds = {question[1] for trace in program["traces"] for question in trace["questions"]}
        assert set(entry["kinds"]) == kinds
        assert entry["questions"] == sum(len(trace["questions"]) for trace in program["traces"])


def test_the_page_loads_nothing_from_elsewhere(site: Path) -> None:
    page = Tags((site / "index.html").read_text("utf-8"))
    sources = [
        value
        for _, attributes in page.tags
        for name, value in attributes.items()
        if name in ("src", "href", "srcset", "action", "data")
    ]
    assert sorted(set(filter(None, sources))) == ["#/", "#/programs", "data/index.js"]
    style = re.search(r"<style>(.*?)</style>", (site / "index.html").read_text("utf-8"), re.DOTALL)
    assert style is not None
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_fields_and_buttons_have_names(site: Path) -> None:
    page = Tags((site / "index.html").read_text("utf-8"))
    assert dict(page.tags)["html"] == {"lang": "en"}
    for name, attributes in page.tags:
        if name == "svg":
            assert attributes["role"] == "img"
            assert attributes["aria-label"]
    scripts = "\n".join(page.scripts)
    for field in re.findall(r'element\("(?:select|input)", \{([^}]*)\}', scripts):
        assert "id:" in field or "aria-label" in field


def test_the_folder_is_a_static_space(site: Path) -> None:
    import yaml

    header = yaml.safe_load((site / "README.md").read_text("utf-8").split("---\n")[1])
    assert header["sdk"] == "static"
    assert (site / header["app_file"]).is_file()


def test_the_same_data_give_the_same_bytes_over_an_older_site(
    dataset: Path, site: Path, tmp_path: Path
) -> None:
    out = tmp_path / "site"
    make_site(dataset, out, programs=2)
    (out / "data" / "programs-00099.js").write_text("old")
    make_site(dataset, out)
    files = {path.relative_to(site): path.read_bytes() for path in site.rglob("*.*")}
    assert {path.relative_to(out): path.read_bytes() for path in out.rglob("*.*")} == files


def test_a_cut_is_said(dataset: Path, tmp_path: Path, tracefoundry: command_line.Command) -> None:
    done = tracefoundry(
        "view", dataset, "--out", tmp_path / "site", "--programs", "2", "--steps", "3"
    )
    assert done.returncode == 0
    assert "2 of " in done.stderr
    assert "--programs" in done.stderr
    assert "--steps" in done.stderr
    assert done.stdout.startswith("2 programs in ")
    programs = programs_of(tmp_path / "site")
    assert len(programs) == 2
    for program in programs.values():
        for trace in program["traces"]:
            assert len(trace["stmts"]) == min(3, trace["total"])
            assert all(change[0] < 3 for change in trace["changes"])
            assert all(q[6] is None or q[6] < 3 for q in trace["questions"])
            assert len(trace["frames"]) == 1 + max(trace["activations"])
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "This site has pages for 2 of the " in page
    assert "the first 3 steps" in page


def test_only_an_older_site_is_replaced(
    dataset: Path, tmp_path: Path, tracefoundry: command_line.Command
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for out, part in (
        (tmp_path, "not empty"),
        (dataset, "dataset itself"),
        (tmp_path / "notes.txt", "is a file"),
    ):
        done = tracefoundry("view", dataset, "--out", out)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert part in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert tracefoundry("view", tmp_path, "--out", tmp_path / "site").returncode == 2


@given(st.text() | st.recursive(st.text(), st.lists))
def test_data_scripts_give_back_any_text_and_end_no_element(content: Any) -> None:
    script = data_script("x", content)
    assert script.isascii()
    assert "<" not in script
    assert read_script(script) == ("x", content)


def test_no_text_of_a_program_is_markup() -> None:
    text = HOSTILE.replace("\udc80", "")
    comment = text.replace("\u2028", "")
    source = f"def f(x):\n    # {comment}\n    y = {text!r}\n    print(x)\n    return y + x\n"
    traced = run(Program(source, "f"), Call(repr(text)))
    assert traced.outcome.kind == "returned"
    question = Question("output", HOSTILE, HOSTILE, (HOSTILE,))
    page = Tags(trace_page(HOSTILE, traced, (question,)).decode("utf-8"))
    assert [name for name, _ in page.tags].count("script") == 2
    _, (program,) = read_script(page.scripts[1])
    assert program["source"] == source
    assert program["traces"][0]["stdout"] == f"{text}\n"
    assert program["traces"][0]["questions"][0][4] == HOSTILE
    assert program["title"] == HOSTILE
    assert not any("alert(1)" in str(attributes) for _, attributes in page.tags)


def test_headers_end_where_their_body_begins() -> None:
    source = (
        "def f(\n    a,\n):\n    # why\n\n    if (a\n            > 1):\n        # so\n"
        "        b = [\n            a,\n        ]\n    else: b = 0\n    return b\n"
    )
    traced = run(Program(source, "f"), Call("2"))
    document = program_document("p", "f", [], [Shown(traced, ())], 100)
    assert [(first, last) for first, last, *_ in document["statements"]] == [
        (1, 3),
        (6, 7),
        (9, 11),
        (12, 12),
        (13, 13),
    ]


def test_page_of_a_trace(tmp_path: Path, tracefoundry: command_line.Command) -> None:
    program, page = tmp_path / "p.py", tmp_path / "p.html"
    program.write_text("def f(n):\n    m = n + 1\n    return m\n")
    done = tracefoundry("trace", program, "--call", "f(3)", "--html", page)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"2 steps and \d+ questions in {re.escape(str(page))}\n", done.stdout)
    content = page.read_bytes()
    _, (document,) = read_script(Tags(content.decode()).scripts[1])
    assert document["title"] == "f(3)"
    assert document["traces"][0]["changes"] == [[0, "m", "bind", "int", "4"]]
    assert document["traces"][0]["questions"]
    tracefoundry("trace", program, "--call", "f(3)", "--html", page)
    assert page.read_bytes() == content
    done = tracefoundry("trace", program, "--call", "f()", "--html", page, "--no-questions")
    assert done.stdout.startswith("0 steps and 0 questions")


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--html", "p.py"], "the program itself"),
        (["--html", "."], "is a folder"),
        (["--html", "x.html", "--json"], "choose one"),
    ],
)
def test_mistakes_with_a_page(
    options: list[str],
    part: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tracefoundry: command_line.Command,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.py").write_text("def f(): pass\n")
    done = tracefoundry("trace", "p.py", "--call", "f()", *options)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert part in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["p.py"]
    assert Path("p.py").read_text() == "def f(): pass\n"
