from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.errors import RecipeError, UserError
from factory.models.base import ModelPlan, find_plan
from factory.recipe import load_recipe, packaged_recipes, recipe_from_contents
from factory.recipe_records import Fields, Filters, Recipe, Shares, Source


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(RecipeError) as caught:
        load_recipe(write(folder, text))
    assert "\n" not in caught.value.message
    assert "mine.yaml" in caught.value.message
    assert caught.value.exit_code == 2
    return caught.value.message


def test_every_key_is_read(tmp_path: Path) -> None:
    recipe = load_recipe(
        write(
            tmp_path,
            """
            name: mine
            source: {kind: jsonl, path: data/rows.jsonl, fields: {code: program, entry_point: go}}
            programs: 7
            seed: -3
            inputs: {mutants: 2}
            questions: {kinds: [output, variable_state], control_flow: 0, data_flow: null}
            limits: {max_steps: 50, cpu_s: 2}
            dedupe: exact
            splits: {train: 0.5, validation: 0.25, test: 0.25}
            shard_programs: 3
            licence: MIT
            """,
        )
    )
    assert recipe.name == "mine"
    assert recipe.source == Source(
        "jsonl",
        path=str(tmp_path / "data" / "rows.jsonl"),
        fields=Fields(code="program", entry_point="go"),
    )
    assert (recipe.programs, recipe.seed, recipe.inputs.mutants) == (7, -3, 2)
    assert recipe.questions.kinds == ("output", "variable_state")
    assert (recipe.questions.control_flow, recipe.questions.data_flow) == (0, None)
    assert (recipe.limits.max_steps, recipe.limits.cpu_s) == (50, 2.0)
    assert recipe.limits.max_value_chars == 1000
    assert recipe.dedupe_rule == "exact"
    assert recipe.splits == Shares(0.5, 0.25, 0.25)
    assert (recipe.shard_programs, recipe.licence) == (3, "MIT")


def test_packaged_recipes_load_by_name() -> None:
    assert {"demo", "small", "tiny"} <= set(packaged_recipes())
    for name in packaged_recipes():
        recipe = load_recipe(name)
        assert recipe.name == name
        assert recipe.source.kind == "templates"
        assert recipe.dedupe_rule == "normalised"
        assert "output" in (recipe.questions.kinds or ())


def test_a_file_goes_before_a_packaged_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny").write_text("source: {kind: templates}\nseed: 99\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_recipe("tiny").seed == 99


def test_neither_file_nor_name() -> None:
    with pytest.raises(UserError, match=r"no recipe 'tinny'.*demo, paper, paper-15k, small, tiny"):
        load_recipe("tinny")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("source: {kind: templates}\nprogram: 3", ["'program'", "did you mean 'programs'?"]),
        (
            "source: {kind: templates}\ninputs: {mutant: 3}",
            ["'inputs.mutant'", "did you mean 'mutants'?"],
        ),
        (
            "source: {kind: templates}\nlimits: {max_step: 3}",
            ["'limits.max_step'", "did you mean 'max_steps'?"],
        ),
        (
            "source: {kind: jsonl, path: a.jsonl, fields: {cod: x}}",
            ["'source.fields.cod'", "did you mean 'code'?"],
        ),
        ("source: {kind: templates}\nzzz: 3", ["'zzz'", "known here: source, name"]),
        ("source: {kind: templates}\nprograms: '3'", ["programs:", "valid integer", '"3"']),
        ("source: {kind: templates}\nprograms: true", ["programs:", "valid integer", "true"]),
        ("source: {kind: templates}\nprograms: 2.5", ["programs:", "valid integer", "2.5"]),
        ("source: {kind: templates}\nprograms: 0", ["programs must be at least 1, not 0"]),
        ("source: {kind: templates}\nseed: 99999999999999999999", ["seed", "64 bits"]),
        ("source: {kind: templates}\ninputs: {mutants: -1}", ["inputs:", "mutants", "-1"]),
        ("source: {kind: templates}\nlimits: {cpu_s: 0}", ["limits.cpu_s", "more than 0"]),
        ("source: {kind: templates}\ndedupe: fuzzy", ["dedupe:", "'normalised'", "fuzzy"]),
        ("source: {kind: templates}\nsplits: {train: 0.9}", None),
        ("source: {kind: templates}\nsplits: {train: 0.5}", ["splits:", "add up to 1, not 0.6"]),
        ("source: {kind: templates, path: a.jsonl}", ["source:", "takes no path"]),
        ("source: {kind: jsonl}", ["source:", "needs a path"]),
        ("source: {kind: jsonl, path: a.jsonl}", ["source:", "needs a shape"]),
        (
            "source: {kind: jsonl, path: a.jsonl, shape: mbpp, fields: {}}",
            ["source:", "not both"],
        ),
        ("source: {kind: jsonl, path: a.jsonl, shape: apps}", ["source.shape", "'cruxeval'"]),
        ("programs: 3", ["the key 'source' is missing"]),
        ("source: {path: a.jsonl}", ["the key 'source.kind' is missing"]),
        ("source: {kind: templates}\nquestions: {kinds: [outputs]}", ["outputs", "'output'"]),
        ("source: {kind: templates}\nquestions: {kinds: output}", ["questions.kinds", "list"]),
        ("source: {kind: templates}\nseed: 1\nseed: 2", [":3:", "'seed' is given twice"]),
        ("source: [", ["not YAML"]),
        ("- source", ["a recipe is a mapping"]),
        ("", ["a recipe is a mapping"]),
    ],
)
def test_what_is_wrong_and_how_to_mend_it(
    tmp_path: Path, text: str, words: list[str] | None
) -> None:
    if words is None:
        load_recipe(write(tmp_path, text))
        return
    message = refusal(tmp_path, text)
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ("{types: [lists]}", ["grid.types", "'lists'", "list"]),
        ("{methods: [str.splitt]}", ["grid.methods", "'str.splitt'"]),
        ("{levels: [99]}", ["grid.levels", "99"]),
        ("{types: [int], methods: [str.split]}", ["no cell"]),
    ],
)
def test_grid_keys_must_name_cells(tmp_path: Path, grid: str, words: list[str]) -> None:
    message = refusal(tmp_path, f"source: {{kind: templates}}\ngrid: {grid}")
    for word in words:
        assert word in message


