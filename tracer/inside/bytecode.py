"""The few facts about an instruction that trace events do not tell.

``at`` is a frame's ``f_lasti``: a byte offset into ``co_code``. When a generator yields, 3.13
stands behind the yield already, at the RESUME that follows it; the other versions at the yield.
"""

from __future__ import annotations

import opcode

_RETURNS = frozenset(
    opcode.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opcode.opmap
)
_YIELD, _RESUME = opcode.opmap["YIELD_VALUE"], opcode.opmap["RESUME"]
_EXTENDED = opcode.opmap["EXTENDED_ARG"]
_CONSUMERS = frozenset(
    opcode.opmap[name]
    for name in ("FOR_ITER", "END_FOR", "SEND", "END_SEND")
    if name in opcode.opmap
)
_IN_YIELD_FROM = 2
"""Argument of the RESUME that follows the yield of a ``yield from``."""


def returns(code: bytes, at: int) -> bool:
    """Tell whether the frame leaves by a return."""
    return code[at] in _RETURNS


def yields(code: bytes, at: int) -> bool:
    """Tell whether the frame stands at a yield."""
    return code[at] == _YIELD or (code[at] == _RESUME and at >= 2 and code[at - 2] == _YIELD)


def delegates(code: bytes, at: int) -> bool:
    """Tell whether the frame stands at the yield of a ``yield from``."""
    resume = at + 2 if code[at] == _YIELD else at
    return code[resume] == _RESUME and code[resume + 1] & 3 == _IN_YIELD_FROM


def consumes_stop(code: bytes, at: int) -> bool:
    """Tell whether a StopIteration here is the end of a loop or of a ``yield from``."""
    while code[at] == _EXTENDED:
        at += 2  # a long jump: 3.13 stands at the prefix of its argument
    return code[at] in _CONSUMERS or delegates(code, at)
