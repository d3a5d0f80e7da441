# call: f(1)
def g(log):
    try:
        raise KeyError(1)
    finally:
        try:
            raise ValueError(2)
        except ValueError:
            log.append("inner")
        log.append("outer")


def f(n):
    log = []
    try:
        g(log)
    except LookupError as e:
        log.append(e.args)
    return log