def test_an_unreadable_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RecipeError, match=r"mine\.yaml: cannot read"):
        load_recipe(path)


def test_the_hash_leaves_out_what_decides_no_row() -> None:
    recipe = load_recipe("tiny")
    assert recipe.hash == replace(recipe, programs=3, seed=5, name="other").hash
    assert recipe.hash != replace(recipe, licence="MIT").hash
    assert recipe.hash != replace(recipe, dedupe="exact").hash
    assert recipe.hash == replace(recipe, dedupe="normalised").hash, "the default, spelled out"


def test_the_hash_knows_only_the_last_part_of_a_path() -> None:
    one = Recipe(Source("jsonl", path="/home/me/rows.jsonl", shape="cruxeval"))
    other = Recipe(Source("jsonl", path="/tmp/rows.jsonl", shape="cruxeval"))
    assert one.hash == other.hash
    assert "/home" not in str(one.contents())


def test_a_recipe_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        load_recipe("tiny").seed = 3  # type: ignore[misc]


@given(
    st.builds(
        Recipe,
        source=st.sampled_from(
            [
                Source("templates"),
                Source("jsonl", path="rows.jsonl", shape="mbpp"),
                Source("jsonl", path="rows.jsonl", fields=Fields(input=None)),
            ]
        ),
        seed=st.integers(-(2**63), 2**63 - 1),
        shard_programs=st.integers(1, 10**6),
        dedupe=st.sampled_from(["none", "exact", "normalised", "behaviour"]),
        near_duplicates=st.none() | st.floats(0.5, 0.95),
        filters=st.builds(
            Filters,
            constant_output=st.none() | st.booleans(),
            min_steps=st.none() | st.integers(0, 9),
        ),
        licence=st.none() | st.text(st.characters(codec="utf-8")),
    )
)
def test_contents_give_the_recipe_back(recipe: Recipe) -> None:
    again = recipe_from_contents(recipe.contents(), where="here", seed=recipe.seed)
    assert again == replace(recipe, filters=recipe.filters_rule)
    assert again.hash == recipe.hash


def test_field_names_may_stand_in_the_source_itself(tmp_path: Path) -> None:
    short, long = tmp_path / "a.yaml", tmp_path / "b.yaml"
    short.write_text("source: {kind: jsonl, path: p.jsonl, code: src, entry_point: main}\n")
    long.write_text(
        "source: {kind: jsonl, path: p.jsonl, fields: {code: src, entry_point: main}}\n"
    )
    assert load_recipe(str(short)).source == load_recipe(str(long)).source


MODELS = """
source: {{kind: templates}}
difficulty: {{model: base}}
models: {{base: {{backend: openai, model: qwen, revision: r1, settings: {settings}}}}}
"""


def test_models_have_names_and_how_they_are_reached_decides_no_row(tmp_path: Path) -> None:
    def read(settings: str) -> Recipe:
        return load_recipe(write(tmp_path, MODELS.format(settings=settings)))

    recipe = read("{url: 'http://a/v1', concurrency: 4, input_price: 0.5}")
    assert find_plan(recipe.difficulty, recipe.models) == ModelPlan(
        "openai", "qwen", "r1", {"url": "http://a/v1", "concurrency": 4, "input_price": 0.5}
    )
    assert read("{url: 'http://b/v1'}").hash == recipe.hash
    again = recipe_from_contents(recipe.contents(), where="manifest", seed=recipe.seed)
    assert again.hash == recipe.hash


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("{backend: vlm, model: m}", ["models.a.backend", "did you mean 'vllm'"]),
        ("{backend: vllm}", ["'models.a.model' is missing"]),
        ("{backend: vllm, model: m, seed: 1}", ["unknown key 'models.a.seed'", "revision"]),
        (
            "{backend: openai, model: m, settings: {urls: x}}",
            ["models.a.settings", "'urls'", "did you mean 'url'"],
        ),
        ("{backend: openai, model: m, settings: {url: [1]}}", ["models.a.settings.url"]),
    ],
)
def test_wrong_models_are_named(tmp_path: Path, plan: str, words: list[str]) -> None:
    message = refusal(tmp_path, f"source: {{kind: templates}}\nmodels: {{a: {plan}}}\n")
    for word in words:
        assert word in message
