# call: f(4)
def g(i):
    r = i * i
    return r


def f(n):
    a = g(n)
    out = []
    for i in range(n):
        y = g(i) if i % 2 == 0 else i + 100
        out.append(y)
    return a, out
