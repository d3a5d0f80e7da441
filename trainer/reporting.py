"""Progress of a training run: one line a log, and warnings when nothing can be learned.

Source: own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

CLIPPED = "completions/clipped_ratio"
EQUAL = "frac_reward_zero_std"
NEARLY_ALL = 0.95
PATIENCE = 5
"""Logs in a row after which a standstill is named."""
_ADVICE = {
    CLIPPED: (
        "nearly all completions reach max_completion and are cut off: their answers are missing; "
        "raise max_completion, or train on more sft first"
    ),
    EQUAL: (
        "nearly all prompts have completions of equal reward, so nothing is learned: take prompts "
        "that are easier or harder (--filter), or a higher temperature"
    ),
}


def line_of(step: int, steps: int, logs: Mapping[str, Any], parts: Sequence[str]) -> str:
    """One line about a step: the parts that were logged, in their order."""
    shown = [
        f"{name} {float(logs[name]):.4g}"
        for name in parts
        if isinstance(logs.get(name), int | float)
    ]
    return "  ".join([f"step {step}/{steps}", *shown])


def advise(name: str, value: float) -> str | None:
    """A warning with the mend, where a share is so near 1 that nothing can be learned."""
    if value < NEARLY_ALL:
        return None
    return f"warning: {name} is {value:.2f}: {_ADVICE[name]}"


class Standstill:
    """Finds runs in which nothing can be learned; each is told once."""

    def __init__(self) -> None:
        self._in_a_row = dict.fromkeys(_ADVICE, 0)

    def see(self, logs: Mapping[str, Any]) -> list[str]:
        """The advice that a log calls for."""
        found = []
        for name in _ADVICE:
            value = logs.get(name)
            if not isinstance(value, int | float):
                continue
            advice = advise(name, value)
            self._in_a_row[name] = 0 if advice is None else self._in_a_row[name] + 1
            if advice is not None and self._in_a_row[name] == PATIENCE:
                found.append(advice)
        return found


def make_reporter(say: Callable[[str], None], parts: Sequence[str]) -> Any:
    """A callback of ``transformers`` that tells every log."""
    from transformers import TrainerCallback

    standstill = Standstill()

    class Reporter(TrainerCallback):  # type: ignore[misc]
        """Tells ``say`` what the trainer logs."""

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            """One line, and advice where it is due."""
            if not logs or "train_runtime" in logs:
                return
            say(line_of(state.global_step, state.max_steps, logs, parts))
            for advice in standstill.see(logs):
                say(advice)

    return Reporter()
