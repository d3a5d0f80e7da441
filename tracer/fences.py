"""Code fences around an answer, as Markdown has them: indented or never closed ones too.

Source: own.
"""

from __future__ import annotations

import re
import textwrap

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*[\w+.-]*[ \t]*")


def fenced_blocks(text: str) -> list[str]:
    """The fenced blocks of a text, each without its common indentation.

    A block that is never closed ends with the text.
    """
    blocks: list[list[str]] = []
    fence = ""
    for line in text.splitlines():
        match = _FENCE.fullmatch(line)
        if not fence and match:
            fence = match[1]
            blocks.append([])
        elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        elif fence:
            blocks[-1].append(line)
    return [textwrap.dedent("\n".join(block)).strip("\n").rstrip() for block in blocks]


def unfence(text: str) -> str:
    """Take the last fenced block out of a text; without a fence the text itself is meant.

    Then blanks and single backticks around it are taken off.
    """
    blocks = fenced_blocks(text)
    if blocks:
        return blocks[-1]
    text = text.strip()
    ticks = len(text) - len(text.lstrip("`"))
    inner = text[ticks:-ticks] if ticks and text.endswith("`" * ticks) else text
    return inner.strip() if "`" not in inner else text
