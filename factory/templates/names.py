"""Readable names for functions, parameters and variables, by type and theme."""

from __future__ import annotations

import random

from factory.constraints.types import Type
from factory.templates.themes import Theme

_ADJECTIVES = ("spare", "extra", "new", "late", "local", "first", "other", "daily")
_LOCALS = {
    "int": ("size", "score", "gap", "share", "offset", "weight", "margin", "level", "step", "rate"),
    "str": ("tag", "piece", "mark", "part", "short", "caption", "entry", "form", "stamp"),
    "bool": ("found", "ready", "matches", "is_open", "fits", "flag"),
    "float": ("ratio", "mean", "factor", "portion", "average", "rating", "scale"),
    "bytes": ("payload", "chunk", "packet", "raw", "blob", "block"),
    "complex": ("point", "signal", "phase", "vector"),
    "frozenset": ("fixed", "core", "kinds", "labels"),
    "range": ("span", "steps", "stretch", "numbers"),
    "Match": ("found", "hit", "parts"),
    "Pattern": ("pattern", "rule", "matcher"),
    "deque": ("line", "belt", "window", "backlog", "turns"),
    "Counter": ("counts", "votes", "histogram", "stock"),
    "defaultdict": ("sums", "groups", "slots", "register"),
    "OrderedDict": ("ordered", "sequence", "cache", "schedule"),
    "list": ("kept", "picked", "chosen", "pool", "queue", "rows", "basket", "lineup", "selection"),
    "dict": ("counts", "lookup", "board", "ledger", "register", "totals", "index_of"),
    "set": ("seen", "unique", "members", "group", "allowed", "distinct"),
    "tuple": ("pair", "ranking", "series", "bundle", "triple", "sequence"),
}


def singular(plural: str, theme: Theme) -> str:
    """The name of one element of what ``plural`` names."""
    if plural == theme.plural or plural.endswith(f"_{theme.plural}"):
        return theme.noun
    if plural == "radii":
        return "radius"
    if plural.endswith("ies") and plural not in ("species", "series"):
        return f"{plural[:-3]}y"
    if plural.endswith(("sses", "xes", "ches", "shes")):
        return plural[:-2]
    if plural.endswith("s") and not plural.endswith("ss") and plural not in ("species", "series"):
        return plural[:-1]
    return theme.noun


def function_names(theme: Theme, rng: random.Random) -> list[str]:
    """Names such as ``price_loaves``, in random order."""
    nouns = (theme.plural, theme.noun, f"{theme.noun}_{theme.numbers[0]}", theme.numbers[1])
    found = [f"{verb}_{noun}" for verb in theme.verbs for noun in nouns]
    rng.shuffle(found)
    return found


def _shuffled(rng: random.Random, *candidates: str) -> list[str]:
    found = list(candidates)
    rng.shuffle(found)
    return found


def parameter_names(type_: Type, theme: Theme, rng: random.Random) -> list[str]:
    """Candidates for a parameter, best first."""
    text = str(type_)
    adjectives = _shuffled(rng, *_ADJECTIVES)
    plural, numbers = theme.plural, _shuffled(rng, *theme.numbers)
    if text == "int":
        first = _shuffled(rng, *theme.limits)
    elif text == "str":
        first = _shuffled(rng, *theme.texts)
    elif text == "float":
        first = _shuffled(rng, *(f"{each}_rate" for each in theme.limits[:2]), "ratio", "factor")
    elif text == "bytes":
        first = _shuffled(rng, f"{theme.noun}_data", "payload", "packet")
    elif text.startswith("frozenset"):
        first = _shuffled(rng, f"fixed_{plural}", f"{theme.noun}_kinds", "allowed")
    elif text == "bool":
        first = _shuffled(rng, "strict", "reverse", "urgent", "verbose")
    elif text == "list[str]":
        first = [plural, *(f"{each}_{plural}" for each in adjectives)]
    elif text in ("list[int]", "tuple[int, ...]"):
        first = [*numbers, *(f"{each}_{numbers[0]}" for each in adjectives)]
    elif text == "dict[str, int]":
        first = _shuffled(rng, *theme.tables, f"{numbers[0]}_by_{theme.noun}")
    elif text == "dict[str, str]":
        first = [f"{theme.role}_by_{theme.noun}", f"{theme.noun}_labels"]
    elif text == "set[str]":
        first = _shuffled(rng, f"known_{plural}", f"wanted_{plural}", f"rare_{plural}")
    elif text == "set[int]":
        first = _shuffled(rng, f"valid_{numbers[0]}", f"marked_{numbers[1]}", "allowed_values")
    elif text == "tuple[str, ...]":
        first = _shuffled(rng, f"ranked_{plural}", f"{theme.noun}_order", f"top_{plural}")
    else:
        first = [f"{theme.noun}_groups", f"{theme.noun}_rows"]
    return [*first, *(f"{each}_{first[0]}" for each in adjectives)]


def local_names(type_: Type, theme: Theme, rng: random.Random) -> list[str]:
    """Candidates for a local variable, best first."""
    found = _shuffled(rng, *_LOCALS.get(type_.name, ("result", "outcome", "value")))
    if rng.random() < 0.35 and type_.name in ("int", "str"):
        found.insert(0, f"{theme.noun}_{found[0]}")
    return found + [f"{each}_{found[0]}" for each in _ADJECTIVES]


def element_names(source: str, theme: Theme, rng: random.Random, type_: Type) -> list[str]:
    """Candidates for the variable of a loop over ``source``, best first."""
    if type_.name == "str":
        extra = (theme.noun, "name", "word", "item")
    elif type_.name == "int":
        extra = ("value", "amount", "number", "quantity")
    else:
        extra = ("entry", "record", "group", "bundle")
    return [singular(source, theme), *_shuffled(rng, *extra), *(f"next_{each}" for each in extra)]
