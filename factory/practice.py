"""Data that a model of 0.15 million weights can learn from, for the demo's training.

Programs of six lines with one decision over a number go through the whole pipeline; their
prompts are then cut to what so small a model can read (it learns from the lessons how to answer),
and problems of one expression over at most three numbers stand beside them. Programs are split by
family, problems by their structure, so what is held out is new in both.

Source: own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from factory.files import write_atomically
from factory.pipeline import build
from factory.progress import Progress
from factory.recipe import load_recipe

Row = dict[str, Any]

PROGRAMS = 500
CALLS = 4
"""Of each program, with a digit each: the model has sums to learn as well."""
MOST = 3
"""Greatest number that a program reckons with."""
SHOWN = 500
"""Problems drawn for the warm-up, which shows their solutions."""
PROBLEMS = 2000
"""Problems drawn for stage II: most that differ were not shown, or it would teach by heart."""
HELD_OUT = 0.15
"""Share of the structures of problems that are kept for the test."""
SPLITS = ("train", "validation", "test")
RECIPE = """\
source:
  kind: jsonl
  path: programs.jsonl
  fields: {code: code, input: inputs, output: null, entry_point: entry}
inputs: {mutants: 0}
splits: {train: 0.8, validation: 0.1, test: 0.1}
questions: {kinds: [output, next_statement, variable_state]}
stage1:
  tasks: [io_mixed]
  control_flow: 1
  data_flow: 1
  system: Run it.
  io_mixed: "$numbered\\n$call\\n$questions"
