"""What a program of a cell must be, drawn before it is written, and told in words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from factory.constraints.analysis import analyse
from factory.constraints.catalogue import nests, targets
from factory.constraints.control_flow import deepest_nest
from factory.grid import FEATURES, Cell
from factory.records import Constraint
from factory.templates.draft import CHAINED, draw_blueprint
from factory.templates.names import function_names
from factory.templates.themes import THEMES
from tracer.records import Program

OTHER_TYPES = ("str", "list", "dict", "set", "int")
"""Types whose methods are asked for beside the target."""
_FORMS_SHOWN = 3
_HEADERS = {
    "for": "a `for` loop",
    "while": "a `while` loop",
    "if": "an `if` without `elif` or `else: if`",
    "if-elif": "an `if` with an `elif`",
}
_FEATURES = {
    "comprehensions": "a variable holds a list, set or dict comprehension with a condition or a "
    "second `for`, which gives two elements or more",
    "aliasing": "one mutable object has two names: it is changed in place through one of them and "
    "then read through the other",
    "recursion": "a function calls itself, so that three calls of it are open at once",
    "exceptions": "a `try` with an `except` that names a built-in exception: some of the three "
    "calls raise and handle it, others do not",
    "closures": "an inner function reads or changes (`nonlocal`) a variable of the function around "
    "it; it runs at least twice, and the variable differs each time",
    "generators": "a generator function of the program, with `yield`, goes on after a `yield` at "
    "least twice",
    "classes": "a class of the program is instantiated, and its methods (other than `__init__`) "
    "run at least twice",
}


@dataclass(frozen=True, slots=True)
class Brief:
    """What one program is to be."""

    constraint: Constraint
    """Its control flow is that of the program where the cell leaves it open (:func:`settle`)."""
    theme: str
    entry_point: str


def draw_brief(cell: Cell, rng: random.Random) -> Brief:
    """The brief of one draw; a pure function of the cell and the state of ``rng``."""
    theme = rng.choice(THEMES)
    constraint = Constraint(
        type=cell.type,
        method=cell.method,
        nested_depth=2 if nests(cell.type, cell.method) else 1,
        other_methods=(_draw_other(cell, rng),) if cell.level >= 2 else (),
        control_flow=() if cell.level in FEATURES else draw_blueprint(cell.level, rng),
        helper_chain=cell.level == CHAINED,
        level=cell.level,
        feature=FEATURES.get(cell.level),
    )
    return Brief(constraint, theme.plural.replace("_", " "), function_names(theme, rng)[0])


def _draw_other(cell: Cell, rng: random.Random) -> str:
    """Another plain method; of types that programs are made of."""
    type_ = rng.choice(OTHER_TYPES)
    found = [
        label
        for label in targets(type_)
        if label.isidentifier() and (type_, label) != (cell.type, cell.method)
    ]
    return f"{type_}.{rng.choice(found)}"


def settle(constraint: Constraint, program: Program) -> Constraint:
    """The constraint with the program's own nesting, where the cell leaves the nesting open.

    Raises:
        factory.constraints.analysis.NotReadable: The program cannot be read.
    """
    if constraint.feature is None:
        return constraint
    return replace(constraint, control_flow=deepest_nest(analyse(program)))


def tell_rules(constraint: Constraint) -> str:
    """The constraint as a list of rules in English."""
    return "\n".join(f"- {rule}" for rule in _rules(constraint))


def _rules(constraint: Constraint) -> Iterator[str]:
    target = targets(constraint.type)[constraint.method]
    forms = [form.lstrip("!=").replace("_full", "_") for form in target.forms[:_FORMS_SHOWN]]
    shown = ", ".join(f"`{' '.join(form.split())}`" for form in forms)
    yield (
        f"It uses {_name(constraint)} in code that surely runs, written like {shown}; there `_` "
        f"stands for the {constraint.type} and capitals for other values."
    )
    if constraint.nested_depth > 1:
        yield (
            f"One expression holds {constraint.nested_depth} uses of it, one inside another or one "
            "on the result of another."
        )
    for other in constraint.other_methods:
        yield f"It also calls the method `{other}` on a value of its type, in code that runs."
    if constraint.feature is not None:
        yield f"It shows {constraint.feature}: {_FEATURES[constraint.feature]}."
    elif not constraint.control_flow:
        yield "It has no `if`, `for`, `while`, `try`, `with` or `match` statement."
    else:
        nest = ", in its body ".join(_HEADERS[kind] for kind in constraint.control_flow)
        depth = len(constraint.control_flow)
        yield (
            f"Some function has {nest}; no function nests control statements deeper than {depth}. "
            "In one of the calls each loop runs its body at least twice, and over the three calls "
            "every condition of the nest is true at some time and false at another."
        )
    if constraint.helper_chain:
        yield "The entry point calls a second function, and that one calls a third, in every call."


def _name(constraint: Constraint) -> str:
    type_, label = constraint.type, constraint.method
    if label.endswith("()"):
        return f"the built-in function `{label[:-2]}` on a {type_}"
    if label.isidentifier():
        return f"`{type_}.{label}`"
    return f"`{label}` of {type_}"
