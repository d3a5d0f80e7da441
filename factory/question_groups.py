"""Question kinds by what they are about: the order of a run's steps, or its variables.

Source: https://arxiv.org/abs/2603.11226 (control flow and data flow); the kinds beyond the paper's
are sorted by us.
"""

from __future__ import annotations

CONTROL_FLOW = frozenset({"next_statement", "executed", "branch", "loop_count", "call_stack"})
DATA_FLOW = frozenset({"variable_state", "alias"})


def kind_group(kind: str) -> str | None:
    """``control_flow`` or ``data_flow``; ``None`` for questions about a whole call."""
    if kind in CONTROL_FLOW:
        return "control_flow"
    return "data_flow" if kind in DATA_FLOW else None
