from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import jinja2  # noqa: TID253 - its error is what the test is about
import pytest
import yaml

import cards
from cards.header import type_text
from factory.manifest import NOT_RUN, make_manifest
from factory.recipe import load_recipe
from factory.recipe_records import Recipe, Source
from factory.table import COLUMNS, CONFIGS, schema
from factory.tally import Tally
from tracer.containment import ContainmentReport, Layer

ENVIRONMENT: dict[str, Any] = {
    "versions": {"tracefoundry": "0.1.0", "hypothesis": "6", "libcst": "1", "python": "3.10"},
    "containment": {
        "level": "reduced",
        "layers": [
            {"name": "rlimits", "active": True, "reason": ""},
            {"name": "network", "active": False, "reason": "no namespaces here"},
        ],
    },
}


def program(split: str, level: int | None) -> dict[str, Any]:
    constraint = {"type": "str", "method": "strip", "level": level} if level else None
    return {
        "split": split,
        "level": level,
        "constraint": constraint,
        "kind": "output",
        "task": "io_mixed",
        "pair_kind": "strong",
        "chosen_tokens": 40,
        "rejected_tokens": 42,
        "source": "program",
        "mutants": 9,
        "mutants_killed": 9,
        "difficulty": None,
        "n_steps": 12,
    }


def manifest_of(recipe: Recipe | None = None) -> dict[str, Any]:
    tally = Tally()
    for number in range(1_234):
        split = "test" if number % 10 == 0 else "train"
        for config in CONFIGS:
            tally.count(config, [program(split, number % 6 + 1)])
    drops = {"execution": {"raised": 3, "timeout": 1}, "dedupe": {"duplicate_program": 2}}
    return make_manifest(recipe or load_recipe("tiny"), tally, drops, NOT_RUN, {}, ENVIRONMENT)


def split_card(text: str) -> tuple[dict[str, Any], str]:
    empty, header, body = text.split("---\n", 2)
    assert empty == ""
    return yaml.safe_load(header), body


def table_after(body: str, start: str) -> list[list[str]]:
    """The cells of the first table behind ``start``, without its two header lines."""
    lines = body[body.index(start) :].splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip(" `") for cell in line.strip("|").split("|")])
    return rows


def test_the_header_names_files_that_have_rows() -> None:
    header, _ = split_card(cards.render(manifest_of(), COLUMNS))
    assert [config["config_name"] for config in header["configs"]] == list(CONFIGS)
    for config in header["configs"]:
        name = config["config_name"]
        assert config["data_files"] == [
            {"split": split, "path": f"{name}/{split}-*.parquet"} for split in ("train", "test")
        ]
    assert [c["config_name"] for c in header["configs"] if c.get("default")] == ["questions"]
    assert header["license"] == "apache-2.0"
    assert header["size_categories"] == ["1K<n<10K"]


def test_columns_are_those_of_the_files() -> None:
    _, body = split_card(cards.render(manifest_of(), COLUMNS))
    for config in CONFIGS:
        rows = table_after(body, f"### {config}\n")
        assert [row[0] for row in rows] == schema(config).names
        assert [row[1] for row in rows] == [type_text(kind) for kind in COLUMNS[config].values()]
    for columns in ({"id": "int32"}, {"id": "int32", "python": "str"}, {"id": "int32"}):
        _, body = split_card(cards.render(manifest_of(), {**COLUMNS, "programs": columns}))
        assert [row[0] for row in table_after(body, "### programs\n")] == list(columns)


def test_numbers_are_those_of_the_manifest() -> None:
    manifest = manifest_of()
    _, body = split_card(cards.render(manifest, COLUMNS))
    for config, train, validation, test, total in table_after(body, "| config |"):
        by_split = manifest["counts"][config]["by_split"]
        assert [train, validation, test] == [f"{number:,}" for number in by_split.values()]
        assert total == "1,234"
    levels = table_after(body, "| level |")
    assert {level: number for level, number, *_ in levels} == {
        level: str(number) for level, number in manifest["counts"]["programs"]["by_level"].items()
    }
    assert table_after(body, "| question kind |") == [["output", "1,234"]]
    assert table_after(body, "| stage |") == [
        ["dedupe", "duplicate_program", "2"],
        ["execution", "raised", "3"],
        ["execution", "timeout", "1"],
    ]
    assert manifest["canary"] in body
    assert manifest["recipe"]["hash"] in body


def test_what_is_missing_is_said() -> None:
    _, body = split_card(cards.render(manifest_of(), COLUMNS))
    assert "without network (no namespaces here)" in body
    assert "## Decontamination\n\nNot measured" in body
    assert re.search(r"## Shortcuts\n\n.*\n\nNot measured\.", body)
    manifest = manifest_of()
    manifest["drops"] = {}
    assert "## What was left out\n\nNothing.\n" in cards.render(manifest, COLUMNS)


