"""The forms of sentences that a checker reads, as a model is told them: slots in capitals.

Source: own.
"""

from __future__ import annotations

from factory.reasoning.claims import WITHOUT, WORDINGS
from factory.reasoning.plans import sentences as plans

_NAMES = {"bindings": "`NAME`", "reasons": "`NAME`"}


def sentence_forms() -> str:
    """The forms of claims about a run, one a line."""
    lines = [
        f"- {_form(choices[0])}"
        for kind, choices in (*WORDINGS.items(), *WITHOUT.items())
        if kind not in ("try", "found", "answer")
    ]
    return "\n".join(dict.fromkeys(lines))


def plan_forms() -> str:
    """The forms of steps of a plan, one a line."""
    return "\n".join(
        f"- {_plan_form(choices[0])}" for kind, choices in plans.WORDINGS.items() if kind != "block"
    )


def _form(wording: str) -> str:
    text = wording
    for slot, name in _NAMES.items():
        for link, shown in (("=", " = "), ("is", " is "), ("to", " to ")):
            text = text.replace(f"{{{slot}:{link}}}", f"{name}{shown}`VALUE`")
    text = text.replace("{number:pass}", "3 passes").replace("{holds}", "true")
    for slot in ("call", "condition", "function", "value"):
        text = text.replace(f"{{{slot}}}", f"`{slot.upper()}`")
    for slot in ("line", "number", "upto"):
        text = text.replace(f"{{{slot}}}", slot.upper())
    return text


def _plan_form(wording: str) -> str:
    for slot in ("call", "name", "text"):
        wording = wording.replace(f"{{{slot}}}", f"`{slot.upper()}`")
    return wording
