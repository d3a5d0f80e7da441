# call: f()
import contextlib


@contextlib.contextmanager
def room(log):
    log.append("in")
    try:
        yield "key"
    except KeyError:
        log.append("lost")
    finally:
        log.append("out")


def f():
    log = []
    with room(log) as key:
        log.append(key)
    with room(log):
        raise KeyError(1)
    with contextlib.suppress(ZeroDivisionError):
        1 // 0
    with contextlib.suppress(ZeroDivisionError), room(1 // 0):
        pass
    return log
