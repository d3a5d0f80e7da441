"""Bars and curves as SVG: what they say, how long a bar is, and that no label is markup."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cards
from cards.curves import curve_svg
from cards.plots import Bar, Plot, levels_in_order, plots

SVG = "{http://www.w3.org/2000/svg}"
LABELS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


@given(st.lists(st.tuples(LABELS, st.integers(0, 10**9)), min_size=1, max_size=8), LABELS)
def test_bars_are_as_long_as_their_numbers(rows: list[tuple[str, int]], title: str) -> None:
    plot = Plot("x", title, tuple(Bar(label, (number,)) for label, number in rows))
    root = ET.fromstring(plot.as_file())
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert texts[0] == title
    assert texts[2::2] == [f"{number:,}" for _, number in rows]
    widths = [float(rect.attrib["width"]) for rect in root.iter(f"{SVG}rect")]
    longest = max(number for _, number in rows)
    for width in widths:
        assert 0 < width <= max(widths)
    if longest:
        expected = [max(widths) * number / longest for _, number in rows]
        assert widths == pytest.approx([each for each in expected if round(each, 1)], abs=0.11)
    assert all(f"{number:,}" in root.attrib["aria-label"] for _, number in rows)


def test_two_parts_and_a_legend() -> None:
    plot = Plot("x", "t", (Bar("a", (1, 3)), Bar("b", (2, 0))), ("filled", "empty"))
    root = ET.fromstring(plot.as_element())
    kinds = [rect.attrib["class"] for rect in root.iter(f"{SVG}rect")]
    assert kinds == ["plot-bar", "plot-soft", "plot-bar", "plot-bar", "plot-soft"]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts == ["t", "a", "1 of 4", "b", "2 of 2", "filled", "empty"]
    assert root.find(f"{SVG}style") is None
    assert ET.fromstring(plot.as_file()).find(f"{SVG}style") is not None


def test_a_plot_without_numbers_is_left_out() -> None:
    counts = {
        "programs": {"by_level": {}},
        "questions": {"by_kind": {"output": 3}},
        "traces": {"by_length": {"0-5": 1}},
    }
    found = plots({"counts": counts, "grid": {"possible": 0, "filled": 0, "impossible": []}})
    assert [plot.name for plot in found] == ["question_kinds", "trace_lengths"]
    assert isinstance(found[0], cards.Plot)


def test_levels_stand_in_the_order_of_their_numbers() -> None:
    order = levels_in_order({"1": 5, "10": 6, "13": 7, "2": 8, "none": 9})
    assert list(order.items()) == [("1", 5), ("2", 8), ("10", 6), ("13", 7), ("none", 9)]


def test_a_curve_reaches_from_corner_to_corner() -> None:
    root = ET.fromstring(curve_svg("loss <&>", [(0, 2.0), (5, 1.5), (10, 1.0)]))
    line = root.find(f"{SVG}polyline")
    assert line is not None
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    (x0, y0), (x1, y1), (x2, y2) = points
    assert x1 == pytest.approx((x0 + x2) / 2)
    assert y1 == pytest.approx((y0 + y2) / 2)
    assert y0 < y2
    assert "from 2 at step 0 to 1 at step 10" in root.attrib["aria-label"]


@pytest.mark.parametrize("points", [[(3, 1.0)], [(3, 1.0), (9, 1.0)]])
def test_a_flat_curve(points: list[tuple[int, float]]) -> None:
    assert "polyline" in curve_svg("x", points)


def test_no_points_are_refused() -> None:
    with pytest.raises(ValueError, match="no points"):
        curve_svg("x", [])
