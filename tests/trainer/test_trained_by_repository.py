"""Data published to a Hub, trained on by name there, and the model published beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import published
import pytest
from hub import TestHub
from hub.client import Client
from published import SEND

import cards
from factory.manifest import read_manifest

pytestmark = [
    pytest.mark.hub,
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("default"),  # the libraries warn of themselves
]
SETTINGS = (
    "per_device_batch=2",
    "precision=fp32",
    "gradient_checkpointing=false",
    "max_steps=2",
    "save_steps=2",
)
SFT = (*SETTINGS, "batch=2", "max_length=1300")
STAGE1 = (
    *SETTINGS,
    "per_device_batch=4",
    "prompts_per_step=2",
    "mini_batch=2",
    "generations=2",
    "max_prompt=700",
    "max_completion=8",
)
USE = """
import re, sys, warnings
warnings.simplefilter("ignore")
from huggingface_hub import HfFileSystem
text = HfFileSystem().read_text(f"{sys.argv[1]}@{sys.argv[2]}/README.md")
names = {}
exec(re.findall(r"```python\\n(.+?)```", text, re.DOTALL)[0], names)
model, tokenizer = names["model"], names["tokenizer"]
asked = tokenizer.apply_chat_template([{"role": "user", "content": "1 + 1?"}],
    add_generation_prompt=True, return_dict=True, return_tensors="pt")
given = asked["input_ids"].shape[1]
print(model.generate(**asked, max_new_tokens=4, do_sample=False).shape[1] > given)
"""


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestHub, Client]]:
    for name in ("torch", "transformers", "trl", "peft"):
        pytest.importorskip(name, reason="training needs tracefoundry[train]")
    home = tmp_path_factory.mktemp("home")
    with TestHub() as hub, Client(hub.environment, home) as client:
        yield hub, client


def test_data_are_trained_on_by_name_and_the_model_is_published(
    pair: tuple[TestHub, Client], tmp_path: Path
) -> None:
    from trainer.models import tiny

    hub, client = pair
    data = published.build_template_dataset(tmp_path / "data", published.SMALL)
    sent = client.python(SEND, data, "owner/d", "v1.0.0")
    assert sent.returncode == 0, sent.stderr
    commit = json.loads(sent.stdout)["commit"]
    model = tiny.load("guesser")
    model._model.save_pretrained(tmp_path / "model")
    model._tokenizer.save_pretrained(tmp_path / "model")

    start: Path = tmp_path / "model"
    for stage, settings in (("sft", SFT), ("stage1", STAGE1)):
        out = tmp_path / stage
        listed = [part for setting in settings for part in ("--set", setting)]
        where = ["--data", "owner/d@v1.0.0", "--model", start, "--out", out]
        done = client.run("train", stage, *where, *listed)
        assert done.returncode == 0, done.stderr
        start = out
    record = cards.parse_record((start / cards.RECORD).read_bytes())
    assert [training.stage for training in record.trainings] == ["sft", "stage1"]
    manifest = read_manifest(data)
    for training in record.trainings:
        assert training.data.name == "owner/d"
        assert training.data.revision == commit, "the tag as a commit"
        assert (training.data.recipe_hash, training.data.seed) == (
            manifest["recipe"]["hash"],
            manifest["seed"],
        )
        assert training.steps == 2
        facts = json.loads((tmp_path / training.stage / "finished.json").read_text())
        assert training.data.rows == facts["rows"]
        assert training.config["precision"] == "fp32"
        logs = json.loads((tmp_path / training.stage / "trainer_state.json").read_text())
        for curve in training.curves:
            logged = {
                log["step"]: log[curve.name] for log in logs["log_history"] if curve.name in log
            }
            assert dict(curve.points) == logged
        assert any(curve.name == "loss" for curve in training.curves)
    assert record.base_model == "model"
    assert not record.base_on_hub

    done = client.run("publish", start, "owner/model", "--private", "--tag", "v0.1.0", "--json")
    assert done.returncode == 0, done.stderr
    files = hub.files("owner/model", "v0.1.0", kind="model")
    assert hub.repository("owner/model", kind="model").private
    assert not [path for path in files if "checkpoint" in path or path.endswith((".bin", ".pt"))]
    assert files["model.safetensors"] == (start / "model.safetensors").read_bytes()
    card = files["README.md"].decode()
    assert 'from_pretrained("owner/model")' in card
    assert f"revision `{commit}`" in card
    assert set(re.findall(r"\]\((plots/.+?)\)", card)) == {p for p in files if p[:6] == "plots/"}
    assert "datasets:\n- owner/d\n" in card
    used = client.python(USE, "owner/model", "v0.1.0")
    assert used.returncode == 0, used.stderr
    assert used.stdout.strip() == "True"
