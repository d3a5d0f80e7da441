# call: f(3)
def g(x):
    return x * 2


def make(n):
    return (g(i) for i in range(n))


def use(it):
    total = 0
    for x in it:
        total += x
    return total


def f(n):
    it = make(n)
    first = next(it)
    return first + use(it)
