# call: f()
def stubborn(log):
    try:
        yield 1
    except GeneratorExit:
        log.append("bye")
    log.append("end")


def thrown(log):
    while True:
        try:
            yield len(log)
        except ValueError as e:
            log.append(str(e))


def f():
    log = []
    s = stubborn(log)
    next(s)
    s.close()
    t = thrown(log)
    next(t)
    n = t.throw(ValueError("v"))
    try:
        t.throw(KeyError("k"))
    except KeyError:
        log.append(n)
    return log
