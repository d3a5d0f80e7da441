"""Runs a call of a program traced, traced again and plainly, and says how it ended.

The runs happen in separate processes, under two hash seeds and clocks, and must agree: the traces
in every step and value, the plain run in its result. So what depends on luck, on the time or on
being traced is never data, not even on the way to a result that does not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict, replace
from types import TracebackType
from typing import Any

from tracer.agreement import (
    agree,
    agreed,
    difference,
    first_difference,
    has_ended,
    met_recursion_limit,
    same_steps,
)
from tracer.consistency import find_inconsistency
from tracer.inside.columns import REPORT
from tracer.inside.limits import timeout_detail
from tracer.points import Choose, PointTrace, trace_at
from tracer.preparations import Preparations
from tracer.records import Call, Limits, Outcome, Program, Trace
from tracer.sandbox import Raw, Zygote
from tracer.serialization import trace_from_report
from tracer.sharing import CALLS_A_PROCESS, Calls, share

TRACED_HASH_SEED = 1
PLAIN_HASH_SEED = 2
_RETRIED = frozenset({"timeout", "memory", "infrastructure"})
"""Verdicts that a busy machine can cause: each is tried a second time."""
_ORDINARY = frozenset({"returned", "raised", "bad_program", "unsupported"})
"""Outcomes that no other call in the process can have caused."""
_TRACEABLE = _ORDINARY | {"step_limit", "depth_dependent"}
"""Outcomes of traced calls that say nothing against the others in the process."""
_SHARED_CPU_S = 1.0
"""Processor seconds of a process that makes 64 calls or fewer; one that takes more is not kept."""


class Runner:
    """Runs calls one after another in two sandboxes; close it, or use it in ``with``.

    Not thread safe: one runner a worker.
    """

    def __init__(self, limits: Limits | None = None, python: str = sys.executable) -> None:
        self.limits = limits or Limits()
        self._traced = Zygote(hash_seed=TRACED_HASH_SEED, python=python)
        self._plain = Zygote(hash_seed=PLAIN_HASH_SEED, shifted_clock=True, python=python)
        self._preparations = Preparations()

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
        trace = trace_from_report(traced, program, traced["args"], call.stdin)
        if trace.outcome.kind in ("returned", "raised"):
            plain = self._result(self._plain, {**job, "mode": "run"})
            if not agree(traced, plain):
                return self._explain(trace, traced, plain, job)
            if trace.complete:
                again = self._result(self._plain, job)
                if again["outcome"]["kind"] not in ("returned", "raised"):
                    return _without_truth(trace, Outcome(**again["outcome"]))
                if not same_steps(traced, again):
                    where = first_difference(traced, again)
                    return _without_truth(trace, Outcome("nondeterministic", None, None, where))
            impossible = find_inconsistency(trace)
            if impossible is not None:
                return _without_truth(trace, Outcome("disturbed", None, None, impossible))
        return trace

    def trace_at(self, program: Program, call: Call, choose: Choose) -> PointTrace:
        """Trace ``call`` in two passes: its path, then the states after the steps chosen from it.

        Raises:
            ValueError: a chosen step is none of the path.
        """

        def run(*, plain: bool = False, other: bool = False, points: Iterable[int]) -> Any:
            job = self._job("run" if plain else "points", program, call) | {"points": [*points]}
            return self._result(self._plain if other else self._traced, job)

        return trace_at(program, call, choose, run)

    def run_plain(self, program: Program, call: Call) -> Outcome:
        """Run ``call`` once without tracing it."""
        return Outcome(**self._result(self._plain, self._job("run", program, call))["outcome"])

    def trace_many(self, calls: Calls) -> tuple[Trace, ...]:
        """Trace calls, each as :meth:`run` would, in far less time where that is safe.

        Calls share a process only where the program cannot carry anything from one to the next.
        Each is traced in two processes, under two hash seeds and clocks, and run plainly in the
        second of them.

        Returns:
            The trace of each call, in their order.
        """
        return share(calls, self._trace_shared, self.run)

    def _trace_shared(self, calls: Calls) -> list[Trace | None]:
        """Traces of the first calls: all, those up to a step limit, or none after an anomaly."""
        self._preparations.learn(calls, self._compile)
        known = [self._preparations.programs.get(program.source) for program, _ in calls]
        first = self._shared_results(self._traced, calls, plain=False)
        again = [place for place, each in enumerate(first) if has_ended(each)]
        second = self._shared_results(self._plain, [calls[place] for place in again], plain=True)
        if len(second) != len(again):
            return []
        found: list[Trace | None] = []
        for each, packed, (program, _) in zip(first, known, calls, strict=False):
            if met_recursion_limit(each):
                found.append(None)
                continue
            if packed is not None:
                packed.complete(each)
            statements = None if packed is None else packed.shape.statements
            found.append(trace_from_report(each, program, each["args"], "", statements))
        for place, repeated in zip(again, second, strict=True):
            traced, trace, packed = first[place], found[place], known[place]
            if trace is not None and not (
                trace.complete
                and same_steps(traced, repeated)
                and agree(traced, repeated["plain"])
                and find_inconsistency(trace, None if packed is None else packed.shape) is None
            ):
                found[place] = None
        return found

    def _compile(self, job: dict[str, Any]) -> dict[str, Any]:
        """Result of a job that runs no program; nothing when it did not end well."""
        return self._payload_of(self._traced, job)

    def _shared_results(self, zygote: Zygote, calls: Calls, plain: bool) -> list[dict[str, Any]]:
        """Results of the first calls of a process, or none when anything is out of the ordinary."""
        if not calls:
            return []
        payload = self._payload_of(zygote, self._preparations.job_of(calls, plain=plain))
        results: list[dict[str, Any]] = payload.get("results", [])
        if any(each["outcome"]["kind"] not in _TRACEABLE for each in results):
            return []
        cut = bool(results) and results[-1]["outcome"]["kind"] == "step_limit"
        return results if cut or len(results) == len(calls) else []

    def _payload_of(self, zygote: Zygote, job: dict[str, Any]) -> dict[str, Any]:
        """What a process that does much delivers; nothing when it did not end well."""
        portions = max(1.0, len(job.get("calls", ())) / CALLS_A_PROCESS[0])
        limits = replace(self.limits, cpu_s=min(self.limits.cpu_s, _SHARED_CPU_S * portions))
        job |= {"args": "", "stdin": "", "limits": asdict(limits)}
        payload = zygote.run(job, limits).payload or {}
        ended_well = payload and payload["outcome"]["kind"] == "returned"
        return payload if ended_well else {}

    def run_many(self, calls: Calls) -> tuple[Outcome, ...]:
        """Run calls of programs with an entry point, none traced, each as if it were alone.

        Every call is made under two hash seeds and clocks, in different processes; where they
        disagree the outcome is ``nondeterministic``. Calls share a process only where the program
        cannot carry anything from one to the next.

        Returns:
            The outcome of each call, in their order.
        """
        return share(calls, self._run_shared, self._run_alone)

    def _run_shared(self, calls: Calls) -> list[Outcome | None]:
        """Outcomes of all calls, or none at all when anything is out of the ordinary."""
        found: list[list[dict[str, Any]]] = []
        texts = [(program.source, program.entry_point, call.args) for program, call in calls]
        for zygote in (self._plain, self._traced):
            job = {"mode": "many", "calls": texts}
            outcomes = self._payload_of(zygote, job).get("outcomes", [])
            if len(outcomes) != len(calls):
                return []
            if any(each["kind"] not in _ORDINARY for each in outcomes):
                return []
            found.append(outcomes)
        return [agreed(*pair) for pair in zip(*found, strict=True)]

    def _run_alone(self, program: Program, call: Call) -> Outcome:
        job = self._job("run", program, call)
        raw = self._plain.run(job, self.limits)
        if raw.status in _RETRIED and raw.detail != timeout_detail(job["limits"]):
            raw = self._plain.run(job, self.limits)  # processor time is no matter of load
        plain = _payload(raw, job)["outcome"]
        if plain["kind"] not in ("returned", "raised"):
            return Outcome(**plain)
        return agreed(plain, self._result(self._traced, job)["outcome"])

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
        if agree(again, plain):
            repeated = self._result(self._traced, job)
            if agree(repeated, traced):
                return _without_truth(
                    trace, Outcome("disturbed", None, None, "it behaves otherwise when traced")
                )
        what = difference(again if not agree(again, plain) else traced, plain)
        return _without_truth(trace, Outcome("nondeterministic", None, None, what))


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
        **{key: [] for key in REPORT},
        "lazy_lines": [],
        "states": [],
    }


def _without_truth(trace: Trace, outcome: Outcome) -> Trace:
    """Return ``trace`` with ``outcome`` and marked as not to be asked about."""
    return replace(trace, outcome=outcome, complete=False)
