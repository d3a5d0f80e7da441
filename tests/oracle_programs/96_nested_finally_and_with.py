# call: f()
import contextlib


@contextlib.contextmanager
def span(log, name):
    log.append("+" + name)
    try:
        yield
    finally:
        log.append("-" + name)


def g(log):
    for i in range(3):
        try:
            with span(log, "a"):
                try:
                    if i == 0:
                        continue
                    with span(log, "b"):
                        return i
                finally:
                    log.append("f%d" % i)
        finally:
            log.append("g%d" % i)
    else:
        log.append("else")


def f():
    log = []
    r = g(log)
    return r, log
