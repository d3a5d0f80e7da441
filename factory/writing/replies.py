"""Reads a model's reply: the program, and the calls of its entry point."""

from __future__ import annotations

import ast
import re

from factory.records import Draft, Dropped, Origin
from factory.sources.base import Drafted
from factory.sources.code import calls_of, check_entry_point, parse_source, seed_calls
from tracer.fences import fenced_blocks
from tracer.records import Program

STAGE = "writing"
MOST_CALLS = 6
"""Calls of a reply that are taken."""
MOST_LINES = 60
"""Lines of a program that is taken; what was asked for is checked elsewhere."""
_THOUGHT = re.compile(r".*</think>", re.DOTALL)


def read_reply(reply: str, entry_point: str, origin: Origin, where: str) -> Drafted:
    """The draft that a reply gives, or the drop that says why it gives none.

    Args:
        reply: Text of the model; what it thought before is left out.
        entry_point: Function that was asked for.
        origin: Where the program comes from.
        where: How drops name the reply.
    """
    blocks = fenced_blocks(_THOUGHT.sub("", reply, count=1))
    if not blocks:
        return _refuse("no_program", where, "the reply has no block of Python")
    source = blocks[0].rstrip() + "\n"
    if source.count("\n") > MOST_LINES:
        return _refuse("too_long", where, f"the program has more than {MOST_LINES} lines")
    tree = parse_source(source, where)
    if isinstance(tree, Dropped):
        return Drafted(None, (Dropped(STAGE, tree.reason, where, tree.detail),))
    refused = check_entry_point(tree, entry_point, where)
    if refused is not None:
        return Drafted(None, (Dropped(STAGE, refused.reason, where, refused.detail),))
    try:
        asked = ast.parse("\n".join(blocks[1:]))
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        return _refuse("bad_calls", where, f"the second block is not Python: {error}")
    calls, dropped = seed_calls(calls_of(asked, entry_point), tree, where)
    if not calls:
        detail = f"the second block has no call of {entry_point} with literal arguments"
        return Drafted(None, (*dropped, Dropped(STAGE, "no_calls", where, detail)))
    return Drafted(Draft(Program(source, entry_point), origin, calls[:MOST_CALLS]), dropped)


def _refuse(reason: str, where: str, detail: str) -> Drafted:
    return Drafted(None, (Dropped(STAGE, reason, where, detail),))
