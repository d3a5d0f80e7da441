"""A recipe whose every stage asks a model, in few words, and a model that knows what to reply."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import planted_writer
from chat_server import ChatServer
from planted_reasoning import Rewriting

from factory.audit import audit
from factory.engines import DEFAULT_ENGINE
from factory.files import file_sha256
from factory.load import read_rows
from factory.manifest import read_manifest
from factory.pipeline import build
from factory.progress import SilentProgress
from factory.recipe import load_recipe
from factory.rows import ExampleRows

PROGRAMS = 4
RECIPE = """
source: {{kind: mixed}}
seed: 164
grid: {{types: [str], methods: [upper], levels: [1]}}
inputs: {{mutants: 1}}
questions: {{kinds: [output]}}
models:
  base: {{backend: {backend}, model: "{model}", revision: {revision}, settings: {settings}}}
writer:
  model: base
  share: 0.25
  repairs: 1
  temperature: 0
  max_tokens: 400
  system: ""
  prompt: "program $number of many: function `$entry_point` keeps\\n$rules"
  repair: $reasons
difficulty:
  {measured}
  kinds: [output]
  per_program: 1
  n: 2
  max_tokens: 80
  least_passes: null
  most_passes: null
  system: ""
  prompt: "$program\\n$questions\\nAnswer."
sft: {{per_program: 0, system: "", prompt: "$program\\n$questions\\nReason."}}
crpl: {{per_program: 0, per_problem: 0, system: "", prompt: "$program\\n$questions\\n"}}
problems: {{wanted: false}}
teacher:
  {taught}
  per_program: 1
  temperature: 0
  max_tokens: 80
rewriter:
  {written}
  per_program: 1
  temperature: 0
  max_tokens: 700
  base: Tell it.
  transform: "The reasoning:\\n$reasoning\\n$task\\n$how"
licence: Apache-2.0
"""
BY_BASE = "model: base"


def make_recipe(
    folder: Path, backend: str, model: str, settings: str, revision: str = "null", all_: bool = True
) -> Path:
    """The file of the recipe; without ``all_`` only programs are written."""
    named = BY_BASE if all_ else "model: null"
    path = folder / f"{backend}-{all_}.yaml"
    path.write_text(
        RECIPE.format(
            backend=backend,
            model=model,
            revision=revision,
            settings=settings,
            measured=named,
            taught=named,
            written=named,
        )
    )
    return path


def make(recipe: Path, out: Path, workers: int = 1, engine: str = DEFAULT_ENGINE) -> None:
    """Build the dataset of a recipe."""
    build(
        load_recipe(recipe),
        out,
        programs=PROGRAMS,
        workers=workers,
        engine=engine,
        progress=SilentProgress(),
    )


def data_of(folder: Path) -> dict[str, Any]:
    """Everything that may not differ between two builds of a recipe."""
    files = {str(p.relative_to(folder)): file_sha256(p) for p in folder.rglob("*.parquet")}
    manifest = {k: v for k, v in read_manifest(folder).items() if k != "environment"}
    return {**files, "manifest": manifest}


def check(out: Path, model: str) -> None:
    """What the model that knows its replies has given in every stage; all of it holds."""
    manifest = read_manifest(out)
    assert manifest["writing"]["by_repairs"] == {"0": 1, "1": 1}
    assert manifest["difficulty"]["by_passes"] == {"2": PROGRAMS}
    assert manifest["drops"] == {"constraint": {"nested_calls": 1}}
    made: dict[str, int] = {}
    for config, column in (
        ("programs", "generation"),
        ("questions", "difficulty"),
        ("sft", "generation"),
        ("crpl", "generation"),
    ):
        for row in read_rows(out, config):
            if row[column] is not None:
                made[config] = made.get(config, 0) + 1
                about = row[column]
                assert about["model"] == model
                assert len(about["prompt_hash"]) == 64
                assert about["max_tokens"] > 0
                assert about["seed"] == manifest["seed"]
    assert made == {"programs": 2, "questions": PROGRAMS, "sft": PROGRAMS, "crpl": PROGRAMS}
    report = audit(out)
    assert report.ok, report.problems


def learn_replies(folder: Path) -> Replies:
    """What a model may reply so that something of every stage is kept."""
    folder.mkdir(exist_ok=True)
    with ChatServer(planted_writer.write) as server:
        recipe = make_recipe(folder, "openai", "planted", f'{{url: "{server.url}"}}', all_=False)
        out = folder / "programs"
        make(recipe, out)
    return Replies(list(read_examples(out)))


def read_examples(out: Path) -> Sequence[ExampleRows]:
    programs = list(read_rows(out, "programs"))
    traces, questions = list(read_rows(out, "traces")), list(read_rows(out, "questions"))

    def own(rows: Sequence[Any], program: Any) -> tuple[Any, ...]:
        return tuple(row for row in rows if row["program_id"] == program["program_id"])

    return [ExampleRows(p, own(traces, p), own(questions, p)) for p in programs]


class Replies:
    """Replies to the prompts of the recipe, as :data:`chat_server.Answer`."""

    def __init__(self, programs: Sequence[ExampleRows]) -> None:
        self._keys = {q["text"]: q["key"] for rows in programs for q in rows.questions}
        self._rewriting = Rewriting(programs, True)

    def __call__(self, body: dict[str, Any]) -> list[str]:
        if "function `" in body["messages"][0]["content"]:
            return planted_writer.write(body)
        prompt = body["messages"][-1]["content"]
        if "Tell it." in prompt or "The reasoning:" in prompt:
            return [self._rewriting(prompt)] * body["n"]
        key = next(key for text, key in self._keys.items() if text in prompt)
        return [f"So it is.\n<answer>\n{key}\n</answer>"] * body["n"]
