"""Which functions are open when a line is executed.

Program (lines 1 to 6)::

    def half(n):
        return n // 2

    def f(n):
        m = half(n)
        return m

call ``f(6)``: "While `f(6)` runs, line 2 (`return n // 2`) is executed for the 1st time. Which
functions of the program are open at that moment?", key ``f > half``.

The chain follows each activation to the step that called it. A generator may go on under another
caller than the one that began it, so no chain with a generator in it is asked, nor one with a class
body, nor one of more than ten functions. Lines of the called function itself are asked only where
the function is open at several depths. Names are qualified (``Stack.push``); short ones are right
too where no two functions of the program share one.

Source: own.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TypeAlias

from tracer.inside.sites import FUNCTIONS
from tracer.questions.base import (
    COUNTING,
    ENDED,
    Context,
    QuestionKind,
    correct,
    incorrect,
    line_text,
    ordinal,
    run_text,
    runs_elsewhere,
    shared_lines,
    spread,
    unparsed,
)
from tracer.records import Question, Step, Trace, Verdict
from tracer.structure import Structure, structure_of
from tracer.values import NotFaithful
from tracer.wording import CHAIN, CHAIN_FORM, parse_chain

MOST_OPEN = 10
"""Longest chain that is asked."""

_Chain: TypeAlias = tuple[int, ...]
"""Numbers of activations, outermost first."""


def derive(trace: Trace, rng: random.Random, limit: int) -> tuple[Question, ...]:
    """Up to ``limit`` questions, no two about the same statement below the same functions."""
    structure = structure_of(trace)
    if structure is None:
        return ()
    shared = shared_lines(trace)
    chains = _chains(trace, structure)
    groups: dict[tuple[int, tuple[str, ...]], list[tuple[Step, tuple[str, ...]]]] = {}
    depths: dict[int, set[int]] = {}
    for step in trace.steps:
        chain = chains[step.activation]
        if chain is None or step.line in shared or len(chain) != step.depth + 1:
            continue
        if not runs_elsewhere(trace, trace.statements[step.stmt]):
            names = _names(trace, chain)
            depths.setdefault(step.stmt, set()).add(step.depth)
            if 0 < len(names) <= MOST_OPEN:
                groups.setdefault((step.stmt, names), []).append((step, names))
    asked = [
        group
        for (stmt, names), group in groups.items()
        if len(names) > 1 or len(depths[stmt]) > 1 or trace.program.entry_point is None
    ]
    chosen = spread(asked, limit, rng, lambda _: True)
    chosen.sort(key=lambda pair: pair[0].index)
    short = _short_names(structure)
    return tuple(_ask(trace, step, names, short) for step, names in chosen)


def _chains(trace: Trace, structure: Structure) -> list[_Chain | None]:
    """For each activation those open while it runs; ``None`` where that may change or is unclear.

    An activation's caller has a smaller number: activations are numbered by their first step.
    """
    first: dict[int, Step] = {}
    for step in trace.steps:
        first.setdefault(step.activation, step)
    chains: list[_Chain | None] = []
    for activation in trace.activations:
        parent: _Chain | None = ()
        if activation.parent_step is not None:
            parent = chains[trace.steps[activation.parent_step].activation]
        owner = structure.owners[first[activation.activation].stmt]
        fixed = owner is None or (
            isinstance(structure.nodes[owner], FUNCTIONS) and owner not in structure.generators
        )
        chains.append((*parent, activation.activation) if parent is not None and fixed else None)
    return chains


def _names(trace: Trace, chain: _Chain) -> tuple[str, ...]:
    names = (trace.activations[activation].function for activation in chain)
    return tuple(name for name in names if name != "<module>")


def _short_names(structure: Structure) -> Counter[str]:
    """How many functions of the program have each name."""
    return Counter(node.name for node in structure.nodes if isinstance(node, FUNCTIONS))


def _ask(trace: Trace, step: Step, names: tuple[str, ...], functions: Counter[str]) -> Question:
    text = (
        f"While {run_text(trace)} runs, {line_text(trace, step.line)} is executed for the "
        f"{ordinal(step.occurrence)} time. Which functions of the program are open at that moment "
        "(called, and not yet left)?\n"
        f"{COUNTING} Begin with the outermost function and end with the one that the line belongs "
        "to; a function that is open several times is named as many times. Leave out lambdas, "
        "comprehensions and functions of Python itself. "
        f"{CHAIN_FORM}, such as `main{CHAIN}helper`; a method as `Class.method`."
    )
    short = tuple(name.rpartition(".")[2] for name in names)
    clear = short != names and all(functions[name] == 1 for name in short)
    return Question(
        kind=KIND.name,
        text=text,
        key=CHAIN.join(names),
        valid=(CHAIN.join(short),) if clear else (),
        stmt=step.stmt,
        line=step.line,
        occurrence=step.occurrence,
        step=step.index,
    )


def check(question: Question, answer: str, context: Context) -> Verdict:
    """Compare the names, one by one."""
    try:
        names = parse_chain(answer)
    except NotFaithful as error:
        return unparsed(question, answer, error)
    if any(names == parse_chain(key) for key in (question.key, *question.valid)):
        return correct(question, answer)
    return incorrect(question, answer, "other functions are open")


KIND = QuestionKind("call_stack", derive, check, ENDED)
