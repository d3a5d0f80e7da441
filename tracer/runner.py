"""Runs a call of a program traced, traced again and plainly, and says how it ended.

The runs happen in separate processes, under two hash seeds and clocks, and must agree: the traces
in every step and value, the plain run in its result. So what depends on luck, on the time or on
being traced is never data, not even on the way to a result that does not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from types import TracebackType
from typing import Any

from tracer.consistency import find_inconsistency
from tracer.inside.limits import timeout_detail
from tracer.isolation import keeps_to_itself
from tracer.records import Call, Limits, Outcome, Program, Trace
from tracer.sandbox import Raw, Zygote
from tracer.serialization import trace_from_dict

TRACED_HASH_SEED = 1
PLAIN_HASH_SEED = 2
_RETRIED = frozenset({"timeout", "memory", "infrastructure"})
"""Verdicts that a busy machine can cause: each is tried a second time."""
_TRACED = ("args", "outcome", "complete", "stdout", "activations", "steps")
"""What two traced runs must have in common, down to the last value on the way."""
_ORDINARY = frozenset({"returned", "raised", "bad_program", "unsupported"})
"""Outcomes that no other call in the process can have caused."""
_CALLS_A_PROCESS = (64, 8)
_SHARED_CPU_S = 1.0
"""Processor seconds of a process that makes several calls; one that takes more is not kept."""


class Runner:
    """Runs calls one after another in two sandboxes; close it, or use it in ``with``.

    Not thread safe: one runner a worker.
    """

    def __init__(self, limits: Limits | None = None, python: str = sys.executable) -> None:
        self.limits = limits or Limits()
        self._traced = Zygote(hash_seed=TRACED_HASH_SEED, python=python)
        self._plain = Zygote(hash_seed=PLAIN_HASH_SEED, shifted_clock=True, python=python)

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End both sandboxes."""
        self._traced.close()
        self._plain.close()

    def run(self, program: Program, call: Call) -> Trace:
        """Trace ``call``, under two hash seeds and clocks, and check it against a plain run.

        Returns:
            The trace; whatever the program does is its ``outcome``, never an exception.
        """
        job = self._job("trace", program, call)
        traced = self._result(self._traced, job)
        trace = trace_from_dict(traced, program, traced["args"], call.stdin)
        if trace.outcome.kind in ("returned", "raised"):
            plain = self._result(self._plain, {**job, "mode": "run"})
            if not _agree(traced, plain):
                return self._explain(trace, traced, plain, job)
            if trace.complete:
                again = self._result(self._plain, job)
                if again["outcome"]["kind"] not in ("returned", "raised"):
                    return _without_truth(trace, Outcome(**again["outcome"]))
                if any(again[key] != traced[key] for key in _TRACED):
                    difference = _first_difference(traced, again)
                    return _without_truth(
                        trace, Outcome("nondeterministic", None, None, difference)
                    )
            impossible = find_inconsistency(trace)
            if impossible is not None:
                return _without_truth(trace, Outcome("disturbed", None, None, impossible))
        return trace

    def run_plain(self, program: Program, call: Call) -> Outcome:
        """Run ``call`` once without tracing it."""
        return Outcome(**self._result(self._plain, self._job("run", program, call))["outcome"])

    def run_many(self, calls: Sequence[tuple[Program, Call]]) -> tuple[Outcome, ...]:
        """Run calls of programs with an entry point, none traced, each as if it were alone.

        Every call is made under two hash seeds and clocks, in different processes; where they
        disagree the outcome is ``nondeterministic``. Calls share a process only where the program
        cannot carry anything from one to the next, and are made again, with fewer others and at
        last alone, when a shared process does not end as it should.

        Returns:
            The outcome of each call, in their order.
        """
        distinct = list(dict.fromkeys(calls))
        known: dict[tuple[Program, Call], Outcome] = {}
        sources = dict.fromkeys(program.source for program, _ in distinct)
        safe = {source for source in sources if keeps_to_itself(source)}
        sharing = [each for each in distinct if each[0].source in safe and not each[1].stdin]
        for size in _CALLS_A_PROCESS:
            waiting = [each for each in sharing if each not in known]
            for start in range(0, len(waiting), size):
                shared = waiting[start : start + size]
                if len(shared) > 1:
                    known.update(zip(shared, self._run_shared(shared), strict=False))
        for program, call in distinct:
            if (program, call) not in known:
                known[program, call] = self._run_alone(program, call)
        return tuple([known[each] for each in calls])

    def _run_shared(self, calls: Sequence[tuple[Program, Call]]) -> list[Outcome]:
        """Outcomes of all calls, or none at all when anything is out of the ordinary."""
        limits = replace(self.limits, cpu_s=min(self.limits.cpu_s, _SHARED_CPU_S))
        job = {
            "mode": "many",
            "calls": [(program.source, program.entry_point, call.args) for program, call in calls],
            "args": "",
            "stdin": "",
            "limits": asdict(limits),
        }
        found: list[list[dict[str, Any]]] = []
        for zygote in (self._plain, self._traced):
            payload = zygote.run(job, limits).payload or {}
            outcomes = payload.get("outcomes", [])
            if len(outcomes) != len(calls) or payload["outcome"]["kind"] != "returned":
                return []
            if any(each["kind"] not in _ORDINARY for each in outcomes):
                return []
            found.append(outcomes)
        return [_agreed(*pair) for pair in zip(*found, strict=True)]

    def _run_alone(self, program: Program, call: Call) -> Outcome:
        job = self._job("run", program, call)
        raw = self._plain.run(job, self.limits)
        if raw.status in _RETRIED and raw.detail != timeout_detail(job["limits"]):
            raw = self._plain.run(job, self.limits)  # processor time is no matter of load
        plain = _payload(raw, job)["outcome"]
        if plain["kind"] not in ("returned", "raised"):
            return Outcome(**plain)
        return _agreed(plain, self._result(self._traced, job)["outcome"])

    def check(self, program: Program, tests: str) -> Outcome:
        """Run the program's text followed by ``tests`` as one module.

        Returns:
            ``returned`` when nothing was raised. The tests share the program's process, so this
            is for reference solutions, never for a model's answer.
        """
        whole = Program(f"{program.source}\n\n{tests}\n", None)
        job = self._job("check", whole, Call(""))
        return Outcome(**self._result(self._plain, job)["outcome"])

    def _job(self, mode: str, program: Program, call: Call) -> dict[str, Any]:
        return {
            "mode": mode,
            "source": program.source,
            "entry_point": program.entry_point,
            "args": call.args,
            "stdin": call.stdin,
            "limits": asdict(self.limits),
        }

    def _result(self, zygote: Zygote, job: dict[str, Any]) -> dict[str, Any]:
        raw = zygote.run(job, self.limits)
        if raw.status in _RETRIED:
            raw = zygote.run(job, self.limits)
        return _payload(raw, job)

    def _explain(
        self, trace: Trace, traced: dict[str, Any], plain: dict[str, Any], job: dict[str, Any]
    ) -> Trace:
        """Say why the two runs differ: the plain run decides limits, repetition the rest."""
        kind = plain["outcome"]["kind"]
        if kind not in ("returned", "raised"):
            return _without_truth(trace, Outcome(**plain["outcome"]))
        if "RecursionError" in (traced["outcome"]["type"], plain["outcome"]["type"]):
            return _without_truth(
                trace, Outcome("depth_dependent", None, None, "it ends at the recursion limit")
            )
        again = self._result(self._traced, {**job, "mode": "run"})
        if _agree(again, plain):
            repeated = self._result(self._traced, job)
            if _agree(repeated, traced):
                return _without_truth(
                    trace, Outcome("disturbed", None, None, "it behaves otherwise when traced")
                )
        difference = _difference(again if not _agree(again, plain) else traced, plain)
        return _without_truth(trace, Outcome("nondeterministic", None, None, difference))


