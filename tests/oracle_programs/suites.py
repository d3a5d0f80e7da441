"""Random suites, and the statements that handle exceptions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from oracle_programs.blocks import Blocks, inside
from oracle_programs.expressions import Env
from oracle_programs.simple import Context


class Suites(Blocks):
    """Draws suites; every method returns the lines of one statement (or a few)."""

    def suite(self, env: Env, ctx: Context, size: int, level: int = 1) -> list[str]:
        """`size` statements; suites inside them shrink with `level`."""
        simple: list[Callable[[Env, Context], list[str]]] = [
            self.assign,
            self.assign,
            self.change,
            self.change,
            self.unpack,
            self.alias,
            self.hold_value,
            self.odd,
            self.use_generator,
            self.use_bag,
            self.leave,
        ]
        compound: list[Callable[[Env, Context, int], list[str]]] = [
            self.branch,
            self.branch,
            self.count,
            self.count,
            self.repeat,
            self.attempt,
            self.attempt,
            self.manage,
            self.choose,
            self.nest,
            self.body_of_class,
            self.groups,
        ]
        lines: list[str] = []
        for _ in range(size):
            if level < 3 and self.rng.random() < 0.5 - 0.1 * level:
                lines += self.rng.choice(compound)(env, ctx, level + 1)
            else:
                lines += self.rng.choice(simple)(env, ctx)
        return lines or ["pass"]

    def attempt(self, env: Env, ctx: Context, level: int) -> list[str]:
        """`try` in its forms."""
        self.used("try")
        rng = self.rng
        before, self.risk = self.risk, 1
        body = self.short(env, ctx, level)
        self.risk = before
        if rng.random() < 0.5:
            risk = rng.choice(
                [
                    f"{self.number(env, 1)} // 0",
                    "[].pop()",
                    "int('x')",
                    "raise Err1(5)",
                    "missing",
                    f"{env.dicts[0]}['none']",
                    "next(iter(()))",
                    "raise Err0(6)",
                ]
            )
            body.append(f"    {risk}")
        lines = ["try:", *body]
        handlers = rng.randrange(0, 4)
        kinds = rng.sample(
            [
                "ValueError",
                "(KeyError, IndexError)",
                "ZeroDivisionError",
                "Err0",
                "(lambda: NameError)()",
                "LookupError",
                "ArithmeticError",
            ],
            handlers,
        )
        for kind in kinds:
            self.used("except")
            e = self.name("e")
            bound = rng.random() < 0.6
            lines += [
                f"except {kind} as {e}:" if bound else f"except {kind}:",
                *self.short(env, ctx, level),
            ]
            if bound and rng.random() < 0.3:
                lines.append(rng.choice([f"    del {e}", f"    seen.append(type({e}).__name__)"]))
            if rng.random() < 0.15:
                self.used("raise again")
                lines.append(rng.choice(["    raise", "    raise Err0(8) from None"]))
        if rng.random() < 0.4 or not handlers:
            lines += [
                rng.choice(["except Exception:", "except Exception as error:", "except:"]),
                *self.short(env, ctx, level),
            ]
            handlers += 1
        if rng.random() < 0.3:
            self.used("try else")
            lines += ["else:", *self.short(env, ctx, level)]
        if rng.random() < 0.4:
            self.used("finally")
            lines += ["finally:", *self.short(env, replace(ctx, generator=False), level)]
            if rng.random() < 0.2 and not ctx.nested:
                self.used("return in finally")
                lines.append(f"    if {self.truth(env)}: return 4")
            if rng.random() < 0.3 and ctx.loop:
                self.used("break in finally")
                lines.append(f"    if {self.truth(env)}: {rng.choice(['break', 'continue'])}")
        return lines

    def groups(self, env: Env, ctx: Context, level: int) -> list[str]:
        """`try` with `except*` (which holds no `break`, `continue` or `return`)."""
        self.used("except*")
        rng = self.rng
        held = replace(ctx, loop=False, nested=True, generator=False)
        made = ", ".join(
            rng.sample(
                ["ValueError(1)", "KeyError(2)", "Err0(3)", "OSError(4)"], rng.randrange(1, 4)
            )
        )
        body = [
            *self.short(env, ctx, level),
            f"    if {self.truth(env)}:",
            f"        raise ExceptionGroup('g', [{made}])",
        ]
        lines = ["try:", *body]
        for kind in rng.sample(
            ["ValueError", "LookupError", "Err0", "TypeError"], rng.randrange(1, 4)
        ):
            e = self.name("e")
            head = f"except* {kind} as {e}:" if rng.random() < 0.6 else f"except* {kind}:"
            lines += [head, *self.short(env, held, level)]
        if rng.random() < 0.3:
            lines += ["else:", *self.short(env, ctx, level)]
        if rng.random() < 0.3:
            lines += ["finally:", *self.short(env, replace(ctx, generator=False), level)]
        if level < 3 and rng.random() < 0.9:
            lines = [
                "try:",
                *inside(lines),
                "except Exception as error:",
                "    seen.append('left')",
            ]
        return lines

    def manage(self, env: Env, ctx: Context, level: int) -> list[str]:
        """`with` over managers that let pass, swallow or raise."""
        self.used("with")
        w = self.name("w")
        one = self.rng.choice(
            [
                "Room()",
                "Room(True)",
                "Room()",
                "Room(True, True)",
                "door(2)",
                "Hush(LookupError)",
                "contextlib.nullcontext(3)",
            ]
        )
        two = self.rng.choice(["", "", f", Room(True) as {w}b", ", door(1)", f", Room({w} // 0)"])
        caught = level < 3 and self.rng.random() < 0.8
        before, self.risk = self.risk, 1 if caught else self.risk
        lines = [f"with {one} as {w}{two}:", *self.short(env, ctx, level)]
        if caught and self.rng.random() < 0.4:
            lines.append(f"    {self.number(env, 1)} // 0")
        self.risk = before
        if caught:
            lines = ["try:", *inside(lines), "except Exception: seen.append('with')"]
        return lines
