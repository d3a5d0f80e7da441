"""Does a tiny model learn from our data with our commands, and only then? Three seeds, on a CPU.

A model of some 150,000 weights goes through warm-up, stage I, reward model and stage II, each as
`tracefoundry train`; beside it stage I with shuffled keys, which must teach nothing. Prints a table
of held-out accuracy, sampled at temperature 1, and writes the curves of every component.

    python benchmarks/learning.py --out DIR [--seeds 0 1 2]

Goes on where it was stopped. About 20 minutes of CPU a seed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from factory.practice import RECIPE  # noqa: E402

PROGRAMS = 1_000
PROBLEMS = 1_000
HELD_OUT = 96
SAMPLES = 4
TINY = ("precision=fp32", "gradient_checkpointing=false", "save_steps=50")
WARM = (
    "batch=32",
    "per_device_batch=32",
    "max_length=180",
    "learning_rate=3e-3",
    "epochs=50",
    "log_steps=10",
)
GRPO = (
    "prompts_per_step=8",
    "mini_batch=8",
    "per_device_batch=64",
    "max_prompt=80",
    "max_completion=32",
    "learning_rate=3e-4",
    "epochs=50",
)
JUDGE = (
    "batch=16",
    "per_device_batch=16",
    "max_length=180",
    "learning_rate=1e-3",
    "epochs=50",
    "log_steps=5",
)
STEPS = {"sft": 350, "stage1": 150, "reward": 100, "stage2": 75}


def write_program(rng: random.Random) -> str:
    """Six lines with one decision over two numbers."""

    def term() -> str:
        return rng.choice(["a", "b", str(rng.randrange(1, 10))])

    return (
        "def f(a, b):\n"
        f"    x = a {rng.choice('+-')} {rng.choice(['b', str(rng.randrange(1, 10))])}\n"
        f"    if x {rng.choice('<>')} {rng.randrange(1, 10)}:\n"
        f"        x = x {rng.choice('+-')} {term()}\n"
        "    else:\n"
        f"        x = {rng.choice('abx')} {rng.choice('+-')} {term()}\n"
        "    return x\n"
    )


def write_problem(rng: random.Random, number: int) -> dict[str, Any]:
    """One expression over at most three numbers, in words; its structure decides its split."""
    names = ["a", "b", "c"][: rng.randrange(1, 4)]
    terms = [rng.choice([*names, str(rng.randrange(1, 10))]) for _ in range(rng.randrange(1, 4))]
    terms[rng.randrange(len(terms))] = names[0]
    signs = ["", *(rng.choice("+-") for _ in terms[1:])]
    words = {"": "take", "+": "add", "-": "subtract"}
    expression = "".join(
        f" {sign} {term}" if sign else term for sign, term in zip(signs, terms, strict=True)
    )
    told = ", ".join(f"{words[sign]} {term}" for sign, term in zip(signs, terms, strict=True))
    head = f"def f({', '.join(names)}):"
    shape = (len(names), tuple(signs), tuple("1" if t.isdigit() else t for t in terms))
    place = random.Random(repr(shape)).random()
    calls = [[rng.randrange(-9, 30) for _ in names] for _ in range(3)]
    tests = [
        f"assert f({', '.join(map(str, call))}) == "
        f"{eval(expression, dict(zip(names, call, strict=True)))}"  # our own expression of ints
        for call in calls
    ]
    return {
        "problem_id": f"{number:06}",
        "program_id": None,
        "split": "test" if place < 0.15 else "train",
        "level": None,
        "prompt": [{"role": "user", "content": f"{head} {told}."}],
        "starter": head,
        "entry_point": "f",
        "tests": json.dumps({"test_list": tests}),
        "reference": f"{head}\n    return {expression}\n",
    }


def solve(row: dict[str, Any]) -> str:
    """A reply to a problem: what is to be done, then the code."""
    told = row["prompt"][0]["content"].split(": ")[1].rstrip(".")
    return f"<think>{told}</think><answer>```python\n{row['reference']}```</answer>"


def shorten(row: dict[str, Any]) -> dict[str, Any]:
    """Without the lines on how to answer, which the warm-up shows: a tiny model reads slowly."""
    for message in row["prompt"]:
        message["content"] = (
            message["content"].split("\n\nHow to answer")[0].split("\nAnswer with")[0]
        )
    return row


def reply_to(row: dict[str, Any]) -> str:
    """A right reply to a prompt of stage I: states and order first, then what follows from them."""
    keys = dict(zip(row["answer_ids"], row["keys"], strict=True))
    for name, kind in zip(row["answer_ids"], row["kinds"], strict=True):
        if kind == "variable_state":
            state = json.loads(keys[name])
            keys[name] = f"{state['value']}; {state['type']}"
    last = [n for n, kind in zip(row["answer_ids"], row["kinds"], strict=True) if kind == "output"]
    order = [name for name in keys if name not in last] + last
    return f"<answer>{json.dumps({name: keys[name] for name in order})}</answer>"


def run(*words: object) -> None:
    """The command line in a process of its own."""
    command = [sys.executable, "-m", "factory", *map(str, words)]
    subprocess.run(command, check=True, env=os.environ | {"OMP_NUM_THREADS": "1"})


def write_rows(data: Path, config: str, split: str, rows: list[dict[str, Any]]) -> None:
    """One file in place of all that the split has."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    (data / config).mkdir(parents=True, exist_ok=True)
    for file in (data / config).glob(f"{split}-*.parquet"):
        file.unlink()
    pq.write_table(pa.Table.from_pylist(rows), data / config / f"{split}-00000.parquet")


