"""``tracefoundry reward-benchmark``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from factory.cli.places import Place, open_folder
from factory.cli.terminal import print_json, print_note


def reward_benchmark(
    place: Place,
    model: Annotated[str, typer.Option("--model", metavar="M", help="What the backend loads.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="File for the pairs, one a line.")
    ],
    backend: Annotated[
        str, typer.Option("--backend", metavar="NAME", help="Model backend.")
    ] = "transformers",
    split: Annotated[
        str, typer.Option("--split", metavar="SPLIT", help="Split of the problems.")
    ] = "test",
    n: Annotated[int, typer.Option("--n", min=2, help="Replies to each problem.")] = 8,
    temperature: Annotated[float, typer.Option("--temperature", min=0, help="Of sampling.")] = 1.0,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=1, help="Most tokens of a reply.")
    ] = 4096,
    seed: Annotated[int, typer.Option("--seed", help="Decides what is drawn.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Make a benchmark of reward models from a dataset's problems.

    A model answers each problem several times; a pair is a reply whose plan and code are right over
    one whose plan and code are wrong. Each line holds prompt, chosen and rejected.
    """
    import json

    from factory.files import write_atomically
    from factory.load import read_rows
    from factory.models.base import ModelPlan, Sampling
    from factory.models.opening import open_model
    from factory.teaching.asking import Asker
    from factory.teaching.reward_benchmark import make_benchmark, tasks_of
    from tracer.unit_tests import UnitTester

    folder = open_folder(place)
    programs = {row["program_id"]: row for row in read_rows(folder, "programs", split)}
    traces: dict[str, list[dict[str, object]]] = {}
    for row in read_rows(folder, "traces", split):
        traces.setdefault(row["program_id"], []).append(row)
    tasks = tuple(tasks_of(read_rows(folder, "problems", split), programs, traces))
    with open_model(ModelPlan(backend, model), "--model") as opened, UnitTester() as tester:
        asker = Asker(opened, None, Sampling(temperature, max_tokens, seed))
        found = make_benchmark(tasks, asker, n, tester)
    text = "".join(json.dumps(pair) + "\n" for pair in found.pairs)
    write_atomically(out, text.encode("ascii"))
    report = {"problems": len(tasks), "pairs": len(found.pairs), "replies": dict(found.replies)}
    if as_json:
        print_json({**report, "out": str(out)})
    else:
        told = ", ".join(f"{number} {kind}" for kind, number in found.replies.items())
        print_note(f"replies: {told}")
        typer.echo(f"{report['pairs']} pairs of {report['problems']} problems in {out}")
