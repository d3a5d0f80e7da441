# call: f()
items = []


def gen():
    items.append("a")
    yield 1
    items.append("b")
    yield 2


def f():
    g = gen()
    next(g)
    items.append("main")
    next(g)
    items.append("end")
    return items
