# call: f()
def leaf(n):
    try:
        got = yield n
        got = yield got
    except KeyError:
        got = "key"
    return got


def tree():
    a = yield from leaf(1)
    b = yield from [a, 2]
    c = yield from leaf(3)
    return a, b, c


def pull(g, v):
    return g.send(v)


def f():
    g = tree()
    out = [next(g), pull(g, "x"), next(g)]
    out.append(pull(g, None))
    out.append(next(g))
    try:
        g.throw(KeyError("k"))
    except StopIteration as stop:
        out.append(stop.value)
    h = tree()
    next(h)
    h.close()
    k = tree()
    next(k)
    return out
