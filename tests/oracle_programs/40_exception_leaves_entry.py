# call: f([1, 0])
def g(x):
    y = 10 // x
    return y


def f(xs):
    out = []
    for x in xs:
        out.append(g(x))
    return out
