"""Programs that a model writes: briefs, replies, repairs, builds with a planted writer."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from command_line import Command
from planted_writer import FLAT, GOOD, blocks, write

from factory.constraints import check_static
from factory.files import file_sha256
from factory.grid import FEATURES, LEVELS, Cell, cells
from factory.load import read_rows
from factory.manifest import read_manifest
from factory.models.base import prompt_hash
from factory.records import Dropped, Origin
from factory.source_records import Writer
from factory.sources.templates import draw
from factory.strictness import unexpected_drops
from factory.writing.briefs import draw_brief, settle, tell_rules
from factory.writing.replies import read_reply
from factory.writing.sessions import Session, reasons_for

RECIPE = """
source: {{kind: {kind}}}
grid: {{types: [str], methods: [upper], levels: [1]}}
inputs: {{mutants: 1}}
writer: {{model: pen, repairs: {repairs}, max_tokens: 99}}
models: {{pen: {{backend: openai, model: planted, revision: r7, settings: {{url: "{url}"}}}}}}
sft: {{per_program: 0}}
crpl: {{per_program: 0}}
licence: Apache-2.0
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "cache"))


def data_of(folder: Path) -> dict[str, Any]:
    files = {str(p.relative_to(folder)): file_sha256(p) for p in folder.rglob("*.parquet")}
    manifest = {k: v for k, v in read_manifest(folder).items() if k != "environment"}
    return {**files, "manifest": manifest}


def test_a_model_writes_a_dataset(tmp_path: Path, tracefoundry: Command) -> None:
    recipe = tmp_path / "r.yaml"
    with ChatServer(write) as server:
        recipe.write_text(RECIPE.format(kind="llm", repairs=2, url=server.url))

        def build(name: str, workers: int) -> Path:
            out = tmp_path / name
            done = tracefoundry(
                *("build", str(recipe), "--out", str(out), "--programs", "12"),
                *("--workers", str(workers)),
            )
            assert done.returncode == 0, done.stderr
            said.append(done.stdout)
            return out

        said: list[str] = []
        first = build("first", 2)
        asked = len(server.bodies)
        again = build("again", 1)
        assert len(server.bodies) == asked, "every reply is kept"
        prompts = {prompt_hash(body["messages"]): body for body in server.bodies}
    assert data_of(first) == data_of(again)
    writing = read_manifest(first)["writing"]
    assert writing["model"] == "planted@r7"
    assert writing["accepted"] == 12
    assert writing["draws"] == 15
    assert writing["replies"] == 4 * (1 + 2 + 2) + 3 * 3
    assert writing["by_repairs"] == {"0": 4, "1": 8}
    assert writing["by_cell"] == {
        "str.upper@1": {"draws": 15, "replies": 29, "accepted": 12},
    }
    assert "12 of 15" in said[0]
    programs = list(read_rows(first, "programs"))
    assert len(programs) == 12
    for row in programs:
        made = row["generation"]
        body = prompts[made["prompt_hash"]]
        assert (row["generator"], row["template"]) == ("llm", None)
        assert (made["model"], made["revision"]) == ("planted@r7", "r7")
        assert (made["temperature"], made["max_tokens"]) == (1.0, 99)
        assert row["repairs"] == (len(body["messages"]) - 2) // 2
        assert row["entry_point"] in body["messages"][1]["content"]
        assert "nested" in str(row["constraint"])
    lines = (first / "drops.jsonl").read_text().splitlines()
    drops = Counter((json.loads(line)["stage"], json.loads(line)["reason"]) for line in lines)
    assert drops["writing", "no_program"] == 4
    assert drops["constraint", "nested_calls"] == 4
    assert drops["execution", "no_trace"] == 9
    assert tracefoundry("audit", str(first)).returncode == 0
    assert unexpected_drops(read_manifest(first)) == ()


def test_templates_and_a_model_share_the_draws(tmp_path: Path, tracefoundry: Command) -> None:
    recipe = tmp_path / "r.yaml"
    with ChatServer(write) as server:
        recipe.write_text(RECIPE.format(kind="mixed", repairs=1, url=server.url))
        out = tmp_path / "out"
        done = tracefoundry(
            "build", str(recipe), "--out", str(out), "--programs", "12", "--workers", "1"
        )
        assert done.returncode == 0, done.stderr
    by_generator = Counter(row["generator"] for row in read_rows(out, "programs"))
    assert by_generator.total() == 12
    assert min(by_generator["llm"], by_generator["template"]) >= 3
    assert read_manifest(out)["writing"]["draws"] < 16
    assert tracefoundry("audit", str(out)).returncode == 0


def test_a_model_that_fails_ends_the_build_and_it_goes_on_later(
    tmp_path: Path, tracefoundry: Command
) -> None:
    recipe, out = tmp_path / "r.yaml", tmp_path / "out"
    with ChatServer(write) as server:
        text = RECIPE.format(kind="llm", repairs=0, url=server.url)
        recipe.write_text(text.replace('"}}', '", attempts: 1}}'))
        arguments = ("build", str(recipe), "--out", str(out), "--programs", "5", "--workers", "1")
        server.faults = [*["pass"] * 16, *[500] * 99]
        failed = tracefoundry(*arguments)
        assert failed.returncode == 3
        assert "HTTP 500" in failed.stderr
        server.faults = []
        before = len(server.bodies)
        assert tracefoundry(*arguments).returncode == 0
        sent = [body["messages"][1]["content"] for body in server.bodies]
        assert not set(sent[:16]) & set(sent[before:]), "what was answered is not asked again"


