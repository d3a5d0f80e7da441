# call: f(3)
import functools


def log_to(out):
    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args, **kw):
            out.append(fn.__name__)
            return fn(*args, **kw)
        return inner
    return wrap


def f(n):
    out = []

    @log_to(out)
    @functools.lru_cache(maxsize=None)
    def fact(k):
        return 1 if k < 2 else k * fact(k - 1)

    @functools.total_ordering
    class V:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return self.v == o.v

        def __lt__(self, o):
            return self.v < o.v

    return fact(n), out, V(1) >= V(0)