def read_rows(data: Path, config: str, split: str) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = []
    for file in sorted((data / config).glob(f"{split}-*.parquet")):
        found += pq.read_table(file).to_pylist()
    return found


def make_data(out: Path) -> Path:
    """A build of our own programs, with problems and warm-up conversations beside it."""
    data = out / "data"
    if (data / "sft").is_dir():
        return data
    rng = random.Random(20_261)
    out.mkdir(parents=True, exist_ok=True)
    with (out / "programs.jsonl").open("w") as file:
        for _ in range(PROGRAMS):
            call = f"{rng.randrange(10)}, {rng.randrange(10)}"
            line = {"code": write_program(rng), "inputs": [call], "entry": "f"}
            file.write(json.dumps(line) + "\n")
    (out / "recipe.yaml").write_text(RECIPE)
    run("build", out / "recipe.yaml", "--out", data)
    problems = [write_problem(rng, number) for number in range(PROBLEMS)]
    for split in ("train", "test"):
        write_rows(data, "problems", split, [row for row in problems if row["split"] == split])
    for config, split in itertools.product(("stage1", "crpl"), ("train", "validation", "test")):
        write_rows(data, config, split, [shorten(row) for row in read_rows(data, config, split)])
    warm = [(row["prompt"], reply_to(row)) for row in read_rows(data, "stage1", "train")]
    warm += [(row["prompt"], solve(row)) for row in problems if row["split"] == "train"]
    rng.shuffle(warm)
    chats = [
        {"messages": [*prompt, {"role": "assistant", "content": reply}]} for prompt, reply in warm
    ]
    write_rows(data, "sft", "train", chats)
    return data


def shuffle_keys(data: Path, out: Path) -> Path:
    """The same prompts, each with the keys of another one that asks the same kinds."""
    if not out.is_dir():
        rows = read_rows(data, "stage1", "train")
        rng = random.Random(7)
        groups: dict[tuple[str, ...], list[int]] = {}
        for place, row in enumerate(rows):
            groups.setdefault(tuple(row["kinds"]), []).append(place)
        for places in groups.values():
            keys = [rows[place]["keys"] for place in places]
            rng.shuffle(keys)
            for place, key in zip(places, keys, strict=True):
                rows[place] |= {"keys": key, "valids": [[] for _ in key]}
        write_rows(out, "stage1", "train", rows)
    return out


def settings(stage: str, seed: int) -> list[str]:
    own = {"sft": WARM, "reward": JUDGE}.get(stage, GRPO)
    given = (*TINY, *own, f"seed={seed}", f"max_steps={STEPS[stage]}")
    return [f"{stage}.{each}" for each in given]


def flags(stages: Sequence[str], seed: int, prefixed: bool) -> list[str]:
    listed = [each for stage in stages for each in settings(stage, seed)]
    if not prefixed:
        listed = [each.split(".", 1)[1] for each in listed]
    return [word for each in listed for word in ("--set", each)]


class Examined:
    """Held-out accuracy of a model, sampled."""

    def __init__(self, model: Path) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        torch.set_num_threads(1)
        self.tokenizer = AutoTokenizer.from_pretrained(model, padding_side="left")
        self.model = AutoModelForCausalLM.from_pretrained(model).eval()

    def replies(self, prompts: list[Any], tokens: int) -> list[str]:
        import torch

        torch.manual_seed(0)
        texts = [
            self.tokenizer.apply_chat_template(p, add_generation_prompt=True, tokenize=False)
            for p in prompts
        ]
        asked = self.tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
        with torch.inference_mode():
            made = self.model.generate(
                input_ids=asked["input_ids"],
                attention_mask=asked["attention_mask"],
                do_sample=True,
                top_k=0,
                max_new_tokens=tokens,
                num_return_sequences=SAMPLES,
                pad_token_id=self.tokenizer.pad_token_id,
            )
        return self.tokenizer.batch_decode(  # type: ignore[no-any-return]
            made[:, asked["input_ids"].shape[1] :], skip_special_tokens=True
        )

    def stage1(self, rows: list[dict[str, Any]]) -> dict[str, float]:
        from trainer.rewards import stage1_reward

        found: dict[str, float] = {}
        many = [row for row in rows for _ in range(SAMPLES)]
        columns = {name: [row[name] for row in many] for name in rows[0]}
        stage1_reward(
            completions=self.replies([row["prompt"] for row in rows], 32),
            log_metric=found.__setitem__,
            **columns,
        )
        return {"outcome": found["stage1/io"], "white-box": found["stage1/white"]}

    def stage2(self, rows: list[dict[str, Any]]) -> dict[str, float]:
        from trainer.rewards.unit_tests import code_outcome

        many = [row for row in rows for _ in range(SAMPLES)]
        replies = self.replies([row["prompt"] for row in rows], 32)
        verdicts = code_outcome(replies, many, wall_s=300)
        return {"code": sum(v.status == "correct" for v in verdicts) / len(verdicts)}


