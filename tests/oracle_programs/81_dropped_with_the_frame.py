# call: f()
def gen(log, name):
    try:
        yield name
    finally:
        log.append(name)


def hold(log):
    b = gen(log, "b")
    a = gen(log, "a")
    next(a)
    next(b)
    return "held"


def f():
    log = []
    r = hold(log)
    c = gen(log, "c")
    next(c)
    c = d = gen(log, "d")
    next(d)
    log.append(r)
    return log
