"""The model card: what it tells of a record, and that the Hub's own reader understands it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import pytest
import yaml

import cards
from cards.model import Curve, Evaluation, ModelRecord, Training, TrainingData

DATA = TrainingData("me/data", "abc123", "aa23d5668fac4987", 7, 12_345, "level <= 4")
SFT = Training(
    "sft",
    DATA,
    {"learning_rate": 1e-5, "packing": True, "note|odd": "a|b\nc", "resume": None},
    steps=1_200,
    hours=1.25,
    curves=(
        Curve("loss", ((1, 2.5), (600, 1.25), (1_200, 0.5))),
        Curve("grad norm", ((1, float("nan")), (2, float("inf")))),
    ),
)
RECORD = ModelRecord(
    name="me/model",
    base_model="base/coder",
    task="text-generation",
    licence="Apache-2.0",
    trainings=(SFT, replace(SFT, stage="stage1", data=replace(DATA, filter=None), curves=())),
    evaluations=(
        Evaluation("CRUXEval-O", "pass@1", 0.6125, 0.5, 800),
        Evaluation("HumanEval+", "pass@1", 1.0, None, 164),
    ),
    versions={"trl": "1.16.0", "torch": "2.11"},
    hardware="1 x GPU",
    seed=3,
    limits=("Knows no | pipes.",),
)


def test_the_hub_reads_the_header() -> None:
    import huggingface_hub

    card = huggingface_hub.ModelCard(cards.render_model(RECORD))
    assert card.data.base_model == "base/coder"
    assert card.data.datasets == ["me/data"]
    assert card.data.tags == ["tracefoundry", "code", "execution-reasoning", "sft", "stage1"]
    assert card.data.pipeline_tag == "text-generation"
    found = [(r.dataset_name, r.metric_type, r.metric_value) for r in card.data.eval_results]
    assert found == [("CRUXEval-O", "pass@1", 0.6125), ("HumanEval+", "pass@1", 1.0)]


def test_everything_of_the_record_is_told() -> None:
    text = cards.render_model(RECORD)
    for part in (
        "revision `abc123`",
        "recipe `aa23d5668fac4987`, seed 7",
        "Rows: 12,345, those with `level <= 4`.",
        "1,200 optimiser steps in 1.25 hours",
        "| CRUXEval-O | pass@1 | 800 | 0.5 | 0.6125 |",
        "| HumanEval+ | pass@1 | 164 | not measured | 1 |",
        "| learning\\_rate | 1e-05 |",
        "| packing | yes |",
        "| resume | – |",
        "| note\\|odd | a\\|b c |",
        "- Knows no \\| pipes.",
        "| torch | 2.11 |",
        "Seed 3, on 1 x GPU.",
        "sft, then stage1",
    ):
        assert part in text, part
    assert text.count("No curves were logged.") == 1
    assert "2603.11226" in text
    assert "2508.05170" in text


def test_curves_are_files_beside_it() -> None:
    files = cards.model_files(RECORD)
    assert list(files) == ["README.md", "plots/sft-loss.svg"]
    assert "![sft: loss](plots/sft-loss.svg)" in files["README.md"].decode()
    ET.fromstring(files["plots/sft-loss.svg"])
    assert cards.model_files(RECORD) == files


def test_a_reward_model_from_a_folder() -> None:
    data = replace(DATA, name="out", revision=None, on_hub=False)
    record = replace(
        RECORD,
        task="text-classification",
        licence=None,
        evaluations=(),
        trainings=(replace(SFT, stage="reward", data=data),),
    )
    text = cards.render_model(record)
    header = yaml.safe_load(text.split("---\n")[1])
    assert header["license"] == "unknown"
    assert "datasets" not in header
    assert "model-index" not in header
    assert "AutoModelForSequenceClassification" in text
    assert "## Results\n\nNot measured." in text
    assert "revision" not in text


def test_a_record_without_training_is_refused() -> None:
    with pytest.raises(ValueError, match="names no training"):
        cards.render_model(replace(RECORD, trainings=()))


def test_the_record_survives_its_file() -> None:
    finite = replace(SFT, curves=SFT.curves[:1])
    record = replace(RECORD, trainings=(finite,), base_on_hub=False)
    assert cards.parse_record(cards.record_text(record)) == record
    with pytest.raises(ValueError, match="JSON compliant"):
        cards.record_text(RECORD)
    for text, words in (
        ("{", "JSON"),
        ("{}", "name"),
        (cards.record_text(record).replace('"sft"', '"other"'), "stage"),
    ):
        with pytest.raises(ValueError, match=words) as caught:
            cards.parse_record(text)
        assert "\n" not in str(caught.value)


def test_a_base_that_is_a_folder_is_not_named_to_the_hub() -> None:
    record = replace(RECORD, base_on_hub=False)
    header = yaml.safe_load(cards.render_model(record).split("---\n")[1])
    assert "base_model" not in header
    data = replace(DATA, recipe_hash=None, seed=None)
    text = cards.render_model(replace(record, trainings=(replace(SFT, data=data),)))
    assert "- Data: `me/data`, revision `abc123`\n- Rows: 12,345" in text


def line(kind: str, level: str | None, value: float, mode: str = "greedy") -> dict[str, Any]:
    return {
        "kind": kind,
        "level": level,
        "mode": mode,
        "k": 1,
        "value": value,
        "low": value - 0.125,
        "high": value + 0.125,
        "questions": 40,
    }


def test_results_of_an_evaluation_are_the_table() -> None:
    results = [line("all", None, 0.5), line("output", None, 0.75), line("output", "3", 0.25)]
    report = {"benchmarks": [{"name": "cruxeval", "results": results}]}
    base = {"benchmarks": [{"name": "cruxeval", "results": [line("all", None, 0.25)]}]}
    found = cards.parse_results(json.dumps(report), json.dumps(base))
    text = cards.render_model(replace(RECORD, evaluations=found))
    table = text.split("## Results")[1].split("## Training")[0]
    assert "| cruxeval | pass@1, greedy | 40 | 0.25 | 0.5 (0.375 to 0.625) |" in table
    assert (
        "| cruxeval: output | pass@1, greedy | 40 | not measured | 0.75 (0.625 to 0.875) |" in table
    )
    assert table.count("| 40 |") == 2, "levels stay in the file"
    assert "intervals of 95 %" in table
    for text in ("[]", "{", '{"benchmarks": [{}]}'):
        with pytest.raises(ValueError, match=r"tracefoundry eval|Expecting"):
            cards.parse_results(text)
