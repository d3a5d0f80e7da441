# call: f()
def gen():
    try:
        yield 1
        raise KeyError(1)
    finally:
        x = yield 2
        yield x


def g2(log):
    try:
        yield 1
    finally:
        log.append((yield 2))


def f():
    out = []
    g = gen()
    try:
        while True:
            out.append(g.send(None if not out else "s"))
    except KeyError as e:
        out.append(e.args[0])
    h = g2(out)
    next(h)
    try:
        h.close()
    except RuntimeError:
        out.append("ignored exit")
    return out