def examine(model: Path, data: Path) -> dict[str, float]:
    """Accuracies of a model on the first prompts of the test split; remembered beside it."""
    path = model / "held_out.json"
    if not path.exists():
        examined = Examined(model)
        found = examined.stage1(read_rows(data, "stage1", "test")[:HELD_OUT])
        found |= examined.stage2(read_rows(data, "problems", "test")[:HELD_OUT])
        path.write_text(json.dumps(found))
    known: dict[str, float] = json.loads(path.read_text())
    return known


def train(data: Path, shuffled: Path, out: Path, seed: int) -> dict[str, dict[str, float]]:
    """One seed: the whole chain and the control, then everybody's accuracy."""
    from trainer.models.scratch import make_model

    model, chain = out / "model", out / "chain"
    if not (model / "model.safetensors").exists():
        chats = read_rows(data, "sft", "train")[:2_000]
        pairs = read_rows(data, "crpl", "train")[:500]
        texts = [m["content"] for row in chats for m in row["messages"]]
        texts += [m["content"] for row in pairs for m in (*row["prompt"], *row["chosen"])]
        make_model(model, texts, seed=seed, vocabulary=600, positions=256)
    where = ["--data", data, "--model", model, "--out", chain]
    run("train", "all", *where, *flags(list(STEPS), seed, prefixed=True))
    control = ["--data", shuffled, "--model", chain / "sft", "--out", out / "shuffled"]
    run("train", "stage1", *control, *flags(["stage1"], seed, prefixed=False))
    runs = {name: chain / name for name in ("sft", "stage1", "stage2")}
    runs["shuffled"] = out / "shuffled"
    return {name: examine(folder, data) for name, folder in runs.items()}


def draw(out: Path, seeds: Sequence[int]) -> Path | None:
    """The curves of every component, a line a seed; nothing where matplotlib is missing."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        print("no curves: pip install 'tracefoundry[plots]'", file=sys.stderr)
        return None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    panels = (
        ("chain/stage1", "stage I", ("reward", "stage1/io", "stage1/white")),
        ("shuffled", "stage I, shuffled keys", ("reward", "stage1/io", "stage1/white")),
        ("chain/reward", "reward model", ("accuracy", "loss")),
        ("chain/stage2", "stage II", ("reward", "stage2/outcome", "stage2/process")),
    )
    figure, axes = pyplot.subplots(1, len(panels), figsize=(16, 3.4), layout="constrained")
    for axis, (folder, title, names) in zip(axes, panels, strict=True):
        colours = itertools.cycle(pyplot.rcParams["axes.prop_cycle"].by_key()["color"])
        for name, colour in zip(names, colours, strict=False):
            for seed in seeds:
                state = out / f"seed{seed}" / folder / "trainer_state.json"
                logs = json.loads(state.read_text())["log_history"]
                points = [(log["step"], log[name]) for log in logs if name in log]
                smooth = [
                    statistics.fmean(value for _, value in points[max(0, end - 9) : end + 1])
                    for end in range(len(points))
                ]
                label = name if seed == seeds[0] else None
                axis.plot([step for step, _ in points], smooth, color=colour, lw=1, label=label)
        axis.set_title(title)
        axis.set_xlabel("update")
        axis.legend(fontsize=8)
    path = out / "curves.png"
    figure.savefig(path, dpi=110)
    return path


def show(results: dict[int, dict[str, dict[str, float]]], out: Path) -> None:
    names = ("sft", "stage1", "shuffled", "stage2")
    measures = ("outcome", "white-box", "code")
    print("seed  " + "".join(f"{f'{name} {m}':>20}" for m in measures for name in names))
    for seed, found in results.items():
        cells = (f"{found[name][m]:>20.3f}" for m in measures for name in names)
        print(f"{seed:<6}" + "".join(cells))
    for seed in results:
        facts = json.loads((out / f"seed{seed}" / "chain" / "reward" / "finished.json").read_text())
        shares = {split: found["all"] for split, found in facts["pair_accuracy"].items()}
        print(f"seed {seed}: reward model, pairs ranked right: {shares}")
    shortcuts = json.loads((out / "data" / "manifest.json").read_text())["shortcuts"]
    print(f"shortcuts of the same pairs: {json.dumps(shortcuts)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    given = parser.parse_args()
    data = make_data(given.out)
    shuffled = shuffle_keys(data, given.out / "shuffled")
    results = {seed: train(data, shuffled, given.out / f"seed{seed}", seed) for seed in given.seeds}
    show(results, given.out)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    draw(given.out, given.seeds)


if __name__ == "__main__":
    main()
