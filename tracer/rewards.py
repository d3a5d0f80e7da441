"""Rewards as pure functions of verdicts.

Every function is total, bounded and blind to the batch: one completion's verdicts give one
:class:`Reward`. A failure of ours (verdict ``infrastructure``) gives ``total = None``, never a low
reward; trainers leave such a row out.

Stage I is that of ExecVerify (https://arxiv.org/abs/2603.11226), the consistency gate of stage II
that of ReCode's CG-GRPO, whose process reward is in [0, 1] and is paid only where all tests pass.
An unparsed or missing answer earns nothing.

Source: https://arxiv.org/abs/2603.11226
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tracer.answers import Layout, read_reply
from tracer.records import Verdict

Credit: TypeAlias = Literal["strict", "fractional"]

ALPHA = 0.5
"""Share of the white-box questions in stage I, as in the paper."""
FULL_MARKS = 2.0
"""Most that stage I pays."""


@dataclass(frozen=True, slots=True)
class Reward:
    """What one completion earns."""

    total: float | None
    """``None``: it could not be judged, for no fault of the model."""
    parts: tuple[tuple[str, float | None], ...] = ()
    """The components by name, unweighted; ``None`` where one is missing or not judged."""
    reason: str = ""
    """Why the total is ``None``, for a person."""

    def part(self, name: str) -> float | None:
        """A component by its name.

        Raises:
            KeyError: The reward has no such component.
        """
        return dict(self.parts)[name]


def answer_reward(verdict: Verdict) -> Reward:
    """1 for a correct answer, 0 for any other.

    Source: own.
    """
    value = _value(verdict)
    return Reward(value, (("answer", value),), verdict.reason if value is None else "")


def stage1_reward(
    io: Sequence[Verdict],
    white: Sequence[Verdict] = (),
    *,
    alpha: float = ALPHA,
    gate: bool = False,
) -> Reward:
    """``2 ((1 - alpha) R_io + alpha R_white)``, in [0, 2].

    ``R_io`` and ``R_white`` are the shares of correct answers to the input/output questions and to
    the white-box questions. Where only one of the two groups was asked, it decides alone.

    Args:
        io: Verdicts on ``output`` (and ``input``) questions.
        white: Verdicts on all other questions.
        alpha: Weight of ``R_white``, in [0, 1].
        gate: Pay nothing unless every input/output answer is correct, as the authors' released
            code does; off by default, as in the paper.

    Raises:
        ValueError: ``alpha`` is outside [0, 1].

    Source: https://arxiv.org/abs/2603.11226 (stage I; R_io, R_white, alpha).
    """
    if not 0.0 <= alpha <= 1.0:
        raise ValueError(f"alpha must be in [0, 1], not {alpha}")
    r_io, r_white = _share(io), _share(white)
    parts = (("io", r_io), ("white", r_white))
    failed = _failure((*io, *white))
    if failed:
        return Reward(None, parts, failed)
    if r_io is None and r_white is None:
        return Reward(None, parts, "no question was asked")
    if gate and r_io is not None and r_io < 1.0:
        return Reward(0.0, parts)
    if r_white is None or r_io is None:
        alone = r_io if r_io is not None else r_white
        return Reward(FULL_MARKS * (alone or 0.0), parts)
    return Reward(FULL_MARKS * ((1.0 - alpha) * r_io + alpha * r_white), parts)


def reverse_reward(verdict: Verdict) -> Reward:
    """For the reverse prompt (find the input), on the scale of stage I: 2 or 0.

    Source: https://arxiv.org/abs/2603.11226 (stage I, output to input).
    """
    value = _value(verdict)
    total = None if value is None else FULL_MARKS * value
    return Reward(total, (("input", value),), verdict.reason if value is None else "")


def unit_test_reward(passed: Sequence[bool | None], credit: Credit = "strict") -> Reward:
    """1 when every test passes, else 0; or the share of tests that pass.

    Args:
        passed: For each test whether it passed; ``None`` where it could not be run. A test that was
            not reached did not pass.
        credit: ``strict`` or ``fractional``.

    Returns:
        ``None`` as total when there is no test at all, and when a test that could not be run
        leaves the reward open.

    Source: https://arxiv.org/abs/2603.11226 (stage II) for ``strict``; own for ``fractional``.
    """
    if not passed:
        return Reward(None, (("tests", None),), "there is no test")
    if credit == "strict" and False in passed:
        return Reward(0.0, (("tests", 0.0),))
    if None in passed:
        return Reward(None, (("tests", None),), "a test could not be run")
    share = sum(1 for each in passed if each) / len(passed)
    return Reward(share, (("tests", share),))


def format_reward(reply: str, layout: Layout = "think+answer") -> Reward:
    """1 for a reply with the layout that was asked for, else 0.

    ``think+answer``: exactly one non-empty ``<think>`` block and one non-empty ``<answer>`` block,
    in this order, nothing outside. ``think``: one non-empty ``<think>`` block, then the answer.
    A reply has the layout exactly when its answer is found (:func:`tracer.answers.read_reply`).

    Source: own.
    """
    value = 1.0 if read_reply(reply, layout).well_formed else 0.0
    return Reward(value, (("format", value),))


def gated_reward(
    fmt: float,
    out: float | None,
    proc: float | None,
    *,
    weight: float = 1.0,
    gated: bool = True,
) -> Reward:
    """``R_fmt + R_out + 1[R_out = 1] weight R_proc``: reasoning pays only where the code is right.

    Args:
        fmt: Format reward, in [0, 1].
        out: Outcome reward, in [0, 1]; ``None`` when the tests could not be run.
        proc: Process reward; clamped to [0, 1]. ``None`` or not finite when the reward model gave
            none, which matters only where the gate is open.
        weight: Of the process reward; 1 in the paper.
        gated: False pays the process reward whatever the tests say: the plain sum, which the paper
            compares with, and which pays for reasoning that only looks good.

    Raises:
        ValueError: ``fmt`` or ``out`` is outside [0, 1], or ``weight`` is negative or not finite.

    Source: CG-GRPO of ReCode (stage II; R_fmt, R_out, R_proc, w = 1).
    """
    if not 0.0 <= fmt <= 1.0:
        raise ValueError(f"the format reward must be in [0, 1], not {fmt}")
    if out is not None and not 0.0 <= out <= 1.0:
        raise ValueError(f"the outcome reward must be in [0, 1], not {out}")
    if not (math.isfinite(weight) and weight >= 0.0):
        raise ValueError(f"the weight must be a finite number of at least 0, not {weight}")
    process = None if proc is None or not math.isfinite(proc) else min(1.0, max(0.0, proc))
    gate = float(out == 1.0 or not gated)
    parts = (("format", fmt), ("outcome", out), ("process", process), ("gate", gate))
    if out is None:
        return Reward(None, parts, "the tests could not be run")
    if not gate or weight == 0.0:
        return Reward(fmt + out, parts)
    if process is None:
        return Reward(None, parts, "the reward model gave no score")
    return Reward(fmt + out + weight * process, parts)


def _value(verdict: Verdict) -> float | None:
    if verdict.status == "infrastructure":
        return None
    return 1.0 if verdict.status == "correct" else 0.0


def _share(verdicts: Sequence[Verdict]) -> float | None:
    """Share of correct answers; ``None`` when there is none to judge or one was not judged."""
    values = [_value(verdict) for verdict in verdicts]
    judged = [value for value in values if value is not None]
    return sum(judged) / len(judged) if judged and len(judged) == len(values) else None


def _failure(verdicts: Sequence[Verdict]) -> str:
    """Why one of the verdicts is ``infrastructure``; empty when none is."""
    return next((v.reason for v in verdicts if v.status == "infrastructure"), "")
