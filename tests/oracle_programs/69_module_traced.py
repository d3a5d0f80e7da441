# call: None
"""Text."""
from __future__ import annotations

import math

x: int = 1
y: str
items = [x]


def f(n):
    items.append(n)
    return n


class C:
    z = f(2)


if x:
    w = f(3)
for i in range(2):
    pass
print(math.floor(1.5), items)