def test_diversity_stands_beside_that_of_cruxeval() -> None:
    manifest = manifest_of()
    measures = {"four_grams": {"build": 1_234.5, "cruxeval": 2_000}}
    manifest["diversity"] = {"programs": 3, "measures": measures}
    _, body = split_card(cards.render(manifest, COLUMNS))
    assert table_after(body, "| measure |") == [["four grams", "1234", "2,000"]]
    manifest["diversity"] = {"programs": 0, "measures": {}}
    assert "| measure |" not in cards.render(manifest, COLUMNS)


def test_reports_are_told_as_they_are() -> None:
    manifest = manifest_of()
    hits = [
        {"program_id": f"p{i}", "benchmark": "MBPP|+", "method": "ngrams", "share": 0.75}
        for i in range(25)
    ]
    manifest["decontamination"] = {
        "status": "done",
        "ngram": 13,
        "benchmarks": [{"name": "HumanEval", "rows": 1164, "sha256": "ab"}],
        "hits": hits,
        "none_found": [],
        "methods": ["a", "b"],
        "more": {"deep": {"x": None, "y": True}, "empty": {}},
    }
    manifest["shortcuts"] = {"status": "done", "accuracy": 0.123456}
    _, body = split_card(cards.render(manifest, COLUMNS))
    report = body.split("## Decontamination")[1].split("## Shortcuts")[0]
    assert "- ngram: 13\n" in report
    assert table_after(report, "benchmarks (1)") == [["HumanEval", "1,164", "ab"]]
    assert len(table_after(report, "hits (25)")) == 20
    assert "… and 5 more in `manifest.json`" in report
    assert r"MBPP\|+" in report
    assert "none found: none" in report
    assert "methods: a, b" in report
    assert "- x: –\n- y: yes" in report
    assert "accuracy: 0.1235" in body.split("## Shortcuts")[1]


def test_a_repository_stands_in_the_examples() -> None:
    text = cards.render(manifest_of(), COLUMNS, repo="me/data")
    assert 'load_dataset("me/data", "questions")' in text
    assert "hf://datasets/me/data/questions/" in text
    assert "PATH_OR_REPO" not in text


def test_configs_of_other_columns() -> None:
    """A list of structs and a config without rows."""
    manifest = manifest_of()
    empty = {
        "total": 0,
        "by_level": {},
        "by_split": dict.fromkeys(("train", "validation", "test"), 0),
    }
    manifest["counts"]["later"] = empty
    messages = ("list", {"role": "str", "turns": ("list", ("list", "int64"))})
    columns = {**COLUMNS, "programs": {"messages": messages}, "later": {"id": "str"}}
    header, body = split_card(cards.render(manifest, columns))
    info = {each["config_name"]: each for each in header["dataset_info"]}
    assert info["programs"]["features"] == [
        {
            "name": "messages",
            "list": [
                {"name": "role", "dtype": "string"},
                {"name": "turns", "list": {"list": "int64"}},
            ],
        }
    ]
    assert "later" not in info
    assert "later = load" not in body
    assert "| `later` | 0 | 0 | 0 | 0 |" in body


def test_both_papers_are_cited() -> None:
    text = cards.render(manifest_of(), COLUMNS)
    assert re.findall(r"eprint = \{(.+)\}", text) == ["2603.11226", "2508.05170"]


def test_a_file_as_the_source() -> None:
    recipe = Recipe(Source("jsonl", path=__file__, shape="cruxeval"), name="mine")
    header, body = split_card(cards.render(manifest_of(recipe), COLUMNS))
    assert header["license"] == "unknown"
    assert "`test_card.py` (records in the shape of cruxeval)" in body
    assert "possible cells" not in body


@pytest.mark.parametrize(
    "name", ["yes: no", "3.10", "no", "a\nb", "'\"", "# x", "---", "{{ seed }}"]
)
def test_the_header_gives_texts_back(name: str) -> None:
    """Versions stay text, and nothing needs more than a safe loader (datasets#6504)."""
    manifest = manifest_of()
    manifest["recipe"]["name"] = name
    text = cards.render(manifest, COLUMNS)
    header = yaml.safe_load(text.split("---\n")[1]) if "---" not in name else None
    if header is not None:
        assert header["pretty_name"] == f"tracefoundry {name}"
    assert "!!python" not in text


@pytest.mark.parametrize("path", [("canary",), ("recipe", "hash"), ("environment", "containment")])
def test_a_hole_in_the_manifest_is_an_error(path: tuple[str, ...]) -> None:
    manifest = deepcopy(manifest_of())
    place = manifest
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    with pytest.raises(jinja2.UndefinedError):
        cards.render(manifest, COLUMNS)


def test_the_containment_report_is_what_the_card_reads() -> None:
    """The card gets the report as a dictionary; its fields are these."""
    assert ContainmentReport.__slots__ == ("layers", "level")
    assert Layer.__slots__ == ("name", "active", "reason")
