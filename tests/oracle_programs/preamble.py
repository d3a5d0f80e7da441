"""The module text in front of every random program: globals, classes, decorators, managers."""

PREAMBLE = """
import collections
import contextlib
import dataclasses
import enum
import functools

total = 0
seen = []


class Err0(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Err1(Err0):
    pass


@dataclasses.dataclass
class Spot:
    x: int
    y: int = 0


class Hue(enum.Enum):
    RED = 1
    BLUE = "b"


class Bag:
    __slots__ = ("held", "n")

    def __init__(self, n):
        self.n = n
        self.held = []

    def put(self, x):
        self.held.append(x)
        return self

    @property
    def size(self):
        return len(self.held) + self.n

    @staticmethod
    def twice(x):
        return x * 2

    @classmethod
    def make(cls, n): return cls(n).put(n)

    def __iter__(self):
        for x in self.held:
            yield x

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return self.n


class Down:
    def __init__(self, n):
        self.n = n

    def __iter__(self): return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


class Room:
    def __init__(self, swallow=False, fail=False):
        self.swallow = swallow
        self.fail = fail

    def __enter__(self):
        seen.append("in")
        return len(seen)

    def __exit__(self, kind, value, trace):
        seen.append("out" if kind is None else kind.__name__)
        if self.fail:
            raise Err1(2)
        return self.swallow


class Hush:
    def __init__(self, *kinds): self.kinds = kinds

    def __enter__(self): return self

    def __exit__(self, *info):
        return info[0] is not None and issubclass(info[0], self.kinds)


@contextlib.contextmanager
def door(n):
    seen.append(n)
    try:
        yield n + 1
    except Err0 as e:
        seen.append(e.code)
    finally:
        seen.append("shut")


def plain(fn):
    @functools.wraps(fn)
    def inner(*args, **kw):
        return fn(*args, **kw)
    return inner


def counted(k):
    def wrap(fn):
        count = 0

        def inner(n, xs):
            nonlocal count
            count += k
            return fn(n, xs)
        return inner
    return wrap


def by_key(x):
    k = -x % 3
    return k


def give(k):
    try:
        for i in range(k):
            got = yield i
            if got: seen.append(got)
    except ValueError as e:
        yield -1
    finally:
        seen.append("end")
    return k


def relay(k):
    r = yield from give(k)
    yield r
    yield from [r, (yield)]
""".strip().splitlines()
