# call: f([1, [2, 3], {'k': 4}, 'x', (5,), None, 7])
class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


def big(n):
    return n > 5


def kind(v):
    match v:
        case 1 | 2:
            return "small"
        case [a, *rest] if rest:
            return a, rest
        case {"k": k, **more}:
            return k, more
        case str() as s:
            return s
        case Point(x=0, y=y) | Point(y, 0):
            return y
        case int(n) if big(n): return "big"
        case None: pass
        case _:
            return "other"


def f(vs):
    return [kind(v) for v in [*vs, Point(0, 3), Point(4, 0), Point(1, 1)]]
