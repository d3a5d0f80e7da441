# call: f()
def gen():
    x = 1
    yield x
    x = 2
    yield x
    x = 3
    yield x


def deep(g):
    return next(g)


def deeper(g):
    return deep(g)


def f():
    g = gen()
    a = next(g)
    b = deeper(g)
    c = deep(g)
    return a, b, c
