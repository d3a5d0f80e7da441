# call: f(1, 2, 3, k=4, *[5], **{'z': 6})
def g(a, /, b=2, *args, c, d=4, **kw):
    return a, b, args, c, d, kw


def f(*args, **kw):
    first, *middle, last = args
    r = g(*args, c=1, **kw)
    x = [*args, *middle]
    d = {**kw, "last": last}
    return r, x, d
