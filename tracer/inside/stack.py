"""Which activations are under way, generators that delegate to others included.

A generator that stands at a ``yield from`` is skipped by the interpreter when ``throw`` or
``close`` goes to the generator inside it: no event says that it takes part. Here it stands below
that one all the same, so that ``depth`` and ``parent_step`` do not depend on how a generator goes
on.
"""

from __future__ import annotations

from types import FrameType

from tracer.inside.activations import ActivationState


def activation_of(frame: FrameType, owner: object) -> ActivationState | None:
    """Return the activation that ``frame`` was given by the recorder ``owner``."""
    activation = getattr(frame.f_trace, "__self__", None)
    if isinstance(activation, ActivationState) and activation.owner is owner:
        return activation
    return None


class CallStack:
    """The activations under way, innermost last."""

    def __init__(self) -> None:
        self.entries: list[ActivationState] = []
        self._suspended_last: ActivationState | None = None

    def on_top(self, activation: ActivationState) -> bool:
        """Tell whether ``activation`` is the one that runs."""
        entries = self.entries
        return bool(entries) and entries[-1] is activation and not activation.delegating

    def enter(self, activation: ActivationState) -> None:
        """Begin an activation."""
        self._suspended_last = None
        self.entries.append(activation)

    def resume(self, activation: ActivationState, frame: FrameType) -> None:
        """Go on with an activation, and with those that reach it through ``yield from``."""
        self._suspended_last = None
        if not self.entries or self.entries[-1] is not activation:
            if frame.f_back is not None:
                outer = activation_of(frame.f_back, activation.owner)
                if outer is not None and outer not in self.entries:
                    self.resume(outer, frame.f_back)
                    outer.delegating = True
            self.entries.append(activation)
        activation.delegating = False

    def close(self, activation: ActivationState) -> None:
        """Put the generators through which ``activation`` is being closed below it."""
        outer = activation.delegator
        if outer is None or outer.ended or outer.suspended is None:
            return
        if outer not in self.entries:
            outer.delegating = True
            self.entries.insert(self.entries.index(activation), outer)
            self.close(outer)

    def suspend(self, activation: ActivationState, *, delegates: bool) -> bool:
        """Take a generator that yields off; ``delegates`` says whether inside ``yield from``.

        Returns:
            Whether it was the one on top.
        """
        inner = self._suspended_last
        activation.delegator = None
        if delegates and inner is not None:
            inner.delegator = activation
        matched = self._pop(activation)
        while self.entries and self.entries[-1].delegating:
            outer = self.entries.pop()
            outer.delegating = False
            activation.delegator = outer
            activation = outer
        self._suspended_last = activation
        return matched

    def leave(self, activation: ActivationState) -> bool:
        """Take an activation that has ended off; return whether it was the one on top."""
        self._suspended_last = None
        return self._pop(activation)

    def _pop(self, activation: ActivationState) -> bool:
        return bool(self.entries) and self.entries.pop() is activation
