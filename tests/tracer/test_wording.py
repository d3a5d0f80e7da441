"""Answers that are no literals: what is read, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.literals import NotFaithful
from tracer.wording import (
    CHAIN,
    parse_chain,
    parse_count,
    parse_type_name,
    parse_yes_no,
)

NAMES = st.from_regex(r"[a-z_][a-z_0-9]{0,5}(\.[a-z_][a-z_0-9]{0,5})?", fullmatch=True)


@pytest.mark.parametrize("text", ["yes", "Yes.", " YES ", "`yes`", "'yes'", "True", "**yes**", "y"])
def test_yes(text: str) -> None:
    assert parse_yes_no(text) is True


@pytest.mark.parametrize("text", ["no", "No.", "`no`", '"no"', "false", "N"])
def test_no(text: str) -> None:
    assert parse_yes_no(text) is False


@pytest.mark.parametrize("text", ["", "yes and no", "not sure", "1", "none", "yes no"])
def test_neither(text: str) -> None:
    with pytest.raises(NotFaithful):
        parse_yes_no(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [("3", 3), ("`3`", 3), ("3.", 3), ("3 times", 3), ("1 time", 1), ("007", 7), ("-1", -1)],
)
def test_counts(text: str, count: int) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize("text", ["", "three", "3.0", "3 or 4", "1e3", "[3]", "9" * 10, "²"])
def test_no_counts(text: str) -> None:
    with pytest.raises(NotFaithful):
        parse_count(text)


@pytest.mark.parametrize(
    "text",
    [
        "KeyError",
        "`KeyError`",
        "KeyError.",
        "'KeyError'",
        "KeyError: 'a'",
        "KeyError('a')",
        "<class 'KeyError'>",
        "KeyError()",
    ],
)
def test_types(text: str) -> None:
    assert parse_type_name(text) == "KeyError"


def test_types_with_a_module() -> None:
    assert parse_type_name("json.decoder.JSONDecodeError") == "json.decoder.JSONDecodeError"
    assert parse_type_name("<class 'json.decoder.JSONDecodeError'>").endswith(".JSONDecodeError")


@pytest.mark.parametrize("text", ["", "3", "a KeyError", "KeyError or ValueError", "<KeyError>"])
def test_no_types(text: str) -> None:
    with pytest.raises(NotFaithful):
        parse_type_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "f > A.g > h",
        "f>A.g>h",
        "f -> A.g -> h",
        "f() > A.g() > h()",
        "f, A.g, h",
        "f → A.g → h",
        "f\nA.g\nh",
        "`f > A.g > h`",
        "`f` > `A.g` > `h`",
        "f > A.g > h.",
        "['f', 'A.g', 'h']",
        "[f, A.g, h]",
        '("f", "A.g", "h")',
    ],
)
def test_chains(text: str) -> None:
    assert parse_chain(text) == ("f", "A.g", "h")


@pytest.mark.parametrize(
    "text", ["", "f >", "> f", "f > 3", "f g", "[f", "[1, 2]", "[f()]", "f(1)"]
)
def test_no_chains(text: str) -> None:
    with pytest.raises(NotFaithful):
        parse_chain(text)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_chains_are_read_back(names: list[str]) -> None:
    assert parse_chain(CHAIN.join(names)) == tuple(names)


@given(st.text(max_size=20))
def test_nothing_but_refusals(text: str) -> None:
    for read in (parse_yes_no, parse_count, parse_type_name, parse_chain):
        try:
            read(text)
        except NotFaithful:
            continue
