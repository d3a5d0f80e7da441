# call: f()
def note(log, x):
    log.append(x)
    return x


def deco(log):
    def wrap(fn):
        log.append("wrap")
        return fn
    return wrap


def f():
    log = []

    @deco(log)
    @deco(log)
    def g(a=note(log, 1), *, b: note(log, 3) = note(log, 2)) -> note(log, 4):
        return a + b

    @deco(log)
    class K(note(log, object), metaclass=note(log, type)):
        x = note(log, 5)

    return g(), len(log)
