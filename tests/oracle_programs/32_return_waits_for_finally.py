# call: f(3)
def g(xs):
    try:
        return xs
    finally:
        xs.append("late")


def f(n):
    xs = [n]
    r = g(xs)
    return r is xs
