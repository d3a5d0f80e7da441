# call: f([3, 1, 2])
import functools


def key(x):
    k = -x
    return k


def add(a, b):
    return a + b


def f(xs):
    a = sorted(xs, key=key)
    b = list(map(lambda x: key(x), xs))
    c = functools.reduce(add, xs)
    d = max(xs, key=lambda x: key(x))
    return a, b, c, d
