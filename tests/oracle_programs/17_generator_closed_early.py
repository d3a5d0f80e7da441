# call: f()
def gen():
    yield 3
    yield 4


def f():
    g = gen()
    first = next(g)
    return first
