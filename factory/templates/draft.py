"""Draws a draft for a cell: blueprint, program text, constraint, seed calls; checked."""

from __future__ import annotations

import random
from collections.abc import Sequence

from factory.constraints import check_static
from factory.constraints.analysis import analyse
from factory.constraints.catalogue import nests
from factory.constraints.control_flow import deepest_nest
from factory.grid import FEATURES, Cell
from factory.records import Constraint, Draft, Dropped, Origin
from factory.templates.base import Template
from factory.templates.chain import write_chain, write_plain
from factory.templates.names import function_names
from factory.templates.taste import find_oddity
from factory.templates.themes import THEMES
from factory.templates.values import SEEDS, literal_text
from factory.templates.writer import Unwritable, Variable, Writer
from tracer.records import Call, Program

_ATTEMPTS = 20
_PATIENT = 15
"""Attempts that keep to the usual width; some targets cannot be nested in so short a line."""
CHAINED = 6
"""The level with a helper chain."""
_LICENCE = "Apache-2.0"
_LEAST_LINES = 3
_MOST_LINES = 25
_WIDEST, _WIDEST_AT_LAST = 150, 250
"""Characters of the longest line, and in the last attempts."""
_OTHERS = 2
_LOOPS = ("for", "for", "for", "for", "while")
_BRANCHES = ("if", "if", "if", "if-elif")


def draw_blueprint(level: int, rng: random.Random) -> tuple[str, ...]:
    """Kinds of nested control statements, outermost first; none below level 3.

    Two or more always hold a loop, and at most one branch stands outside it.
    """
    depth = max(0, min(level, 5) - 2)
    if depth < 2:
        return tuple(rng.choice((*_LOOPS, *_BRANCHES)) for _ in range(depth))
    kinds = [rng.choice((rng.choice(_LOOPS), rng.choice(_BRANCHES))) for _ in range(depth)]
    if not {"for", "while"} & set(kinds[:2]):
        kinds[rng.randrange(2)] = rng.choice(_LOOPS)
    return tuple(kinds)


def _seed_calls(parameters: Sequence[Variable]) -> tuple[Call, ...]:
    texts = [
        ", ".join(literal_text(each.samples[place]) for each in parameters)
        for place in range(SEEDS)
    ]
    return tuple(Call(text) for text in dict.fromkeys(texts))


def _others(w: Writer, program: Program) -> tuple[str, ...]:
    """Other methods that surely run with their statements, in the order in which they came up."""
    sites = [site for function in analyse(program).reachable() for site in function.sites]
    certain = {f"{site.type}.{site.method}" for site in sites if site.certain}
    return tuple([used for used in w.others if used in certain][:_OTHERS])


def write_draft(cell: Cell, template: Template, rng: random.Random, widest: int = _WIDEST) -> Draft:
    """One attempt, unchecked, whose lines have at most ``widest`` characters.

    Raises:
        Unwritable: the template came to a place where nothing fits.
    """
    theme = rng.choice(THEMES)
    depth = 2 if rng.random() < 0.8 else 3
    w = Writer(rng, theme, cell, depth if nests(cell.type, cell.method) else 1)
    feature = FEATURES.get(cell.level)
    w.blueprint = draw_blueprint(cell.level, rng)
    titles = function_names(theme, rng)
    w.spare_titles = titles[3:]
    if cell.level == CHAINED:
        parameters = write_chain(w, template, titles[:3])
    else:
        parameters = write_plain(w, template, titles[0])
    if not parameters:
        raise Unwritable("the program takes no argument")
    program = Program(w.text(), titles[0])
    lines = sum(1 for line in program.source.splitlines() if line)
    if not _LEAST_LINES <= lines <= _MOST_LINES:
        raise Unwritable(f"{lines} lines")
    oddity = find_oddity(program.source)
    if oddity is not None:
        raise Unwritable(oddity)
    width = max(map(len, program.source.splitlines()))
    if width > widest:
        raise Unwritable(f"a line of {width} characters")
    constraint = Constraint(
        type=cell.type,
        method=cell.method,
        nested_depth=w.depth,
        other_methods=_others(w, program) if cell.level >= 2 else (),
        control_flow=deepest_nest(analyse(program)) if feature else w.blueprint,
        helper_chain=cell.level == CHAINED,
        level=cell.level,
        feature=feature,
    )
    return Draft(
        program=program,
        origin=Origin("template", template=template.name, constraint=constraint, licence=_LICENCE),
        calls=_seed_calls(parameters),
    )


def draw(cell: Cell, templates: Sequence[Template], rng: random.Random) -> Draft | Dropped:
    """A draft whose text keeps its constraint, or the reason why none came about."""
    usable = [template for template in templates if cell.level in template.levels]
    reason, detail = "unwritable", "no template writes this level"
    for attempt in range(_ATTEMPTS if usable else 0):
        template = rng.choice(usable)
        widest = _WIDEST if attempt < _PATIENT else _WIDEST_AT_LAST
        try:
            draft = write_draft(cell, template, rng, widest)
        except Unwritable as error:
            reason, detail = "unwritable", f"{template.name}: {error}"
            continue
        constraint = draft.origin.constraint
        assert constraint is not None
        violations = check_static(draft.program, constraint)
        if not violations:
            return draft
        reason, detail = violations[0].constraint, f"{template.name}: {violations[0].reason}"
    return Dropped("constraint", reason, str(cell), detail)
