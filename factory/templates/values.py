"""Seed values of parameters: three for each, of different sizes, in the theme's words."""

from __future__ import annotations

import random
from typing import Any

from factory.constraints.types import BOOL, BYTES, FLOAT, INT, STR, Type
from factory.templates.themes import Theme

SEEDS = 3
"""Calls that a template gives its program."""

_SEPARATORS = (" ", "-", ", ", "_")


def literal_text(value: Any) -> str:
    """A plain value as source text; sets in sorted order."""
    if isinstance(value, frozenset):
        return f"frozenset({literal_text(set(value)) if value else ''})"
    if isinstance(value, set):
        return "{" + ", ".join(map(repr, sorted(value))) + "}" if value else "set()"
    return repr(value)


def _cased(word: str, rng: random.Random) -> str:
    return rng.choice((word, word, word.title(), word.upper()))


def _phrase(theme: Theme, rng: random.Random, size: int) -> str:
    separator = rng.choice(_SEPARATORS)
    return separator.join(_cased(word, rng) for word in rng.sample(theme.words, size))


def _draw(type_: Type, theme: Theme, rng: random.Random, size: int) -> Any:
    if type_ == INT:
        return rng.randint(1, 4) + 4 * (size - 2)
    if type_ == STR:
        return _phrase(theme, rng, max(1, size - 2))
    if type_ == BOOL:
        return size % 2 == 0
    if type_ == FLOAT:
        return round(rng.uniform(0.5, 4.0) * size, rng.choice((1, 1, 2)))
    if type_ == BYTES:
        return _phrase(theme, rng, max(1, size - 2)).encode()
    if type_.name == "dict":
        keys = rng.sample(theme.words, size)
        return {key: _single(type_.args[1], theme, rng) for key in keys}
    items = [_single(type_.args[0], theme, rng) for _ in range(size)]
    if type_.name == "list" and size > 3 and rng.random() < 0.5:
        items[-1] = items[0]
    if type_.name in ("set", "frozenset"):
        return set(items) if type_.name == "set" else frozenset(items)
    return tuple(items) if type_.name == "tuple" else items


def _single(type_: Type, theme: Theme, rng: random.Random) -> Any:
    if type_ == INT:
        return rng.randint(1, 24) if rng.random() < 0.9 else -rng.randint(1, 9)
    if type_ == STR:
        return rng.choice(theme.words)
    if type_ == FLOAT:
        return round(rng.uniform(-3.0, 24.0), 1)
    return _draw(type_, theme, rng, rng.randint(2, 3))


def draw_seeds(type_: Type, theme: Theme, rng: random.Random) -> tuple[Any, ...]:
    """Three values of ``type_``; sizes (and with them numbers) clearly differ."""
    sizes = [2, 4, 5] if rng.random() < 0.5 else [3, 4, 6]
    rng.shuffle(sizes)
    return tuple(_draw(type_, theme, rng, size) for size in sizes)
