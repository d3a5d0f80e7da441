"""Random expressions of a known type over the variables that are bound."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

VALUES = (
    "None",
    "...",
    "True",
    "1.5",
    "-0.0",
    "float('inf')",
    "float('nan')",
    "2j",
    "complex(1, -0.0)",
    "b'ab'",
    "bytearray(b'x')",
    "()",
    "(1,)",
    "(1, [2])",
    "set()",
    "{3, 1, 2}",
    "{'b', 'a'}",
    "frozenset({1})",
    "frozenset()",
    "range(4)",
    "range(1, 9, 3)",
    "{}",
    "{'k': [1]}",
    "{1: {2: 3}}",
    "[[1], [2]]",
    "10 ** 30",
    "'it''s'",
    '"\'"',
    "'\\n'",
    "collections.deque([1, 2], maxlen=3)",
    "collections.Counter('aab')",
    "collections.OrderedDict(a=1)",
    "iter([1])",
    "int",
    "len",
    "{}.items()",
    "collections.defaultdict(int, {'z': 1})",
    "object()",
    "Err0(3)",
    "Spot(1, 2)",
    "Hue.RED",
    "[i for i in range(400)]",
    "'y' * 1200",
    "{True, 0, 2}",
    "{1.5, -2.5}",
    "slice(1)",
)


@dataclass
class Env:
    """Names that are bound here, by type, and what may be called."""

    ints: list[str]
    lists: list[str]
    texts: list[str]
    dicts: list[str]
    helpers: list[str] = field(default_factory=list)
    """Functions of an int and a list that return an int."""
    gens: list[str] = field(default_factory=list)
    """Generator functions of an int and a list."""
    calls: int = 3
    """How many more calls of program functions this function may hold."""

    def inner(self) -> Env:
        """The names inside a suite that may not run."""
        return Env(
            self.ints[:],
            self.lists[:],
            self.texts[:],
            self.dicts[:],
            self.helpers,
            self.gens,
            self.calls,
        )


class Expressions:
    """Draws expressions; `constructs` collects what was used."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.constructs: set[str] = set()
        self.fresh = 0
        self.risk = 0.02
        """Weight of expressions that may raise."""

    def name(self, stem: str) -> str:
        """A name that was not used before."""
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def used(self, construct: str) -> None:
        """Remember that a construct occurs."""
        self.constructs.add(construct)

    def call(self, env: Env) -> str:
        """A call of a helper, or a number where there is none or too many were made."""
        if not env.helpers or env.calls <= 0:
            return str(self.rng.randrange(9))
        env.calls -= 1
        self.used("call")
        name = self.rng.choice(env.helpers)
        form = self.rng.randrange(4)
        if form == 0:
            self.used("star arguments")
            return f"{name}(*[{self.rng.randrange(4)}, {self.rng.choice(env.lists)}])"
        if form == 1:
            self.used("keyword arguments")
            return f"{name}(n={self.rng.randrange(4)}, **{{'xs': {self.rng.choice(env.lists)}}})"
        return f"{name}({self.number(env, 0)} % 5, {self.rng.choice(env.lists)})"

    def number(self, env: Env, depth: int = 2) -> str:
        """An int expression, small enough for loops."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.25:
            return rng.choice(env.ints) if rng.random() < 0.7 else str(rng.randrange(-3, 10))
        a, b = self.number(env, depth - 1), self.number(env, depth - 1)
        xs = rng.choice(env.lists)
        q = self.name("q")
        forms = [
            (6, f"({a} + {b})"),
            (4, f"({a} - {b})"),
            (3, f"({a} * {b} % 97)"),
            (2, f"len({xs})"),
            (2, f"max({a}, {b})"),
            (2, f"({a} if {self.truth(env, 0)} else {b})"),
            (2, f"sum({xs}[:3])"),
            (1, f"(lambda {q}, r=2: {q} - r)({a})"),
            (1, f"sum({q} for {q} in {xs}[:2])"),
            (1, f"({self.name('w')} := {a})"),
            (self.risk, f"{xs}[{a} % 3]"),
            (self.risk, f"{a} // ({b} % 3)"),
            (self.risk, f"{rng.choice(env.dicts)}['a']"),
            (self.risk, f"int({rng.choice(env.texts)})"),
            (1, f"sum(map(lambda {q}: {q} + 1, {xs}[:2]))"),
        ]
        if env.helpers and env.calls > 0 and rng.random() < 0.4:
            return self.call(env)
        form = rng.choices([f for _, f in forms], [w for w, _ in forms])[0]
        for word in ("lambda", ":=", " for "):
            if word in form:
                self.used(
                    {"lambda": "lambda", ":=": "walrus", " for ": "generator expression"}[word]
                )
        return form

    def truth(self, env: Env, depth: int = 1) -> str:
        """A condition."""
        a, b = self.number(env, depth), self.number(env, depth)
        xs = self.rng.choice(env.lists)
        return self.rng.choice(
            [
                f"{a} > {b}",
                f"{a} % 2 == 0",
                f"{a} in {xs}",
                f"not {xs}",
                f"{a} < {b} and {xs}",
                f"{a} == 1 or {b} > 2",
                f"{self.rng.choice(env.texts)} < 'm'",
                f"0 <= {a} <= 4",
            ]
        )

    def items(self, env: Env) -> str:
        """A list expression."""
        rng = self.rng
        xs, a = rng.choice(env.lists), self.number(env, 1)
        if ":=" in a:
            a = rng.choice(env.ints)
        q = self.name("q")
        if env.gens and env.calls > 0 and rng.random() < 0.2:
            env.calls -= 1
            self.used("generator")
            return f"list({rng.choice(env.gens)}({rng.randrange(4)}, {xs}))"
        if env.helpers and env.calls > 0 and rng.random() < 0.3:
            env.calls -= 1
            helper = rng.choice(env.helpers)
            self.used("comprehension with calls")
            return rng.choice(
                [
                    f"[{helper}({q}, {xs}) for {q} in range({rng.randrange(4)})]",
                    f"sorted({xs}[:4], key=lambda {q}: {helper}({q} % 3, []))",
                    f"list({{{q}: {helper}({q}, []) for {q} in range(2)}}.values())",
                    f"[{q} for {q} in range(4) if {helper}({q}, []) % 2]",
                ]
            )
        if rng.random() < 0.15:
            self.used("sorted by a user function")
            return f"sorted({xs}[:5], key=by_key)"
        return rng.choice(
            [
                f"[{a}, {self.number(env, 1)}]",
                f"{xs}[:4]",
                f"[{q} * 2 for {q} in range({rng.randrange(5)})]",
                f"[*{xs}[:3], {a}]",
                f"{xs}[::-1][:5]",
                "[]",
                f"list({{{a}, 1}})[:0]",
                f"[{q} for r in ([1, 2], [3]) for {q} in r if {q} != {a}]",
            ]
        )

    def text(self, env: Env) -> str:
        """A str expression of at most a few characters."""
        s = self.rng.choice(env.texts)
        self.used("f-string")
        return self.rng.choice(
            [
                f"f'{{{s}!s:.3}}{{{self.rng.choice(env.ints)}}}'[:9]",
                f"({s} + 'z')[:7]",
                f"{s}.upper()",
                f"{s}[1:]",
                "'abc'",
                f"f'<{{{self.rng.choice(env.ints)}:>4}}>'",
                "str(None)",
            ]
        )

    def value(self) -> str:
        """A value of any type."""
        self.used("value types")
        return self.rng.choice(VALUES)
