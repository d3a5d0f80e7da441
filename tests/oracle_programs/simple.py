"""Random simple statements."""

from __future__ import annotations

from dataclasses import dataclass

from oracle_programs.expressions import Env, Expressions


@dataclass(frozen=True)
class Context:
    """Where a suite stands."""

    generator: bool = False
    loop: bool = False
    nested: bool = False
    """Inside a class body or a nested function."""
    final: bool = False


class Simple(Expressions):
    """Draws simple statements; every method returns the lines of one (or a few)."""

    def assign(self, env: Env, ctx: Context) -> list[str]:
        """A plain or annotated assignment, or several on one line or over several."""
        new = self.name("i")
        number = self.number(env)
        form = self.rng.randrange(6)
        if form == 0:
            self.used("semicolons")
            lines = [f"{new} = {number}; {env.ints[0]} = {self.number(env, 1)}"]
        elif form == 1:
            self.used("multi-line statement")
            lines = [f"{new} = (", f"    {number}", f"    + {self.call(env)}", ")"]
        elif form == 2:
            self.used("annotation")
            later = self.name("later")
            lines = [f"{later}: int", f"{new}: int = {number}"]
        elif form == 3:
            lines = [f"{new} = {self.rng.choice(env.ints)} = {number}"]
        elif form == 4:
            made = self.items(env)
            env.lists.append(new)
            return [f"{new} = {made}"]
        else:
            lines = [f"{new} = {number}"]
        env.ints.append(new)
        return lines

    def change(self, env: Env, ctx: Context) -> list[str]:
        """A change of something that is bound."""
        xs, d, i = (self.rng.choice(n) for n in (env.lists, env.dicts, env.ints))
        self.used("mutation")
        return [
            self.rng.choice(
                [
                    f"{i} += {self.number(env, 1)}",
                    f"{xs}.append({self.number(env)})",
                    f"{d}['a'] = {self.number(env)}",
                    f"{d}[{self.number(env, 0)} % 3] = {self.text(env)}",
                    f"{xs} += [{self.number(env, 1)}]",
                    f"{xs}[0] = {self.number(env, 1)}",
                    f"{xs}.pop()",
                    f"{self.rng.choice(env.texts)} = {self.text(env)}",
                    f"{i} = {self.number(env)}",
                    f"{xs}.sort(key=lambda q: -q)",
                    f"{i} %= 50",
                    f"seen.append({i})",
                    f"del {xs}[:2]",
                    f"{d}.pop('a', None)",
                ]
            )
        ]

    def unpack(self, env: Env, ctx: Context) -> list[str]:
        """Starred and nested targets."""
        self.used("starred assignment")
        a, b, c = self.name("a"), self.name("b"), self.name("c")
        lines = self.rng.choice(
            [
                f"{a}, *{b} = {self.number(env, 1)}, *{self.rng.choice(env.lists)}",
                f"({a}, {c}), {b} = ({self.number(env, 1)}, 2), {self.items(env)}",
                f"[{a}, *{b}, {c}] = range({self.rng.randrange(2, 5)})",
                f"{a} = {self.number(env, 1)}; {b} = [{a}]",
            ]
        )
        env.ints.append(a)
        env.lists.append(b)
        return [lines]

    def alias(self, env: Env, ctx: Context) -> list[str]:
        """Two names for one list."""
        self.used("aliasing")
        xs, new = self.rng.choice(env.lists), self.name("xs")
        env.lists.append(new)
        more = self.rng.choice(
            [
                f"{new}.append({self.number(env, 0)})",
                f"{new} += [1]",
                f"{xs} = {xs}[:3]",
                f"p{new} = ({new}, [{new}])",
            ]
        )
        return [f"{new} = {xs}", more]

    def hold_value(self, env: Env, ctx: Context) -> list[str]:
        """A value of any type, perhaps bound twice."""
        v = self.name("v")
        lines = [f"{v} = {self.value()}"]
        if self.rng.random() < 0.4:
            lines.append(f"{v} = {self.value()}")
        if self.rng.random() < 0.3:
            self.used("del")
            lines.append(f"del {v}")
        return lines

    def odd(self, env: Env, ctx: Context) -> list[str]:
        """Statements that are seldom written."""
        self.used("odd statements")
        a = self.rng.choice(env.ints)
        if not ctx.nested and self.rng.random() < 0.1:
            self.used("walrus in a comprehension")
            return [f"[({self.name('last')} := q) for q in range(3) if q < {a}]"]
        return self.rng.choice(
            [
                ["pass"],
                ["'a constant'"],
                ["..."],
                [f"assert {a} != 777, {self.text(env)}"],
                ["import math"],
                ["from math import pi"],
                [f"print({a}, end=' ')"],
                [f"lam = lambda q: q + {a}", "lam(1)"],
                [f"{a}"],
                ["if 0: pass"],
                [f"{a}; {a}"],
                [f"(lambda: {self.call(env)})()"],
                ["if 1: pass", "else: pass"],
            ]
        )

    def leave(self, env: Env, ctx: Context) -> list[str]:
        """`break`, `continue`, `return`, `raise` or `yield`, mostly under a condition."""
        if self.risk < 1 and not ctx.loop and self.rng.random() < 0.8:
            return self.change(env, ctx)
        options = [f"raise {self.rng.choice(['Err0(1)', 'Err1(2)', 'ValueError', 'KeyError(3)'])}"]
        if ctx.loop:
            options += ["break", "continue"] * 2
        if not ctx.nested:
            options.append("return" if ctx.generator else f"return {self.number(env, 1)} % 9")
        if ctx.generator:
            got = self.name("got")
            yields = [
                f"yield {self.number(env, 1)}",
                f"{got} = yield {self.number(env, 1)}",
                f"yield from {self.items(env)}",
                f"{got} = (yield), (yield 2)",
            ]
            self.used("yield")
            return [self.rng.choice(yields)]
        if self.risk < 1 and len(options) > 1 and self.rng.random() < 0.9:
            del options[0]
        last = self.rng.choice(options)
        self.used(last.split()[0])
        if self.rng.random() < 0.8:
            return [f"if {self.truth(env)}: {last}"]
        return [f"if {self.truth(env)}:", f"    {last}"]

    def use_generator(self, env: Env, ctx: Context) -> list[str]:
        """Generators that are closed, dropped, driven by hand or left suspended."""
        self.used("generator")
        g, v = self.name("g"), self.name("v")
        made = f"{g} = {self.rng.choice(['give', 'relay'])}({self.rng.randrange(4)})"
        self.used(
            kind := self.rng.choice(["closed", "dropped", "suspended", "sent", "thrown", "loop"])
        )
        lines = {
            "closed": [f"{v} = next({g}, None)", f"{g}.close()"],
            "dropped": [
                f"next({g}, 0)",
                f"next({g}, 0)",
                self.rng.choice([f"{g} = None", f"del {g}"]),
            ],
            "suspended": [f"{v} = next({g}, 'none')"],
            "sent": [
                f"next({g}, None)",
                "try:",
                f"    {v} = {g}.send('s')",
                "except StopIteration as stop:",
                f"    {v} = stop.value",
            ],
            "thrown": [
                f"next({g}, None)",
                "try:",
                f"    {v} = {g}.throw(ValueError('t'))",
                "except (ValueError, StopIteration): pass",
            ],
            "loop": [f"for {v} in {g}:", f"    if {v} == 1: break"],
        }[kind]
        return [made, *lines]

    def use_bag(self, env: Env, ctx: Context) -> list[str]:
        """Instances, methods, properties and iterators of the program's classes."""
        self.used("methods")
        b, i = self.name("bag"), self.name("i")
        lines = [f"{b} = Bag({self.rng.randrange(3)})"]
        lines.append(
            self.rng.choice(
                [
                    f"{i} = {b}.put({self.number(env, 1)}).size",
                    f"{i} = Bag.make(2).size",
                    f"{i} = Bag.twice(3)",
                    f"{i} = sum({b}.put(1).put(2))",
                    f"{i} = int({b} == Bag(1))",
                    f"{i} = len([*Down(2)])",
                ]
            )
        )
        env.ints.append(i)
        return lines