def test_a_recipe_that_has_no_writer_is_one_line(tmp_path: Path, tracefoundry: Command) -> None:
    recipe = tmp_path / "r.yaml"
    for text, words in (
        ("source: {kind: llm}", "source.kind llm needs writer.model"),
        ("source: {kind: llm}\nwriter: {model: pen}", "writer.model: no model 'pen'"),
        ("source: {kind: llm}\nwriter: {backend: x, model: y}", "writer.backend"),
        ("source: {kind: llm, path: x}\nwriter: {backend: vllm, model: y}", "takes no path"),
        ("source: {kind: mixed}\nwriter: {share: 1.5}", "share must be between 0 and 1"),
        ("source: {kind: llm}\nwriter: {prompt: '$rule'}", "unknown placeholder $rule"),
        ("source: {kind: llm}\nwriter: {prompt: 'a $rules'}", "needs $entry_point"),
        ("source: {kind: llm}\nwriter: {repair: 'again'}", "repair: needs $reasons"),
        ("source: {kind: llm}\nwriter: {repair: '$ $reasons'}", "'$$'"),
    ):
        recipe.write_text(text)
        done = tracefoundry("build", str(recipe), "--out", str(tmp_path / "out"))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert words in done.stderr


def test_a_dry_run_asks_no_model(tmp_path: Path, tracefoundry: Command) -> None:
    recipe = tmp_path / "r.yaml"
    recipe.write_text(RECIPE.format(kind="llm", repairs=2, url="http://127.0.0.1:9/v1"))
    done = tracefoundry("build", str(recipe), "--dry-run", "--json", "--programs", "20")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["completions"] == 60


def test_every_cell_has_a_brief_and_draws_differ() -> None:
    rng = random.Random(5)
    seen = set()
    for cell in rng.sample(cells(), 300):
        brief = draw_brief(cell, rng)
        constraint = brief.constraint
        assert (constraint.type, constraint.method, constraint.level) == (
            cell.type,
            cell.method,
            cell.level,
        )
        assert len(constraint.other_methods) == (cell.level >= 2)
        assert constraint.helper_chain == (cell.level == 6)
        assert brief.entry_point.isidentifier()
        rules = tell_rules(constraint)
        assert rules.count("\n- ") >= 1
        assert "_full" not in rules
        seen.add((brief.theme, brief.entry_point))
    assert len(seen) > 240
    assert {cell.level for cell in cells()} == set(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_a_template_program_keeps_the_constraint_it_is_settled_with(level: int) -> None:
    """Programs of templates stand in for those of a model that follows the rules."""
    cell = next(cell for cell in cells() if cell.level == level and cell.type == "str")
    drafted = draw(cell, "3", "draw:0", None)
    assert drafted.draft is not None
    promised = drafted.draft.origin.constraint
    assert promised is not None
    settled = settle(promised, drafted.draft.program)
    assert check_static(drafted.draft.program, settled) == ()
    if level in FEATURES:
        assert settled.control_flow == promised.control_flow


def read(reply: str) -> Any:
    return read_reply(reply, "go", Origin("llm"), "draw:0.0")


def test_a_reply_is_read() -> None:
    reply = (
        "<think>\n```python\nwrong\n```\n</think>\nHere:\n```python\nK = 2\n\n"
        "def go(n: int) -> int:\n    return n + K\n```\n```python\nprint(go(1))\n"
        "assert go(n=2 + 1) == 5\ngo(1)\n```"
    )
    draft = read(reply).draft
    assert draft.program.source.startswith("K = 2\n")
    assert [call.args for call in draft.calls] == ["1", "n=2 + 1"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "no_program"),
        ("```python\ndef go(n:\n```", "syntax_error"),
        ("```python\ndef run(n):\n    return n\n```", "unknown_entry_point"),
        ("```python\ndef go(n):\n    return n\n```", "no_calls"),
        ("```python\ndef go(n):\n    return n\n```\n```\ngo(1\n```", "bad_calls"),
        ("```python\ndef go(n):\n    return n\n```\n```\nm = 1\ngo(m)\n```", "no_calls"),
        (f"```python\ndef go(n):\n{'    n += 1' + chr(10)}" * 70 + "```", "too_long"),
    ],
)
def test_a_reply_that_cannot_be_used_is_a_drop(reply: str, reason: str) -> None:
    drafted = read(reply)
    assert drafted.draft is None
    assert (drafted.dropped[-1].stage, drafted.dropped[-1].reason) == ("writing", reason)


def test_the_reasons_of_the_checks_are_told() -> None:
    cell = Cell("str", "upper", 1)
    session = Session(draw_brief(cell, random.Random(1)), 3, Writer("vllm", "m", repairs=1))
    name = session.brief.entry_point
    drafted = session.read(blocks(FLAT, name, 3), "draw:3.0", None, ("m", None), 0)
    told = reasons_for(drafted.draft, [])
    assert told == ["calls of str.upper are nested 1 deep, not 2"]
    session.refuse(told)
    asked = session.prompt
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]
    assert told[0] in asked[3]["content"]
    assert FLAT.format(name=name, number=3) in asked[2]["content"]
    second = session.read(blocks(GOOD, name, 3), "draw:3.1", None, ("m", None), 0)
    assert second.draft is not None
    assert second.draft.origin.repairs == 1
    assert reasons_for(second.draft, [Dropped("execution", "raised", "x", "ValueError")]) == [
        "raised: ValueError"
    ]
