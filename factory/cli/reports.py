"""How a build and its dataset are shown: used by ``build`` and ``demo``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cards.plots import levels_in_order
from factory.cli.terminal import print_note, print_table
from factory.coverage import coverage_line
from factory.table import CONFIGS

if TYPE_CHECKING:
    from rich.console import Console

    from factory.pipeline import BuildReport

GRID_KEYS = ("possible", "filled", "fewest", "most", "by_type")


def describe_build(report: BuildReport) -> dict[str, Any]:
    """A build's report as JSON-able data."""
    manifest = report.manifest
    return {
        "out": str(report.out),
        "seconds": round(report.seconds, 2),
        "reused": report.reused,
        "resumed_units": report.resumed_units,
        "recipe": manifest["recipe"],
        "seed": manifest["seed"],
        "counts": manifest["counts"],
        "drops": manifest["drops"],
        "diversity": manifest["diversity"],
        "shortcuts": manifest["shortcuts"],
        "grid": {key: manifest["grid"][key] for key in GRID_KEYS},
        "files": sorted(manifest["checksums"]),
    }


MEASURES = {
    "compression_ratio": "compression ratio (zlib)",
    "four_grams": "distinct 4-grams of syntax kinds in 800 programs",
    "lines": "lines of a program",
    "lines_per_function": "lines of a function",
    "lines_at_equal_nesting": "lines of a function, nested as CRUXEval's",
    "largest_skeleton_share": "share of the most frequent skeleton",
}
"""What :mod:`factory.diversity` measures, in words."""


def print_diversity(console: Console, diversity: dict[str, Any]) -> None:
    """Print how unlike one another the programs are, beside CRUXEval's own figures."""
    rows = [
        (MEASURES[name], pair["build"], pair["cruxeval"])
        for name, pair in diversity["measures"].items()
    ]
    if rows:
        print_table(console, "diversity", ("measure", "these programs", "CRUXEval"), rows)


def print_build(console: Console, report: BuildReport) -> None:
    """Print what a build made: by level, by kind, what was dropped, where it is."""
    counts, drops = report.manifest["counts"], report.manifest["drops"]
    levels = {level: 0 for config in CONFIGS for level in counts[config]["by_level"]}
    rows = [
        (v, *(counts[c]["by_level"].get(v, 0) for c in CONFIGS)) for v in levels_in_order(levels)
    ]
    rows.append(("all", *(counts[config]["total"] for config in CONFIGS)))
    print_table(console, "by level", ("level", *CONFIGS), rows)
    kinds = counts["questions"]["by_kind"].items()
    print_table(console, "questions", ("kind", "questions"), kinds)
    print_diversity(console, report.manifest["diversity"])
    _print_shortcuts(console, report.manifest["shortcuts"])
    _print_difficulty(console, report.manifest)
    _print_writing(console, report.manifest)
    _print_usage(console, report.manifest["environment"]["models"])
    dropped = [
        (stage, reason, number)
        for stage, reasons in drops.items()
        for reason, number in reasons.items()
    ]
    if dropped:
        print_table(console, "dropped", ("stage", "reason", "times"), dropped)
    else:
        console.print("nothing was dropped")
    console.print(coverage_line(report.manifest["grid"]), soft_wrap=True, highlight=False)
    done = "already there, nothing to do" if report.reused else f"in {report.seconds:.1f} s"
    console.print(f"{report.programs} programs in {report.out} ({done})")


def _print_shortcuts(console: Console, shortcuts: dict[str, Any]) -> None:
    """How often the better side of a pair is found without reading it."""
    rows = [tuple(group.values()) for group in shortcuts.get("groups", ())]
    if rows:
        columns = ("pairs of", "held out", "right by length", "right by words")
        print_table(console, "shortcuts (a coin: 0.5)", columns, rows)


def warn_of_shortcuts(manifest: dict[str, Any]) -> None:
    """Say on standard error which pairs can be told apart without reading them."""
    from factory.reasoning.shortcuts import LOUD

    for group in manifest["shortcuts"].get("groups", ()):
        for name, how in (("length", "by its length"), ("words", "by its words")):
            if (group[name] or 0.0) > LOUD:
                print_note(
                    f"SHORTCUT: of {group['held_out_pairs']} held-out pairs {group['group']} "
                    f"{group[name]:.1%} give the better side away {how} alone"
                )


def _print_usage(console: Console, models: Mapping[str, Mapping[str, float]]) -> None:
    """A line about each model that counts what it cost in this run."""
    for name, usage in models.items():
        if usage:
            tokens = usage["prompt_tokens"] + usage["completion_tokens"]
            text = f"asked {name}: {usage['requests']:,} requests, {tokens:,} tokens"
            text += f", cost {usage['cost']:.2f}" if usage["cost"] else ""
            console.print(text, markup=False, highlight=False)


def _print_writing(console: Console, manifest: dict[str, Any]) -> None:
    """One line about the programs that a model wrote, where one did."""
    writing = manifest["writing"]
    if writing["status"] != "run":
        return
    share = writing["accepted"] / writing["draws"] if writing["draws"] else 0.0
    text = (
        f"written by {writing['model']}: {writing['accepted']} of {writing['draws']} programs "
        f"accepted ({share:.0%}) in {writing['replies']} replies"
    )
    console.print(text, markup=False, highlight=False)


def _print_difficulty(console: Console, manifest: dict[str, Any]) -> None:
    """One line about the measured difficulty, where the recipe wants it."""
    if manifest["recipe"]["difficulty"]["model"] is None:
        return
    measured = manifest["difficulty"]
    if measured["status"] == "measured":
        text = f"difficulty: {measured['questions']} questions, measured with {measured['model']}"
    else:
        reason = manifest["environment"]["difficulty"]
        text = f"difficulty: not measured, passes are null: {reason}"
    console.print(text, markup=False, highlight=False)
