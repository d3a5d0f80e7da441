# call: f([3, 1, 2])
def put(x):
    seen.append(x)
    return 0


def shadowed(xs, max, len=put):
    top = max(xs)
    size = len(xs)
    str = xs.append
    str(1)
    return top, size, xs


seen = []


def tuple(x):
    seen.append(x)


def by_pattern(xs, given):
    match given:
        case [len, *rest]:
            n = len(xs)
    return n, xs, rest


def by_loop(xs):
    for abs in (xs.append, xs.remove):
        n = abs(3)
    return n, xs


def by_lambda(xs):
    n = (lambda ord: ord(5))(xs.append)
    m = [hex(6) for hex in [xs.append]]
    return n, m, xs


def f(xs):
    one = shadowed(xs, xs.append)
    ys = xs[:1]
    two = by_pattern(ys, [ys.append, 1])
    three = by_loop(ys)
    four = by_lambda(ys)
    tuple(7)
    n = tuple(8)
    return one, two, three, four, n, seen
