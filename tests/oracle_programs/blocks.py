"""Random `if`, `for`, `while`, `match`, `def` and `class` statements."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from oracle_programs.expressions import Env
from oracle_programs.simple import Context, Simple


def inside(lines: list[str]) -> list[str]:
    """The lines one level deeper."""
    return ["    " + line for line in lines]


class Blocks(Simple):
    """Draws compound statements without handlers."""

    @abstractmethod
    def suite(self, env: Env, ctx: Context, size: int, level: int = 1) -> list[str]:
        """`size` statements of all kinds."""

    def short(self, env: Env, ctx: Context, level: int) -> list[str]:
        """An indented suite of one to three statements."""
        return inside(self.suite(env.inner(), ctx, self.rng.randrange(1, 4), level))

    def branch(self, env: Env, ctx: Context, level: int) -> list[str]:
        """`if`, `elif`, `else`."""
        self.used("if")
        lines = [f"if {self.truth(env)}:", *self.short(env, ctx, level)]
        if self.rng.random() < 0.4:
            self.used("elif")
            lines += [f"elif (m := {self.number(env, 1)}) > 2:", *self.short(env, ctx, level)]
        if self.rng.random() < 0.5:
            lines += ["else:", *self.short(env, ctx, level)]
        return lines

    def count(self, env: Env, ctx: Context, level: int) -> list[str]:
        """`for`, perhaps with `else`."""
        self.used("for")
        x, y = self.name("x"), self.name("y")
        xs = self.rng.choice(env.lists)
        head = self.rng.choice(
            [
                f"for {x} in range({self.rng.randrange(4)}):",
                f"for {x} in {xs}[:3]:",
                f"for {y}, {x} in enumerate({xs}[:3]):",
                f"for {x} in Down({self.rng.randrange(4)}):",
                f"for {x}, *{y} in [(1, 2, 3), (4,)]:",
                f"for {x} in give({self.rng.randrange(3)}):",
                f"for {x} in (lambda: (1, 2))():",
                f"for {x} in {self.items(env)}[:3]:",
            ]
        )
        inner = env.inner()
        inner.ints.append(x)
        body = inside(self.suite(inner, replace(ctx, loop=True), self.rng.randrange(1, 4), level))
        if self.rng.random() < 0.15:
            self.used("one-line suite")
            return [f"{head} {env.ints[0]} += 1; {env.ints[0]} -= {x}"]
        lines = [head, *body]
        if self.rng.random() < 0.3:
            self.used("for else")
            lines += ["else:", *self.short(env, ctx, level)]
        return lines

    def repeat(self, env: Env, ctx: Context, level: int) -> list[str]:
        """`while`, perhaps with a constant test or `else`."""
        self.used("while")
        w = self.name("k")
        lines = [f"{w} = {self.rng.randrange(4)}"]
        looped = replace(ctx, loop=True)
        if self.rng.random() < 0.4:
            self.used("constant test")
            lines += ["while True:", f"    {w} -= 1", f"    if {w} < 0: break"]
        else:
            lines += [f"while {w} > 0:", f"    {w} -= 1"]
        lines += self.short(env, looped, level)
        if self.rng.random() < 0.3:
            self.used("while else")
            lines += ["else:", *self.short(env, ctx, level)]
        return lines

    def choose(self, env: Env, ctx: Context, level: int) -> list[str]:
        """`match`."""
        self.used("match")
        rng = self.rng
        m = self.name("m")
        subject = rng.choice(
            [
                self.number(env, 1),
                rng.choice(env.lists),
                rng.choice(env.dicts),
                f"Spot({self.number(env, 0)}, 2)",
                f"{env.ints[0]}, {env.texts[0]}",
                self.value(),
                self.truth(env),
            ]
        )
        patterns = [
            "0 | 1",
            f"[{m}a, *{m}b]",
            f"[{m}c]",
            f"{{'a': {m}d, **{m}e}}",
            f"int({m}f)",
            f"Spot(x=0, y={m}g) | Spot({m}g, 2)",
            f"str() as {m}h",
            "None",
            "Hue.RED",
            f"({m}i, 'ab')",
            f"{m}j if {self.truth(env)}",
            f"[1, _, *_] as {m}k",
            "float() | bytes()",
            f"int() as {m}l if {self.call(env)} > 3",
        ]
        lines = [f"match {subject}:"]
        for pattern in rng.sample(patterns, rng.randrange(1, 5)):
            if rng.random() < 0.2:
                lines.append(f"    case {pattern}: pass")
            else:
                lines += [f"    case {pattern}:", *inside(self.short(env, ctx, level))]
        if rng.random() < 0.5:
            lines += ["    case _:", *inside(self.short(env, ctx, level))]
        return lines

    def nest(self, env: Env, ctx: Context, level: int) -> list[str]:
        """A nested function, perhaps a closure, called once or twice."""
        self.used("closure")
        g, p, i = self.name("local"), self.name("p"), self.name("i")
        changed = self.rng.choice(["i1", "i1", ""]) if not ctx.nested else ""
        inner = Env([p], ["ys"], ["t"], ["e"], env.helpers, env.gens, 1)
        body = [f"nonlocal {changed}", f"{changed} += {p}"] if changed else []
        if changed:
            self.used("nonlocal")
        body += ["ys = [1]", "t = 'q'", "e = {'a': 1}"]
        body += self.suite(inner, Context(), self.rng.randrange(1, 3), level + 1)
        body.append(f"return {self.rng.choice(inner.ints)}, {self.rng.choice(env.lists)}")
        lines = [f"def {g}({p}, *more, key=2, **rest):", *inside(body)]
        call = f"{g}({self.number(env, 0)}, 1, key={self.number(env, 0)}, z=3)"
        lines.append(f"{i} = {call}[0]")
        if self.rng.random() < 0.5:
            lines.append(f"seen.append({g}(1)[0] is None)")
        return lines

    def body_of_class(self, env: Env, ctx: Context, level: int) -> list[str]:
        """A class statement whose body has statements of all kinds."""
        self.used("class body")
        c, i = self.name("C"), self.name("i")
        inner = Env([f"{i}a"], [f"{i}b"], [f"{i}c"], [f"{i}d"], env.helpers, env.gens, 1)
        base = self.rng.choice(["", "(Bag)", "(list)", "(metaclass=type)"])
        body = [
            f"{i}a = {self.number(env, 1)}",
            f"{i}b = [{env.ints[0]}]",
            f"{i}c = 'c'",
            f"{i}d = {{'a': 1}}",
        ]
        held = Context(nested=True)
        body += self.suite(inner, held, self.rng.randrange(1, 3), level + 1)
        body += [f"def me(self, k=3): return k + {env.ints[0]}"]
        lines = [f"class {c}{base}:", *inside(body)]
        lines.append(f"{i} = {c}({'1' if base == '(Bag)' else ''}).me()")
        return lines
