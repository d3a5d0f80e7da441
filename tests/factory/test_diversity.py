from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from factory.diversity import BLOCK, CRUXEVAL, CRUXEVAL_NESTING, Diversity

ONE = "def f(a):\n    return a + 1\n"
OTHER_NAMES = "def total(price):\n    return price + 250\n"
LOOP = (
    "def f(xs):\n    n = 0\n\n    for x in xs:\n        if x:\n            n += x\n    return n\n"
)


def measured(*sources: str) -> dict[str, float]:
    diversity = Diversity()
    for source in sources:
        diversity.add(source)
    return {name: pair["build"] for name, pair in diversity.report()["measures"].items()}


def test_nothing_is_measured_of_nothing() -> None:
    assert Diversity().report() == {"programs": 0, "measures": {}}


def test_names_and_literals_do_not_make_a_skeleton() -> None:
    assert measured(ONE, OTHER_NAMES)["largest_skeleton_share"] == 1
    assert measured(ONE, LOOP)["largest_skeleton_share"] == 0.5
    assert measured(ONE, OTHER_NAMES, LOOP)["largest_skeleton_share"] == 0.6667


def test_lines_are_counted_without_blank_ones_and_weighed_by_nesting() -> None:
    found = measured(ONE, LOOP)
    assert found["lines"] == found["lines_per_function"] == 4
    flat, deep = CRUXEVAL_NESTING[0], CRUXEVAL_NESTING[2]
    assert found["lines_at_equal_nesting"] == round((2 * flat + 6 * deep) / (flat + deep), 4)
    both = ONE + "\n\n" + OTHER_NAMES.replace("total", "g")
    assert measured(both)["lines_per_function"] == 2
    assert measured(both)["lines"] == 4
    assert measured(f"import math\n\n\n{LOOP}")["lines_at_equal_nesting"] == 6


def test_compression_is_that_of_all_sources_in_a_row() -> None:
    text = "".join(f"{source}\n" for source in (ONE, LOOP, ONE)).encode()
    ratio = len(text) / len(zlib.compress(text, 6))
    assert measured(ONE, LOOP, ONE)["compression_ratio"] == round(ratio, 4)


def test_four_grams_are_those_of_full_blocks() -> None:
    kinds = ["FunctionDef", "arguments", "arg", "Return", "BinOp", "Name", "Add", "Constant"]
    assert measured(ONE)["four_grams"] == len(kinds) - 3
    whole = measured(*[ONE] * BLOCK, LOOP)
    assert whole["four_grams"] == len(kinds) - 3
    two = measured(*[ONE] * BLOCK, *[LOOP] * BLOCK)
    assert two["four_grams"] > len(kinds) - 3


def test_a_report_does_not_change_what_comes_after_it() -> None:
    one, other = Diversity(), Diversity()
    for source in (ONE, LOOP, OTHER_NAMES):
        one.add(source)
        one.report()
        other.add(source)
    assert one.report() == other.report()


def test_the_most_frequent_skeleton_is_found_among_very_many() -> None:
    diversity = Diversity()
    for number in range(6_000):
        diversity.add("".join(f"x = {'-' * int(bit)}1\n" for bit in f"{number:b}"))
        if number % 3 == 0:
            diversity.add(LOOP)
    share = diversity.report()["measures"]["largest_skeleton_share"]["build"]
    assert 0.25 <= share <= 0.25 + 1 / 4096


@given(st.lists(st.sampled_from([ONE, OTHER_NAMES, LOOP]), min_size=1, max_size=12))
def test_shares_and_counts_stay_in_their_bounds(sources: list[str]) -> None:
    found = measured(*sources)
    assert set(found) == set(CRUXEVAL)
    assert 1 / len(sources) <= found["largest_skeleton_share"] + 1e-4 <= 1 + 1e-4
    assert 2 <= found["lines"] <= 6
    assert found == measured(*sources)
