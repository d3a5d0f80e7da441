"""Nearly equal programs: the library's estimate, a bounded index, the first one wins."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from factory.near_duplicates import PERMUTATIONS, SHINGLE, NearDuplicates, find_signature
from factory.normal_form import bare_tokens

BASE = """
def f(words, least):
    kept = {}
    for word in words:
        if len(word) < least:
            continue
        if word.isupper():
            kept[word.lower()] = kept.get(word.lower(), 0) + 1
        else:
            kept[word] = kept.get(word, 0) + 2
    best = max(kept.values(), default=0)
    return sorted(name for name, times in kept.items() if times == best)
"""
RENAMED = (
    BASE.replace("word", "item").replace("kept", "seen").replace("+ 2", "+ 7").replace("f(", "g(")
)
LONGER = BASE.replace("    best =", "    print(len(kept))\n    best =")
OTHER = """
def f(n):
    a, b = 0, 1
    while n:
        a, b, n = b, a + b, n - 1
    return a
"""


def runs(source: str) -> set[tuple[str, ...]]:
    tokens = bare_tokens(source, names=False)
    return {tokens[k : k + SHINGLE] for k in range(len(tokens) - SHINGLE + 1)}


def similarity(one: str, other: str) -> float:
    return len(runs(one) & runs(other)) / len(runs(one) | runs(other))


def estimate(one: str, other: str) -> float:
    pairs = zip(*(_words(find_signature(each)) for each in (one, other)), strict=True)
    return sum(a == b for a, b in pairs) / PERMUTATIONS


def _words(signature: str) -> list[str]:
    return [signature[k : k + 8] for k in range(0, len(signature), 8)]


@pytest.mark.parametrize("other", [RENAMED, LONGER, OTHER, BASE.replace("sorted", "list")])
def test_the_estimate_is_near_the_similarity(other: str) -> None:
    assert abs(estimate(BASE, other) - similarity(BASE, other)) < 0.15
    assert len(_words(find_signature(other))) == PERMUTATIONS


def test_signatures_are_the_same_everywhere() -> None:
    assert find_signature(OTHER)[:16] == "457f95019e890001"
    assert find_signature(BASE) == find_signature(RENAMED), "names and literals do not count"


def test_the_first_kept_program_is_named() -> None:
    assert 0.8 < similarity(BASE, LONGER) < 0.95
    with NearDuplicates(0.75) as near:
        assert near.find(find_signature(BASE)) is None
        near.add(find_signature(BASE), "base")
        near.add(find_signature(OTHER), "other")
        assert near.find(find_signature(RENAMED)) == "base"
        assert near.find(find_signature(LONGER)) == "base"
        near.add(find_signature(LONGER), "longer")
        assert near.find(find_signature(LONGER)) == "base"
        assert near.find(find_signature(OTHER)) == "other"
    with NearDuplicates(0.95) as strict:
        strict.add(find_signature(BASE), "base")
        assert strict.find(find_signature(LONGER)) is None
        assert strict.find(find_signature(RENAMED)) == "base"


def test_small_programs_have_a_signature() -> None:
    with NearDuplicates(0.9) as near:
        near.add(find_signature("pass"), "tiny")
        assert near.find(find_signature("pass")) == "tiny"
        assert near.find(find_signature("break_ = 1")) is None


def test_memory_does_not_grow_with_the_programs() -> None:
    rng = random.Random(0)
    with NearDuplicates(0.8) as near:
        near.add(rng.randbytes(4 * PERMUTATIONS).hex(), "first")
        tracemalloc.start()
        for number in range(1000):
            signature = rng.randbytes(4 * PERMUTATIONS).hex()
            assert near.find(signature) is None
            near.add(signature, f"program {number}")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 1_000_000
        assert near.find(signature) == "program 999"
