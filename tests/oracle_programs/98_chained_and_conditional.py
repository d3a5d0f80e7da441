# call: f(3)
def g(log, x):
    log.append(x)
    return x


def f(n):
    log = []
    a = g(log, 1) < g(log, 0) < g(log, 5)
    b = g(log, 0) and g(log, 2) or g(log, 3)
    c = g(log, 4) if a else g(log, 6)
    d = [g(log, 7), *(g(log, i) for i in range(2))][g(log, 1)]
    e = {g(log, 8): g(log, 9), **{g(log, 10): 0}}
    lam = lambda p=g(log, 11): g(log, p)
    h = lam() + (lambda: g(log, 12))()
    return log
