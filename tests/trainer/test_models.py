"""Model backends with real models; skipped, by name, where torch or transformers is missing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from factory.errors import MissingExtra, UserError
from factory.models.backends import load_model

PROMPTS = [
    [{"role": "user", "content": "What does `f(3)` return?"}],
    [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "x = 1\n" * 30}],
]
HOW: dict[str, Any] = {"n": 3, "temperature": 1.0, "max_tokens": 6}


def test_without_the_libraries_the_command_to_install_them_is_given() -> None:
    try:
        import torch  # noqa: F401 - whether it is there is the question
        import transformers  # noqa: F401
    except ModuleNotFoundError:
        for backend in ("transformers", "tiny"):
            with pytest.raises(MissingExtra, match=r"pip install 'tracefoundry\[train\]'"):
                load_model(backend, "guesser")
    else:
        assert load_model("tiny", "guesser").name.startswith("tiny/guesser@")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model made from a configuration, with a tokenizer trained here."""
    pytest.importorskip("torch", reason="real models need tracefoundry[train]")
    pytest.importorskip("transformers", reason="real models need tracefoundry[train]")
    from trainer.models.tiny import load

    model = load("guesser")
    path = tmp_path_factory.mktemp("models") / "small"
    model._model.save_pretrained(path)
    model._tokenizer.save_pretrained(path)
    return path


def test_replies_depend_on_prompt_and_seed_alone(folder: Path) -> None:
    model = load_model("transformers", str(folder))
    first = model.complete(PROMPTS, seed=1, **HOW)
    assert [len(replies) for replies in first] == [3, 3]
    assert first[0] != first[1]
    assert model.complete(PROMPTS[::-1], seed=1, **HOW) == first[::-1]
    assert model.complete(PROMPTS[1:], seed=1, **HOW) == first[1:]
    assert model.complete(PROMPTS, seed=2, **HOW) != first
    again = load_model("transformers", str(folder))
    assert again.name == model.name
    assert again.complete(PROMPTS, seed=1, **HOW) == first


def test_without_temperature_the_likeliest_reply_comes_n_times(folder: Path) -> None:
    model = load_model("transformers", str(folder))
    (replies,) = model.complete(PROMPTS[:1], n=4, temperature=0.0, max_tokens=6, seed=0)
    assert len(replies) == 4
    assert len(set(replies)) == 1
    assert [replies] == model.complete(PROMPTS[:1], n=4, temperature=0.0, max_tokens=6, seed=9)


def test_a_tokenizer_without_a_chat_template_gets_the_texts(folder: Path, tmp_path: Path) -> None:
    import shutil

    plain = Path(shutil.copytree(folder, tmp_path / "plain"))
    for name in ("chat_template.jinja", "tokenizer_config.json"):
        path = plain / name
        if path.suffix == ".jinja":
            path.unlink(missing_ok=True)
        elif path.exists():
            config = json.loads(path.read_text())
            config.pop("chat_template", None)
            path.write_text(json.dumps(config))
    model = load_model("transformers", str(plain))
    assert model.name != load_model("transformers", str(folder)).name
    assert len(model.complete(PROMPTS, seed=1, **HOW)) == 2


def test_a_folder_without_a_model_is_one_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"difficulty\.model: .* cannot be loaded"):
        load_model("transformers", str(tmp_path))
    with pytest.raises(UserError, match="there is: guesser"):
        load_model("tiny", "other")


def test_the_demo_measures_with_a_model_that_guesses(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from factory.audit import audit
    from factory.load import read_rows
    from factory.pipeline import build
    from factory.progress import SilentProgress
    from factory.recipe import load_recipe

    monkeypatch.setenv("TRACEFOUNDRY_CACHE", str(tmp_path / "cache"))
    report = build(load_recipe("demo"), tmp_path / "out", programs=6, progress=SilentProgress())
    measured = report.manifest["difficulty"]
    assert measured["status"] == "measured"
    assert measured["questions"] == 6
    rows = [row for row in read_rows(tmp_path / "out", "questions") if row["difficulty"]]
    assert Counter(row["kind"] for row in rows) == {"output": 6}
    answers = [answer for row in rows for answer in row["difficulty"]["answers"]]
    assert len(answers) == 60
    assert sum(answer is not None for answer in answers) > 30, "most can be read"
    assert audit(tmp_path / "out").ok
