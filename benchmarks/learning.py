"""Does a tiny model learn from our data with our commands, and only then? Three seeds, on a CPU.

The model and the lessons of the demo, for longer: warm-up, stage I, reward model and stage II, each
as `tracefoundry train`; beside it stage I with shuffled keys, which must teach nothing. Prints a
table of held-out answers, sampled at temperature 1, and draws the curves of every component.

    python benchmarks/learning.py --out DIR [--seeds 0 1 2]

Goes on where it was stopped. Ends with an error that names each bound not kept.
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
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from factory.practice import build_practice, write_lessons  # noqa: E402
from factory.progress import LogProgress  # noqa: E402
from trainer.configs import Stage  # noqa: E402
from trainer.demonstration import (  # noqa: E402
    POLICIES,
    make_tiny_model,
    measure,
    tiny_settings,
)

ASKED = 100
STEPS: dict[Stage, int] = {"sft": 350, "stage1": 400, "reward": 120, "stage2": 160}
PRACTICE = "practice"
CONTROL = "shuffled"
OUTCOME, CODE = "output", "code"
WHITE_BOX = ("next_statement", "variable_state")
LEAST_GAIN = 0.10
"""Of the outcome, by stage I."""
LEAST_CODE, MOST_CODE = 0.1, 0.6
"""Share of problems solved after the warm-up."""

Shares = dict[str, float]


def run(*words: object) -> None:
    """The command line in a process of its own."""
    command = [sys.executable, "-m", "factory", *map(str, words)]
    subprocess.run(command, check=True, env=os.environ | {"OMP_NUM_THREADS": "1"})


def lessons_of(out: Path) -> Path:
    """The lessons of all seeds, made unless they are there."""
    workers = os.cpu_count() or 1
    data = build_practice(out / PRACTICE, workers=workers, progress=LogProgress())
    return write_lessons(data, out / "lessons")


def shuffle_keys(lessons: Path, out: Path) -> Path:
    """The same prompts, each with the keys of another one that asks the same kinds."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = out / "stage1" / "train-00000.parquet"
    if not file.exists():
        rows = pq.read_table(lessons / "stage1" / "train-00000.parquet").to_pylist()
        rng = random.Random(7)
        groups: dict[tuple[str, ...], list[int]] = {}
        for place, row in enumerate(rows):
            groups.setdefault(tuple(row["kinds"]), []).append(place)
        for places in groups.values():
            keys = [rows[place]["keys"] for place in places]
            rng.shuffle(keys)
            for place, key in zip(places, keys, strict=True):
                rows[place] |= {"keys": key, "valids": [[] for _ in key]}
        file.parent.mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(rows), file)
    return out


def train(lessons: Path, out: Path, seed: int) -> None:
    """The whole chain of a seed."""
    make_tiny_model(lessons, out / "model", seed=seed)
    where = ("--data", lessons, "--model", out / "model", "--out", out / "chain")
    run("train", "all", *where, *settings(seed))


def train_control(shuffled: Path, out: Path, seed: int) -> None:
    """Stage I of a seed, paid by the wrong keys."""
    where = ("--data", shuffled, "--model", out / "chain" / "sft", "--out", out / CONTROL)
    run("train", "stage1", *where, *settings(seed, only=["stage1"]))


def settings(
    seed: int, only: Collection[Stage] = tuple(STEPS), steps: Mapping[Stage, int] = STEPS
) -> list[str]:
    """Words that set what the tiny model needs in some stages."""
    return [
        word
        for each in tiny_settings(steps, seed=seed)
        if each.partition(".")[0] in only
        for word in ("--set", each)
    ]


def examine(lessons: Path, out: Path) -> dict[str, Shares]:
    """What each model of a seed answers right."""
    folders = {stage: out / "chain" / stage for stage in POLICIES} | {CONTROL: out / CONTROL}
    found = {}
    for name, folder in folders.items():
        shares = measure(folder, lessons, note, asked=ASKED)
        found[name] = {kind: share for kind, share, _, _ in shares}
    return found


