# call: f()
def gen(log):
    try:
        yield 1
        yield 2
    finally:
        log.append("closing")
        log.append("closed")


def f():
    log = []
    g = gen(log)
    a = next(g)
    g.close()
    h = gen(log)
    next(h)
    h = None
    for x in gen(log):
        break
    return log
