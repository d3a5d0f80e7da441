"""EvalPlus's type-aware mutation, run by the Python of an environment that has evalplus.

Reads ``{"seed", "count", "seconds", "tasks": [{"code", "entry", "seeds": [argument text]}]}`` from
standard input and prints the argument texts it makes for each task. The function itself is the
contract: EvalPlus runs it on each new input and keeps those that it returns on. Its generator is
not seeded, so Python's random module is, from outside.
"""

from __future__ import annotations

import json
import random
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from evalplus.gen.type_mut import TypedMutGen


def make(task: dict, count: int, seconds: float) -> list[str]:
    seeds = [list(eval(f"(lambda *a: a)({text}\n)", {})) for text in task["seeds"]]
    generator = TypedMutGen(seeds, task["entry"], task["code"])
    generator.timeout = seconds
    made = None
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            made = generator.generate(count)
    except Exception as error:
        print(f"{task['entry']}: {type(error).__name__}: {error}"[:100], file=sys.stderr)
    # What came before an exception counts too.
    values = list(made or generator.new_inputs)[:count]
    return [", ".join(map(repr, each)) for each in values]


def main() -> None:
    asked = json.load(sys.stdin)
    answers = []
    for number, task in enumerate(asked["tasks"]):
        random.seed(f"{asked['seed']}:{number}")
        answers.append(make(task, asked["count"], asked["seconds"]))
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