def note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def draw(out: Path, seeds: Sequence[int]) -> None:
    """The curves of every component, a line a seed; nothing where matplotlib is missing."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        note("no curves: pip install 'tracefoundry[plots]'")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    stage1 = ("stage1/io", "stage1/white", "stage1/unparsed")
    panels = (
        ("chain/sft", "warm-up", ("loss", "mean_token_accuracy")),
        ("chain/stage1", "stage I", stage1),
        (CONTROL, "stage I, shuffled keys", stage1),
        ("chain/reward", "reward model", ("loss", "accuracy")),
        ("chain/stage2", "stage II", ("stage2/format", "stage2/outcome", "stage2/process")),
    )
    figure, axes = pyplot.subplots(1, len(panels), figsize=(17, 3.2), layout="constrained")
    for axis, (folder, title, names) in zip(axes, panels, strict=True):
        colours = itertools.cycle(pyplot.rcParams["axes.prop_cycle"].by_key()["color"])
        for name, colour in zip(names, colours, strict=False):
            for seed in seeds:
                state = out / f"seed{seed}" / folder / "trainer_state.json"
                logs = json.loads(state.read_text())["log_history"]
                points = [(log["step"], log[name]) for log in logs if name in log]
                label = name if seed == seeds[0] else None
                axis.plot(*zip(*points, strict=True), color=colour, lw=1, label=label)
        axis.set_title(title)
        axis.set_xlabel("update")
        axis.set_ylim(0, 1.05)
        axis.legend(fontsize=8)
    figure.savefig(out / "curves.png", dpi=100)


def white_box(shares: Shares) -> float:
    """Mean of the kinds that ask about the way to the output."""
    return statistics.fmean(shares[kind] for kind in WHITE_BOX)


def show(results: dict[int, dict[str, Shares]]) -> None:
    """A table of the held-out shares, one row a seed and model."""
    kinds = (OUTCOME, *WHITE_BOX, CODE)
    print("seed  after     " + "".join(f"{kind:>16}" for kind in kinds))
    for seed, found in results.items():
        for name, shares in found.items():
            print(f"{seed:<6}{name:<10}" + "".join(f"{shares[kind]:>16.3f}" for kind in kinds))


def pairs_ranked(out: Path, seed: int) -> float:
    """The share of held-out pairs that the reward model ranks right."""
    facts = json.loads((out / f"seed{seed}" / "chain/reward/finished.json").read_text())
    return mean_of(
        (split["all"]["pairs"], split["all"]["accuracy"])
        for split in facts["pair_accuracy"].values()
    )


def shortcuts_of(out: Path) -> Shares:
    """The share of the same pairs that each baseline ranks right, where it could be measured."""
    manifest = out / PRACTICE / "dataset" / "manifest.json"
    groups = json.loads(manifest.read_text())["shortcuts"]["groups"]
    return {
        name: mean_of((g["held_out_pairs"], g[name]) for g in groups if g[name] is not None)
        for name in ("length", "words")
    }


def mean_of(parts: Iterable[tuple[int, float]]) -> float:
    """The mean of some shares, each weighed by the number that it is a share of."""
    counts, shares = zip(*parts, strict=True)
    return sum(n * share for n, share in zip(counts, shares, strict=True)) / sum(counts)


def missed(
    results: dict[int, dict[str, Shares]], ranked: dict[int, float], best: float
) -> list[str]:
    """The bounds that are not kept, each as a line.

    Args:
        results: Held-out shares by seed and model.
        ranked: Share of the pairs that the reward model of a seed ranks right.
        best: The same share of the best shortcut.
    """
    lines = []
    for seed, found in results.items():
        gain = {name: found[name][OUTCOME] - found["sft"][OUTCOME] for name in ("stage1", CONTROL)}
        bounds = {
            "stage I raises the outcome by .10": gain["stage1"] >= LEAST_GAIN,
            "shuffled keys do not raise it": gain[CONTROL] < LEAST_GAIN / 2,
            "stage I keeps the white box": white_box(found["stage1"]) >= white_box(found["sft"]),
            "the reward model beats the shortcuts": ranked[seed] > best,
            "stage II has something to learn": LEAST_CODE <= found["sft"][CODE] <= MOST_CODE,
            "stage II keeps what it began with": found["stage2"][CODE] >= found["stage1"][CODE],
            "stage II keeps what the warm-up gave": found["stage2"][CODE] >= found["sft"][CODE],
        }
        lines += [f"seed {seed}: not so: {what}" for what, holds in bounds.items() if not holds]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    given = parser.parse_args()
    out = given.out
    lessons = lessons_of(out)
    shuffled = shuffle_keys(lessons, out / CONTROL)
    for seed in given.seeds:
        train(lessons, out / f"seed{seed}", seed)
    for seed in given.seeds:
        train_control(shuffled, out / f"seed{seed}", seed)
    results = {seed: examine(lessons, out / f"seed{seed}") for seed in given.seeds}
    (out / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    show(results)
    ranked = {seed: pairs_ranked(out, seed) for seed in given.seeds}
    shortcuts = shortcuts_of(out)
    shares = ", ".join(f"{share:.3f}" for share in ranked.values())
    print(
        f"held-out pairs ranked right: {shares}; by length alone {shortcuts['length']:.3f}, "
        f"by a bag of words {shortcuts['words']:.3f}"
    )
    draw(out, given.seeds)
    lines = missed(results, ranked, max(shortcuts.values()))
    if lines:
        raise SystemExit("\n".join(lines))


if __name__ == "__main__":
    main()
