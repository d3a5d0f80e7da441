"""Seeded random programs that terminate and whose behaviour does not depend on luck."""

from __future__ import annotations

import random

from oracle_programs.expressions import Env
from oracle_programs.preamble import PREAMBLE
from oracle_programs.simple import Context
from oracle_programs.suites import Suites


def indent(lines: list[str]) -> list[str]:
    """The lines one level deeper."""
    return ["    " + line for line in lines]


def function(suites: Suites, env: Env, name: str, context: Context) -> list[str]:
    """A function of an int and a list."""
    rng = suites.rng
    head = [f"def {name}(n, xs):"]
    if rng.random() < 0.2:
        suites.used("decorator")
        head.insert(0, rng.choice(["@plain", "@counted(2)"]))
    lines = ['"""Text."""'] if rng.random() < 0.3 else []
    if rng.random() < 0.4:
        suites.used("global")
        lines.append("global total")
        lines.append("total += n")
    lines += ["i1 = n", "s1 = 'ab'", "d1 = {'a': n}"]
    lines += suites.suite(env, context, rng.randrange(3, 7))
    if context.generator:
        lines.insert(len(lines), f"yield {suites.number(env, 1)}")
        if rng.random() < 0.5:
            suites.used("generator return")
            lines.append(f"return {suites.number(env, 1)}")
    elif rng.random() < 0.9:
        lines.append(f"return ({suites.number(env)}) % 1000")
    else:
        lines.append("return xs and n or 1")
    return [*head, *indent(lines), "", ""]


def recursive(suites: Suites, name: str) -> list[str]:
    """A function that calls itself a few times."""
    suites.used("recursion")
    extra = suites.rng.choice(["xs.append(n)", "seen.append(n)", "m = [n] * n", "pass"])
    return [
        f"def {name}(n, xs):",
        "    if n <= 0 or n > 6: return 1",
        f"    {extra}",
        f"    r = {name}(n - 1, xs) + {name}(n - {suites.rng.randrange(2, 4)}, xs[:2])",
        "    return r % 1000",
        "",
        "",
    ]


def new_env(helpers: list[str], gens: list[str]) -> Env:
    """What a function can use at its start."""
    return Env(["n", "i1"], ["xs"], ["s1"], ["d1"], list(helpers), list(gens))


def generate(seed: int) -> tuple[str, str, str, tuple[str, ...]]:
    """Source, entry point, arguments as text, and the names of the constructs in it, sorted.

    The same seed gives the same program on every Python version.
    """
    rng = random.Random(f"oracle program {seed}")
    suites = Suites(rng)
    lines = [*PREAMBLE, ""]
    helpers: list[str] = []
    gens: list[str] = []
    for _ in range(rng.randrange(1, 4)):
        name = suites.name("h")
        kind = rng.random()
        if kind < 0.25:
            lines += recursive(suites, name)
            helpers.append(name)
        elif kind < 0.6:
            suites.used("generator")
            env = new_env(helpers, gens)
            lines += function(suites, env, name, Context(generator=True))
            gens.append(name)
        else:
            lines += function(suites, new_env(helpers, gens), name, Context())
            helpers.append(name)
    env = new_env(helpers, gens)
    env.calls = 6
    body = ["i1 = n", "s1 = 'ab'", "d1 = {'a': n}"]
    body += suites.suite(env, Context(), rng.randrange(6, 12), level=0)
    names = ", ".join(rng.sample(env.ints + env.lists + env.texts, 3))
    body.append(f"return {names}, total, seen[-3:]")
    lines += ["def f(n, xs):", *indent(body)]
    args = f"{rng.randrange(0, 5)}, {[rng.randrange(6) for _ in range(rng.randrange(5))]}"
    return "\n".join(lines) + "\n", "f", args, tuple(sorted(suites.constructs))
