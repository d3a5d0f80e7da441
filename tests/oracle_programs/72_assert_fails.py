# call: f(1)
def why(n):
    return "n is %d" % n


def f(n):
    m = n
    assert m > 1, why(n)
    return m