sft: {per_program: 0}
problems: {wanted: false}
crpl: {per_program: 2, system: Run it., prompt: "$numbered\\n$call\\n$questions"}
licence: Apache-2.0
"""
_SEED = 20_261
_WORDS = {"": "take", "+": "add", "-": "subtract"}
_HOW = ("\n\nHow to answer", "\nAnswer with")
"""Where the part of a prompt begins that says how to answer."""


def build_practice(
    folder: Path, *, programs: int = PROGRAMS, workers: int, progress: Progress
) -> Path:
    """Build the dataset of programs; an interrupted build goes on.

    Args:
        folder: Where to.
        programs: How many.
        workers: Processes at work.
        progress: Told of the build.

    Returns:
        The folder of the dataset.
    """
    rng = random.Random(_SEED)
    lines = []
    for _ in range(programs):
        code = write_program(rng)
        calls = [str(digit) for digit in rng.sample(range(10), CALLS)]
        lines.append(json.dumps({"code": code, "inputs": calls, "entry": "f"}))
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "programs.jsonl", "".join(f"{line}\n" for line in lines).encode())
    write_atomically(folder / "recipe.yaml", RECIPE.encode())
    dataset = folder / "dataset"
    build(load_recipe(folder / "recipe.yaml"), dataset, workers=workers, progress=progress)
    return dataset


def write_lessons(dataset: Path, folder: Path) -> Path:
    """Make of a dataset what each stage of the training reads, as Parquet like a dataset's own.

    Args:
        dataset: Built, or a published copy.
        folder: Where to.

    Returns:
        The folder: configs ``stage1``, ``crpl``, ``problems`` and ``sft``.
    """
    rng = random.Random(_SEED)
    shown = _to_train_on(write_problem(rng, number) for number in range(SHOWN))
    more = random.Random(_SEED + 1)
    asked = _to_train_on(write_problem(more, number) for number in range(PROBLEMS))
    _write(folder, "problems", "train", asked)
    _write(folder, "problems", "test", _held_out_problems())
    for config in ("stage1", "crpl"):
        for split in SPLITS:
            _write(folder, config, split, [shorten(row) for row in _read(dataset, config, split)])
    lessons = [(row["prompt"], answer(row)) for row in _read(folder, "stage1", "train")]
    lessons += [(row["prompt"], solve(row)) for row in shown]
    rng.shuffle(lessons)
    chats = [
        {"messages": [*prompt, {"role": "assistant", "content": reply}]}
        for prompt, reply in lessons
    ]
    _write(folder, "sft", "train", chats)
    return folder


def _to_train_on(problems: Iterable[Row]) -> list[Row]:
    return [row for row in problems if row["split"] == "train"]


def _held_out_problems() -> list[Row]:
    """Problems of structures that are kept for the test, no two alike."""
    rng = random.Random(_SEED)
    drawn = (write_problem(rng, number) for number in range(4 * SHOWN))
    held_out = {row["prompt"][0]["content"]: row for row in drawn if row["split"] == "test"}
    return list(held_out.values())


def write_program(rng: random.Random) -> str:
    """Six lines with one decision over a number."""

    def number() -> int:
        return rng.randrange(1, MOST + 1)

    return (
        "def f(a):\n"
        f"    if a {rng.choice(('<', '>', '<=', '>='))} {rng.randrange(1, 9)}:\n"
        f"        x = a {rng.choice('+-')} {number()}\n"
        "    else:\n"
        f"        x = {rng.choice(('a + ', 'a - ', ''))}{number()}\n"
        f"    return x {rng.choice('+-')} {number()}\n"
    )


def write_problem(rng: random.Random, number: int) -> Row:
    """One expression over at most three numbers, in words; its structure decides its split."""
    names = ["a", "b", "c"][: rng.randrange(1, 4)]
    terms = [rng.choice([*names, str(rng.randrange(1, 10))]) for _ in range(rng.randrange(1, 4))]
    terms[rng.randrange(len(terms))] = names[0]
    signs = ["", *(rng.choice("+-") for _ in terms[1:])]
    pairs = list(zip(signs, terms, strict=True))
    expression = "".join(f" {sign} {term}" if sign else term for sign, term in pairs)
    told = ", ".join(f"{_WORDS[sign]} {term}" for sign, term in pairs)
    shape = (len(names), tuple(signs), tuple("1" if term.isdigit() else term for term in terms))
    held_out = random.Random(repr(shape)).random() < HELD_OUT
    head = f"def f({', '.join(names)}):"
    tests = []
    for _ in range(3):
        given = {name: rng.randrange(-9, 30) for name in names}
        total = sum((-1 if sign == "-" else 1) * _value(term, given) for sign, term in pairs)
        tests.append(f"assert f({', '.join(map(str, given.values()))}) == {total}")
    return {
        "problem_id": f"{number:06}",
        "program_id": None,
        "split": "test" if held_out else "train",
        "level": None,
        "prompt": [{"role": "user", "content": f"{head} {told}."}],
        "starter": head,
        "entry_point": "f",
        "tests": json.dumps({"test_list": tests}),
        "reference": f"{head}\n    return {expression}\n",
    }


def _value(term: str, given: Mapping[str, int]) -> int:
    return int(term) if term.isdigit() else given[term]


def solve(row: Row) -> str:
    """A reply to a problem: what is to be done, then the code."""
    told = row["prompt"][0]["content"].split(": ")[1].rstrip(".")
    return f"<think>{told}</think><answer>```python\n{row['reference']}```</answer>"


def shorten(row: Row) -> Row:
    """Without the lines on how to answer: a small model reads slowly, and is shown it."""
    prompt = []
    for message in row["prompt"]:
        content = message["content"]
        for mark in _HOW:
            content = content.split(mark)[0]
        prompt.append({**message, "content": content})
    return {**row, "prompt": prompt}


def answer(row: Row) -> str:
    """A right reply to a prompt of stage I: states and order first, then what follows from them."""
    keys = dict(zip(row["answer_ids"], row["keys"], strict=True))
    kinds = dict(zip(row["answer_ids"], row["kinds"], strict=True))
    for name, kind in kinds.items():
        if kind == "variable_state":
            state = json.loads(keys[name])
            keys[name] = f"{state['value']}; {state['type']}"
    order = sorted(keys, key=lambda name: kinds[name] == "output")
    return f"<answer>{json.dumps({name: keys[name] for name in order})}</answer>"


def _write(folder: Path, config: str, split: str, rows: Sequence[Row]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    (folder / config).mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), folder / config / f"{split}-00000.parquet")


def _read(folder: Path, config: str, split: str) -> list[Row]:
    import pyarrow.parquet as pq

    rows: list[Row] = []
    for file in sorted((folder / config).glob(f"{split}-*.parquet")):
        rows += pq.read_table(file).to_pylist()
    return rows
