# call: f(3)
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1


def f(n):
    seen = [k * k for k in count(n)]
    g = count(9)
    first = next(g)
    total = sum(x for x in seen)
    return first, total, sorted(seen, key=lambda x: -x)