def run(program: Program, call: Call, limits: Limits | None = None) -> Trace:
    r"""Trace one call in a sandbox of its own.

    Example:
        >>> trace = run(Program("def f(x):\n    return x + 1", "f"), Call("2"))
        >>> trace.outcome.value
        '3'
    """
    with Runner(limits) as runner:
        return runner.run(program, call)


def _payload(raw: Raw, job: dict[str, Any]) -> dict[str, Any]:
    """Return the child's result, or an empty one for a child that gave none."""
    if raw.status == "result" and raw.payload is not None:
        return raw.payload
    return {
        "outcome": {"kind": raw.status, "type": None, "value": None, "message": raw.detail or None},
        "complete": False,
        "stdout": "",
        "python": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "args": job["args"],
        "statements": [],
        "activations": [],
        "steps": [],
        "lazy_lines": [],
    }


def _agree(one: dict[str, Any], other: dict[str, Any]) -> bool:
    if all(r["outcome"]["type"] == "RecursionError" for r in (one, other)):
        return True  # how deep it came, and so what it printed, says nothing about the program
    return bool(one["outcome"] == other["outcome"] and one["stdout"] == other["stdout"])


def _agreed(one: dict[str, Any], other: dict[str, Any]) -> Outcome:
    """What two untraced runs under different hash seeds and clocks say together."""
    if one == other:
        return Outcome(**one)
    if other["kind"] not in ("returned", "raised"):
        return Outcome(**other)
    return Outcome("nondeterministic", None, None, "two runs differ")


def _first_difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Say where two traces part."""
    pairs = zip(one["steps"], other["steps"], strict=False)
    for index, (left, right) in enumerate(pairs):
        if left != right:
            return f"two runs differ from step {index} (line {left['line']}) on"
    return "two runs differ on the way to the same result"


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    for key in ("kind", "type", "value", "message"):
        if one["outcome"][key] != other["outcome"][key]:
            return f"two runs differ in {key}: {one['outcome'][key]} and {other['outcome'][key]}"
    return "two runs print different text"


def _without_truth(trace: Trace, outcome: Outcome) -> Trace:
    """Return ``trace`` with ``outcome`` and marked as not to be asked about."""
    return replace(trace, outcome=outcome, complete=False)
