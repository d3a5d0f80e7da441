"""Seeded random programs of plain containers: no classes, imports, `with` or generators.

In these most statements change nothing but what they bind, and the tracer looks at nothing else
after them; so they are full of whatever changes an object without naming it: aliases, calls,
methods, iterators that run functions, names of built-ins bound anew.
"""

from __future__ import annotations

import random
import re

HELPERS = """
seen = []
table = {1: [1]}


def put(x):
    seen.append(x)
    return x


def grow(xs, n=1):
    xs.append(n)
    return xs


def both(one, two):
    one += two[:2]
    two = one
    n = len(two)
    two.append(n)
    return n


def note(k):
    global table
    table[k] = [k]
    if k > 4:
        table = {}
    return len(table)
"""
LISTS, INTS, TEXTS, DICTS = ("p", "q", "r"), ("i", "j", "n"), ("s", "t"), ("d", "e")
PLACES = {"L": LISTS, "M": LISTS, "I": INTS, "J": INTS, "S": TEXTS, "D": DICTS}
NUMBERS = (
    *("I", "7", "I + J", "len(L)", "sum(L[:3])", "max(L, default=0)", "min([I, J])", "put(I)"),
    *("L.count(I)", "D.get(I, 0)", "sum(x for x in L if x)", "abs(I) % 9", "len(grow(L, I))"),
    *("both(L, M)", "note(I)", "up()", "len(S)", "ord(S[:1] or 'a')", "L.pop() if L else 1"),
    *("[x for x in L if x != I][:1] == [J]", "D.setdefault(I, J)", "max(map(put, [I, J]))"),
    *("sorted(L, key=put)[:1] == L", "len([*map(L.append, [I])])", "(lambda x=I: x)()"),
    *("I in L", "not L", "L == M", "L is M", "I if L else J", "add(I) is None", "next(it, 0)"),
)
SIMPLE = (
    *("I = N", "I = N", "I += N", "I, J = J, N", "L = M", "L = M[:]", "L = [N, N]", "L += [N]"),
    *("L.append(N)", "L[:1] = [N]", "L[0:0] = M[:2]", "del L[:1]", "L.sort()", "L.reverse()"),
    *("L = sorted(M)", "L = M * 1", "L *= 1", "L = L + [N]", "S = str(N)", "S += 'x'", "S = S[:9]"),
    *("S = S.upper().replace('X', 'y')", "S = f'{I}{S[:2]}{L[:1]}'", "D[N] = N", "D.pop(N, None)"),
    *("D = dict(D)", "D |= {I: N}", "D = {x: I for x in L}", "d = e", "m = [L, M]", "m[0] = L"),
    *("m[-1].append(N)", "m = m[:2] + [L]", "x = m[0]", "it = map(put, L[:3])", "it = iter(L)"),
    *(
        "it = zip(L[:2], map(M.append, L[:2]))",
        "I = len([*it])",
        "I = N in it",
        "it = (put(x) for x in L[:3])",
    ),
    *("I = max(it, default=0)", "add = L.append", "add(N)", "add = put", "I = J = N"),
    *("L = M = [N]", "up = put if I else len", "put(N)", "up = lambda: L.append(1)", "w = L, M"),
    *("w = (I, S)", "L.extend(M[:2])", "L.clear()", "assert L is not D", "pass", "I; J", "del S"),
    *("S = 'ab'", "big = [it] * 400", "big = [L] * 400", "I = len(big)", "big[0] = N", "f = it"),
    *("(I) = len({*L[:3]})", "L = list(range(N % 5))", "L[-1:] = M[-1:]", "k = {I, J}", "k.add(N)"),
    *("k = k | {N}", "k |= {N}", "L.insert(0, len(L))", "b = bytearray(b'a')", "b.append(65)"),
)
FUNCTION_NAMES = ("len", "max", "sum", "sorted", "abs", "str")


class Plain:
    """Draws the suites of one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def fill(self, template: str) -> str:
        """Put random names and numbers into a template."""
        text = template
        while re.search(r"\bN\b", text):
            text = re.sub(r"\bN\b", self.rng.choice(NUMBERS), text, count=1)
        return re.sub(r"\b[LMIJSD]\b", lambda found: self.rng.choice(PLACES[found[0]]), text)

    def suite(self, size: int, level: int) -> list[str]:
        """`size` statements, some with suites inside them."""
        lines: list[str] = []
        for _ in range(size):
            if level < 3 and self.rng.random() < 0.3:
                lines += self.compound(level + 1)
            else:
                lines.append(self.fill(self.rng.choice(SIMPLE)))
        return lines

    def inside(self, level: int) -> list[str]:
        """An indented suite."""
        return ["    " + line for line in self.suite(self.rng.randrange(1, 4), level)]

    def compound(self, level: int) -> list[str]:
        """One statement with suites."""
        head = self.rng.choice(
            [
                *("if N:", "for I in L[:3]:", "for I in range(3):", "for I in D.copy():"),
                *("for L[:1] in [[1], [2]]:", "for I, J in zip(L[:2], M[:3]):", "try:", "try:"),
                *("for I in map(put, L[:2]):", "match N, L:", "def up(z=I):", "for L in m[:2]:"),
            ]
        )
        lines = [self.fill(head)]
        if head.startswith("match"):
            for case in ("1, [x, *_]", "I, [] | [_]", "x, w if N", "_"):
                lines += [f"    case {self.fill(case)}:", *["    " + x for x in self.inside(level)]]
            return lines
        lines += self.inside(level)
        if head.startswith("def"):
            shared = self.rng.choice([*LISTS, *INTS])
            lines.insert(1, f"    nonlocal {shared}")
            lines.append(f"    return {self.rng.choice(INTS)}")
            return lines
        if head == "try:":
            lines += ["except Exception as error:", *self.inside(level)]
        elif self.rng.random() < 0.3:
            lines += ["else:", *self.inside(level)]
        return lines


def generate_plain(seed: int) -> tuple[str, str, str]:
    """Source, entry point and arguments as text; the same on every Python version."""
    rng = random.Random(f"plain program {seed}")
    drawn = Plain(rng)
    body = ["i, j, n = 1, 2, a", "p, q, r = xs, xs, [3, 1]", "s, t = 'ab', ''", "d = {1: 2}"]
    body += ["e, m, it, x, w = d, [p, r], iter(q), 0, ()", "big, k, b, f = [0] * 400, {1}, b'', 0"]
    body.append("up, add = (lambda: 1), p.append")
    if rng.random() < 0.2:
        body.append(f"{rng.choice(FUNCTION_NAMES)} = {rng.choice(['grow', 'put', 'p.remove'])}")
    for _ in range(rng.randrange(6, 14)):
        lines = drawn.suite(rng.randrange(1, 4), 0)
        if rng.random() < 0.7:
            lines = ["try:", *["    " + line for line in lines], "except Exception:", "    i = 5"]
        body += lines
    body.append("return i, j, n, p, q, r, s, t, d, seen, table")
    source = "\n".join([HELPERS, "", "def entry(a, xs):", *["    " + line for line in body]])
    values = [rng.randrange(6) for _ in range(rng.randrange(1, 5))]
    return source + "\n", "entry", f"{rng.randrange(5)}, {values}"
