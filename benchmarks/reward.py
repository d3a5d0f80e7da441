"""Does a small reward model see more in our pairs than their length and their words?

A transformer of some 120,000 weights with a tokenizer of its own is made on the spot, trained by
`tracefoundry train reward` on the training split of a build, and asked about the pairs of the other
two splits, which are of other families; so are the two classifiers that know only the length or
only the words. All three read the reasoning alone; the model reads it without what stands between
backticks, so that it is trained in minutes: which sentences there are, in which order, and the
numbers of lines, but no names and values, and so it cannot see a wrong one.

    tracefoundry build small --programs 2000 --out DIR
    python benchmarks/reward.py DIR --out OUT [--tokens N] [--epochs N]

Needs the packages of `[train]`, no GPU and no network.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from factory.load import read_rows  # noqa: E402
from factory.reasoning.shortcuts import Sides, measure_shortcuts  # noqa: E402

VOCABULARY = 600
HIDDEN, LAYERS = 64, 2
CODE, SIGN = r"`[^`\n]+`", "`"
"""What stands between backticks, and what the model reads in its place."""
TEXTS = 3_000
"""Reasonings that the tokenizer is trained on."""
REASONING_ALONE = (
    "{% for message in messages %}{% if message['role'] == 'assistant' %}"
    "{{ message['content'] }}<|im_end|>{% endif %}{% endfor %}"
)
"""A template of chats that leaves the prompts out, which saves half of the reading."""
SETTINGS = (
    "precision=fp32",
    "gradient_checkpointing=false",
    "batch=32",
    "per_device_batch=32",
    "learning_rate=3e-3",
    "log_steps=10",
    "save_steps=100",
)


def make_base(folder: Path, data: Path) -> None:
    """An untrained model whose tokenizer knows these texts."""
    from tokenizers import Regex, normalizers
    from transformers import AutoTokenizer

    from trainer.models.scratch import make_model

    sides = (
        re.sub(CODE, SIGN, row[side][0]["content"])
        for row in list(read_rows(data, "crpl", "train"))[:TEXTS]
        for side in ("chosen", "rejected")
    )
    make_model(
        folder,
        sides,
        seed=0,
        vocabulary=VOCABULARY,
        hidden=HIDDEN,
        layers=LAYERS,
        positions=4_096,
    )
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.backend_tokenizer.normalizer = normalizers.Replace(Regex(CODE), SIGN)
    tokenizer.chat_template = REASONING_ALONE
    tokenizer.save_pretrained(folder)


def train(data: Path, base: Path, out: Path, tokens: int, epochs: float) -> None:
    """Train on pairs that are short enough, with the command that everybody has."""
    condition = f"chosen_tokens <= {tokens} and rejected_tokens <= {tokens}"
    settings = [*SETTINGS, f"epochs={epochs}", f"max_length={tokens}"]
    command = [
        *(sys.executable, "-m", "factory", "train", "reward", "--data", str(data)),
        *("--model", str(base), "--out", str(out), "--filter", condition),
        *(part for each in settings for part in ("--set", each)),
    ]
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})


def compare(data: Path, facts: dict[str, Any]) -> None:
    """Accuracy on the same held-out pairs, of all and by dimension and kind."""
    print(f"{'held-out pairs of':<16}{'pairs':>7}{'model':>8}{'length':>8}{'words':>8}")
    for key in (None, "dimension", "pair_kind"):
        sides = [
            Sides(
                row["chosen"][0]["content"],
                row["rejected"][0]["content"],
                "all" if key is None else row[key],
                row["split"] != "train",
            )
            for row in read_rows(data, "crpl")
        ]
        for each in measure_shortcuts(sides):
            pairs: dict[str, float] = defaultdict(float)
            for found in facts["pair_accuracy"].values():
                asked = found[each.group]
                pairs["all"] += asked["pairs"]
                pairs["right"] += asked["pairs"] * asked["accuracy"]
            model = pairs["right"] / pairs["all"]
            print(
                f"{each.group:<16}{each.pairs:>7}{model:>8.3f}"
                f"{each.length or 0:>8.3f}{each.words or 0:>8.3f}"
            )


def main() -> None:
    """Make the model, train it, and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tokens", type=int, default=800, help="longest side to train on")
    parser.add_argument("--epochs", type=float, default=4)
    options = parser.parse_args()
    base, out = options.out / "base", options.out / "reward"
    if not base.is_dir():
        make_base(base, options.dataset)
    train(options.dataset, base, out, options.tokens, options.epochs)
    facts = json.loads((out / "process_reward.json").read_text())
    compare(options.dataset, facts)


if __name__ == "__main__":
    main()
