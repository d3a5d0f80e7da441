"""What is compiled once and packed is what each process would have compiled for itself."""

from __future__ import annotations

import types
from dataclasses import fields
from typing import Any

import pytest
from oracle_cases import generated, published, runnable, written

from tracer.inside.arguments import read_call
from tracer.inside.modules import Refused, compile_program
from tracer.inside.packing import pack_call, pack_program, unpack_call, unpack_code, unpack_program
from tracer.inside.preparation import Prepared, prepare
from tracer.preparations import FEWEST_CALLS, Preparations
from tracer.records import Call, Program
from tracer.runner import Runner

PARENTS = {"lazy_lines", "scopes"}
"""What the parent keeps."""


def facts(prepared: Prepared) -> dict[str, Any]:
    """All of a prepared program, code objects by their content."""
    found = {
        field.name: getattr(prepared, field.name)
        for field in fields(prepared)
        if field.name not in PARENTS
    }
    order = {identity: place for place, identity in enumerate(found["codes"])}
    return found | {"codes": {order[key]: info for key, info in found["codes"].items()}}


def test_packed_programs_come_out_the_same() -> None:
    packed = 0
    for case in runnable([*written(), *published(), *generated(range(40))], "3.11"):
        try:
            prepared = prepare(case.source)
        except Refused:
            assert pack_program(case.source) is None
            continue
        made = pack_program(case.source)
        if made is None:
            assert "{" in case.source
            continue
        packed += 1
        unpacked = unpack_program(made["packed"])
        assert facts(unpacked) == facts(prepared)
        assert set(unpacked.codes) == {id(info.code) for info in unpacked.codes.values()}
        inner = [c for c in unpacked.code.co_consts if isinstance(c, types.CodeType)]
        assert {id(c) for c in inner if not c.co_name.startswith("<")} <= set(unpacked.codes)
        assert unpack_code(made["plain"]) == compile_program(case.source)
        assert made["statements"] == prepared.statements
        assert (made["lazy_lines"], made["scopes"]) == (prepared.lazy_lines, prepared.scopes)
    assert packed > 150


def test_a_set_of_constants_is_not_packed() -> None:
    assert pack_program("def f(x):\n    return [y for y in {8, 0, 16}]\n") is None
    assert pack_program("def f(x):\n    return x in {1, 2}\n") is None
    assert pack_program("def f(x):\n    return x in (1, 2), {x}\n") is not None
    assert pack_call("{1, 2, 3}") is None
    assert pack_call("{}, []") is not None


def test_packed_arguments_come_out_the_same() -> None:
    for text in ("", "1", "[1, 2], key='a'", "*[1], **{'a': 2}", "lambda x: x"):
        made = pack_call(text)
        assert made is not None
        assert unpack_call(made) == read_call(text)
    assert pack_call("1)") is None
    assert pack_call("x for x in y, 1") is None


@pytest.mark.parametrize("source", ["def f(:", "async def f(): pass", "\0", "return"])
def test_what_is_no_program_is_left_to_the_run(source: str) -> None:
    assert pack_program(source) is None


def test_refused_programs_among_others_say_what_is_wrong() -> None:
    good = [(Program(f"def f(x):\n    return x + {n}\n", "f"), Call("1")) for n in range(20)]
    odd = [
        (Program("def f(:", "f"), Call("1")),
        (Program("async def f(x): pass", "f"), Call("1")),
        (Program("def f(x):\n    return [y for y in {8, 0, 16}]\n", "f"), Call("1")),
        (Program("def f(x):\n    return x\n", "f"), Call("1 +")),
    ]
    assert len(good) >= FEWEST_CALLS
    with Runner() as runner:
        traces = runner.trace_many([*good, *odd])
        assert traces == tuple(runner.run(*each) for each in [*good, *odd])
    kinds = [trace.outcome.kind for trace in traces[len(good) :]]
    assert kinds == ["bad_program", "unsupported", "returned", "bad_program"]


def test_a_job_that_fails_leaves_the_compiling_to_the_runs() -> None:
    preparations = Preparations()
    calls = [(Program(f"def f(x):\n    return {n}\n", "f"), Call("1")) for n in range(20)]
    preparations.learn(calls, lambda job: {})
    job = preparations.job_of(calls, plain=True)
    assert [source for source, _, _ in job["programs"]] == [program.source for program, _ in calls]
    assert all(packed is None for _, packed, _ in job["programs"])
