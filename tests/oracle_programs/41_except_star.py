# call: f()
def g(log):
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2), OSError(3)])
    except* ValueError as e:
        log.append(len(e.exceptions))
    except* TypeError:
        log.append("no")
    except* KeyError as k:
        log.append(type(k).__name__)


def one(log):
    try:
        raise ValueError(1)
    except* ValueError as e:
        log.append("one")
    except* KeyError:
        log.append("no")
    else:
        log.append("no")
    finally:
        log.append("end")


def both(log):
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
    except* ValueError:
        raise IndexError(1)
    except* KeyError:
        log.append("both")


def f():
    log = []
    try:
        g(log)
    except ExceptionGroup as rest:
        log.append(len(rest.exceptions))
    one(log)
    try:
        both(log)
    except* IndexError:
        log.append("index")
    return log
