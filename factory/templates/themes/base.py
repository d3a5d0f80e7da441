"""What a theme holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """The vocabulary of one setting."""

    noun: str
    plural: str
    role: str
    """Who or what owns one of them: keys of ``role_by_noun``."""
    verbs: tuple[str, ...]
    """Begin function names."""
    numbers: tuple[str, ...]
    """Plural nouns of quantities."""
    limits: tuple[str, ...]
    """Names of single numbers."""
    texts: tuple[str, ...]
    """Names of single strings."""
    tables: tuple[str, ...]
    """Names of mappings from a word to a number."""
    words: tuple[str, ...]
    """String values, of mixed lengths."""


def theme(
    nouns: str, verbs: str, numbers: str, limits: str, texts: str, tables: str, words: str
) -> Theme:
    """A theme from words with spaces between them; ``nouns`` is noun, plural and role."""
    noun, plural, role = nouns.split()
    return Theme(
        noun,
        plural,
        role,
        tuple(verbs.split()),
        tuple(numbers.split()),
        tuple(limits.split()),
        tuple(texts.split()),
        tuple(tables.split()),
        tuple(words.split()),
    )
