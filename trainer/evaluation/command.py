"""``tracefoundry eval``: the command; everything heavy is imported when it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer


def evaluate(
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="DIR", help="Folder of the results; the same command goes on there."
        ),
    ],
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data",
            metavar="NAME=PLACE",
            help=(
                "A benchmark and its file, folder or Hub repository; may be repeated. A name alone "
                "is read from its repository, a place alone is a dataset of ours."
            ),
        ),
    ] = None,
    benchmark: Annotated[
        list[str] | None,
        typer.Option("--benchmark", metavar="NAME", help="A benchmark; may be repeated."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="DIR|REPO", help="A model folder, or a model of the Hub."),
    ] = None,
    backend: Annotated[
        str, typer.Option("--backend", metavar="NAME", help="transformers, vllm or openai.")
    ] = "transformers",
    revision: Annotated[
        str | None, typer.Option("--revision", help="Of the model's repository.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the backend, as url=..."),
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers", metavar="FILE", help="Evaluate these answers instead of a model's."
        ),
    ] = None,
    reward_model: Annotated[
        Path | None,
        typer.Option("--reward-model", metavar="DIR", help="Ranks the pairs of --data pairs=..."),
    ] = None,
    samples: Annotated[
        int, typer.Option("--samples", min=0, help="Replies to draw for pass@k; 0: none.")
    ] = 0,
    temperature: Annotated[
        float, typer.Option("--temperature", min=0.01, help="Of the drawn replies.")
    ] = 0.8,
    greedy: Annotated[
        bool, typer.Option("--greedy/--no-greedy", help="The likeliest reply to each prompt too.")
    ] = True,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=1, help="Most tokens of a reply.")
    ] = 4096,
    seed: Annotated[int, typer.Option("--seed", help="Decides what is drawn.")] = 0,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="The first so many tasks of each benchmark."),
    ] = None,
    runner: Annotated[
        Literal["auto", "own", "evalplus"],
        typer.Option(
            "--runner", help="Who tests HumanEval+ and MBPP+: auto is evalplus if it is there."
        ),
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Measure a model on the benchmarks of the papers and on a dataset's own questions.

    Prompts and verdicts are those of the training. Writes eval.json, and every reply with its
    verdicts; prompts.jsonl holds the prompts, for replies that are made elsewhere (--answers). What
    a model replied is kept, so that an interrupted command goes on where it was.
    """
    from cards import RESULTS
    from trainer.errors import TrainingError
    from trainer.evaluation.progress import Progress
    from trainer.evaluation.run import Plan, claim
    from trainer.evaluation.sets import choose_sets
    from trainer.evaluation.table import print_table
    from trainer.runs import write_whole

    progress = Progress(lambda line: typer.echo(line, err=True))
    try:
        chosen = choose_sets(benchmark or (), data or ())
        samplings = _samplings(greedy, samples, temperature, max_tokens, seed, answers is not None)
        plan = Plan(chosen, samplings, limit, _runner(runner))
        plan.check(model, answers, reward_model)
        claim(out)
        source = _source(model, backend, revision, settings or [], answers, plan.names)
        report = _report(plan, source, reward_model, out, progress)
        write_whole(out / RESULTS, json.dumps(report, indent=2) + "\n")
    except TrainingError as error:
        typer.echo(f"error: {error.message}", err=True)
        raise typer.Exit(error.exit_code) from error
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    else:
        print_table(report)
        typer.echo(f"{out / RESULTS}: these results; the replies stand beside it", err=True)


def _report(plan: Any, source: Any, reward_model: Path | None, out: Path, progress: Any) -> Any:
    """What came out, of what is generated and of what is ranked."""
    from trainer.evaluation.pairs import evaluate_pairs
    from trainer.evaluation.run import describe
    from trainer.evaluation.run import evaluate as run
    from trainer.models.identities import name_of

    found = [] if source is None else run(plan, source, out, progress)
    if reward_model is not None:
        found += evaluate_pairs(plan, reward_model, progress)
    name = name_of(str(reward_model), None) if source is None else source.name
    return describe(name, plan, hasattr(source, "count_tokens"), found)


def _runner(wanted: str) -> Any:
    """Who tests the code of EvalPlus's tasks."""
    from trainer.evaluation.evalplus_package import has_evalplus, require_evalplus

    if wanted == "evalplus":
        require_evalplus()
    return "evalplus" if wanted != "own" and has_evalplus() else "own"


def _samplings(
    greedy: bool, samples: int, temperature: float, max_tokens: int, seed: int, given: bool
) -> tuple[Any, ...]:
    """How replies are drawn."""
    from trainer.errors import TrainingError
    from trainer.evaluation.generation import Sampling

    if given:
        return (Sampling("given", 1, 0.0, 0, 0),)
    found = [Sampling("greedy", 1, 0.0, max_tokens, seed)] if greedy else []
    if samples:
        found.append(Sampling("sampled", samples, temperature, max_tokens, seed))
    if not found:
        raise TrainingError("--no-greedy without --samples asks for no reply")
    return tuple(found)


def _source(
    model: str | None,
    backend: str,
    revision: str | None,
    settings: list[str],
    answers: Path | None,
    names: tuple[str, ...],
) -> Any:
    """The model, or the answers that are there; nothing where nothing is generated."""
    import yaml

    from trainer.errors import TrainingError
    from trainer.evaluation.given import GivenAnswers
    from trainer.models.registry import open_model

    if answers is not None:
        return GivenAnswers(answers, names)
    if model is None:
        return None
    given: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise TrainingError(f"--set {setting}: write key=value")
        given[key.strip()] = yaml.safe_load(value)
    return open_model(backend, model, revision, given)
