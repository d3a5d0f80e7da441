# call: f()
def gen(n):
    yield n
    if n > 1:
        raise ValueError(n)
    return "done"


def stops():
    yield 1
    raise StopIteration(2)


def f():
    out = []
    for n in (1, 2):
        g = gen(n)
        try:
            while True:
                out.append(next(g))
        except StopIteration as s:
            out.append(s.value)
        except ValueError as v:
            out.append("bad")
    try:
        list(stops())
    except RuntimeError:
        out.append("runtime")
    return out
