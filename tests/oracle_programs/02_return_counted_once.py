# call: f(2)
def g(w):
    w = w * 2
    return w


def f(n):
    return [g(i) for i in range(n)] + [g(n)]
