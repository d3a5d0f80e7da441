# call: f()
def count(n):
    while n > 0:
        got = yield n
        n -= got or 1


def f():
    out = []
    g = count(5)
    out.append(next(g))
    out.append(g.send(2))
    out.extend(g)
    return out
