"""The pages in a real browser, opened from the disk: clicks, keys, what is shown at each step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import built_dataset
import chromium
import pytest

from factory.load import read_rows, trace_of
from factory.progress import SilentProgress
from factory.site import trace_page, write_site
from tracer.derivation import derive
from tracer.records import Call, Program, Trace
from tracer.runner import run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        chromium.find_chromium() is None,
        reason="NO CHROMIUM: the pages were not tried in a browser; install one, or set CHROMIUM",
    ),
]
HOSTILE = "</script><img src=x onerror=document.title='broken'>"
VARIABLES = """
    [...document.querySelectorAll(".variables tbody tr")].map((row) => [
        row.querySelector("th").innerText,
        row.querySelector("td > code, td > span").textContent,
        row.querySelector(".mark")?.innerText ?? "",
        row.querySelector(".change code")?.textContent ?? null,
    ])
"""
MARKS = {
    "bind": "new",
    "rebind": "assigned",
    "mutate": "changed in place",
    "delete": "deleted",
    "implicit_delete": "deleted at the handler's end",
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_dataset.build_dataset(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def site(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("site")
    write_site(dataset, out, programs=100, steps=2_000, progress=SilentProgress())
    return (out / "index.html").as_uri()


@pytest.fixture
def page(tmp_path: Path) -> Iterator[chromium.Page]:
    with chromium.open_page(tmp_path) as opened:
        opened.resize(1280, 900)
        yield opened
        assert opened.errors == []
        assert [url for url in opened.requests if not url.startswith(("file:", "about:"))] == []


def expected_variables(trace: Trace, position: int) -> list[list[str | None]]:
    """The rows of the table of variables, from the records alone."""
    step = trace.steps[position]
    state = {v.name: v.value for v in trace.activations[step.activation].entry}
    for earlier in trace.steps[:position]:
        if earlier.activation == step.activation:
            for change in earlier.changes:
                if change.value is None:
                    state.pop(change.name)
                else:
                    state[change.name] = change.value
    rows: dict[str, list[str | None]] = {n: [n, v, "", None] for n, v in state.items()}
    for change in step.changes:
        value = "—" if change.value is None else change.value
        rows[change.name] = [change.name, value, MARKS[change.op], state.get(change.name)]
    return [rows[name] for name in sorted(rows)]


def expected_stack(trace: Trace, position: int) -> list[str]:
    """Open functions, innermost first, by the parent steps of the activations."""
    names = []
    at: int | None = position
    while at is not None:
        activation = trace.activations[trace.steps[at].activation]
        names.append(activation.function)
        at = activation.parent_step
    return names


def test_every_step_shows_what_the_records_hold(
    dataset: Path, site: str, page: chromium.Page
) -> None:
    programs = {row["program_id"]: row for row in read_rows(dataset, "programs")}
    page.open(site)
    calls: dict[str, int] = {}
    checked = 0
    for row in read_rows(dataset, "traces"):
        program = programs[row["program_id"]]
        call = calls[row["program_id"]] = calls.get(row["program_id"], -1) + 1
        trace = trace_of(row, program)
        page.evaluate(f"location.hash = '#/program/{row['program_id']}/{call}/0'")
        page.wait_for(f"document.querySelector('#program').dataset.id === '{row['program_id']}'")
        page.wait_for(f"document.querySelector('#call').value === '{call}'")
        for position, step in enumerate(trace.steps):
            place = page.text(".place")
            assert place.startswith(
                f"Step {position} ({position + 1} of {len(trace.steps)}), line {step.line}:"
            )
            line = page.text("[aria-current=step] .number")
            assert line == str(step.line)
            assert page.evaluate(VARIABLES) == expected_variables(trace, position)
            if "yield" not in program["source"]:
                stack = page.evaluate(
                    "[...document.querySelectorAll('.stack li > code')].map((e) => e.innerText)"
                )
                assert stack == expected_stack(trace, position)
            page.press("ArrowRight")
            checked += 1
        assert page.text(".place") == "The call has ended."
        page.press("ArrowLeft")
        assert page.text(".place").startswith(f"Step {len(trace.steps) - 1} ")
    assert checked > 100


def test_a_person_clicks_through(site: str, page: chromium.Page) -> None:
    page.open(site)
    assert page.evaluate("document.querySelectorAll('#overview svg').length") >= 3
    page.click("nav a", "Programs")
    page.wait_for("!document.querySelector('#programs').hidden")
    everything = int(page.text("#programs .quiet").split()[0])
    page.choose("#filter-kind", "input")
    page.press("/")
    for letter in "parse":
        page.press(letter)
    page.wait_for("location.hash === '#/programs?kind=input&text=parse'")
    assert 0 < page.evaluate("document.querySelectorAll('.programs li').length") < everything
    page.press("Escape", "j", "Enter")
    page.wait_for("!document.querySelector('#program').hidden")
    assert page.text("#program h1") == "parse"
    page.click("button", "Next")
    page.click("button", "Next")
    page.click("button", "Back")
    assert page.text(".place").startswith("Step 1 ")
    assert page.evaluate("document.querySelectorAll('.answer:not([hidden])').length") == 0
    page.click(".question button", "Show answer")
    assert "Answer key" in page.text(".answer:not([hidden])")
    page.click(".question button", "Hide answer")
    page.press("a")
    assert page.evaluate("document.querySelectorAll('.answer[hidden]').length") == 0
    page.click(".question button", "Go to step")
    assert page.evaluate("document.querySelectorAll('.question.now').length") > 0
    page.press("]")
    assert page.evaluate("document.querySelector('#call').value") == "1"
    page.press("?")
    assert page.evaluate("document.querySelector('#help').open")
    page.press("Escape")
    assert not page.evaluate("document.querySelector('#help').open")
    page.press("Escape")
    page.wait_for("!document.querySelector('#programs').hidden")


def test_an_address_leads_back_to_a_step(site: str, page: chromium.Page) -> None:
    page.open(site)
    page.press("/")
    page.wait_for("document.querySelector('.programs a')")
    address = page.evaluate("document.querySelector('.programs a').hash")
    page.open(f"{site}{address.removesuffix('0')}2")
    page.wait_for("document.querySelector('.place')?.innerText.startsWith('Step 2 ')")
    page.open(f"{site}#/program/nothing/0/0")
    page.wait_for("!document.querySelector('#failure').hidden")
    assert "nothing" in page.text("#failure-text")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(site: str, page: chromium.Page, width: int) -> None:
    page.resize(width, 844)
    page.open(site)
    for hash_ in ("#/", "#/programs"):
        page.evaluate(f"location.hash = '{hash_}'")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click(".programs a")
    page.wait_for("!document.querySelector('#program').hidden")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_dark_follows_the_system_and_the_button(site: str, page: chromium.Page) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    page.prefer("light")
    page.open(site)
    light = page.evaluate(colour)
    page.prefer("dark")
    dark = page.evaluate(colour)
    assert dark != light
    page.click("#theme")
    assert page.evaluate(colour) == light
    page.press("t")
    assert page.evaluate(colour) == dark


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_what_is_behind_them(
    site: str, page: chromium.Page, scheme: str
) -> None:
    """Contrast of WCAG 2.2, AA: 4.5 for every text that is shown on a program's page."""
    page.prefer(scheme)
    page.open(site)
    page.press("/")
    page.wait_for("document.querySelector('.programs a')")
    page.click(".programs a")
    page.wait_for("document.querySelector('.place')?.innerText")
    page.press("ArrowRight", "a")
    low = page.evaluate(
        """(() => {
            const parse = (text) => {
                const parts = text.match(/[\\d.]+/g).map(Number);
                return text.startsWith("color(") ? parts.map((p, i) => i < 3 ? p * 255 : p) : parts;
            };
            const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
                .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const behind = (element) => {
                const layers = [];
                for (let e = element; e; e = e.parentElement) {
                    const [r, g, b, a = 1] = parse(getComputedStyle(e).backgroundColor);
                    layers.push([r, g, b, a]);
                    if (a === 1) break;
                }
                return layers.reverse().reduce((under, [r, g, b, a]) =>
                    [r, g, b].map((c, i) => c * a + under[i] * (1 - a)), [255, 255, 255]);
            };
            const found = [];
            for (const element of document.querySelectorAll("body *")) {
                const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
                if (!own || !element.getClientRects().length || element.disabled) continue;
                const a = light(parse(getComputedStyle(element).color)), b = light(behind(element));
                const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                if (ratio < 4.5) found.push([element.className, element.innerText, ratio]);
            }
            return found;
        })()"""
    )
    assert low == []


def test_a_page_of_one_trace_with_hostile_texts(tmp_path: Path, page: chromium.Page) -> None:
    source = f"def f(x):\n    y = {HOSTILE!r}\n    print(x)\n    return y\n"
    trace = run(Program(source, "f"), Call(repr(HOSTILE)))
    file = tmp_path / "trace.html"
    file.write_bytes(trace_page(HOSTILE, trace, derive(trace)))
    page.open(file.as_uri())
    page.wait_for("document.querySelector('.place')?.innerText.startsWith('Step 0 ')")
    page.press("a", "End")
    assert page.evaluate("document.title") == HOSTILE
    assert page.evaluate("document.images.length") == 0
    assert page.text("pre") == f"{HOSTILE}\n"
    assert HOSTILE in page.text(".code li:nth-child(2)")


def test_a_page_of_a_call_without_steps(tmp_path: Path, page: chromium.Page) -> None:
    trace = run(Program("def f(): pass\n", "f"), Call("1"))
    file = tmp_path / "trace.html"
    file.write_bytes(trace_page("f(1)", trace, ()))
    page.open(file.as_uri())
    page.wait_for("document.querySelector('.place')?.innerText.includes('ended')")
    assert "TypeError" in page.text(".notes")
