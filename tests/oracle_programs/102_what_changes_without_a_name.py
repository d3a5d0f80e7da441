# call: f([3, 1, 2], map(str, [7, 8]))
log = []
names = {"b": [2]}


def put(x):
    log.append(x)
    return x


def lazy(xs):
    seen = xs
    late = map(seen.append, [4, 5])
    first = [None in late, 5 in seen]
    late = filter(seen.append, [6])
    any(late)
    pairs = [zip(map(put, seen[:2]), "ab")]
    both = max(pairs[0])
    asked = iter(seen.pop, 1)
    total = sum(asked)
    found = 9 in (seen.append(n) or n for n in (9, 10))
    rest = [*map(put, seen[:1])]
    return first, both, total, found, rest, len(seen)


def crowd(xs, many):
    top = max(many[399])
    size = len(many)
    return top, size, xs


def aliases(xs):
    a = b = xs
    a += [5]
    b = b
    a = a + [6]
    b *= 2
    c = [xs, a]
    c[0][0] = 'x'
    c[1], n = c[1][:2], len(a)
    for c[0] in (1, 2):
        n -= 1
    del c[0]
    a = c = n
    return a, b, c


def shared(xs):
    count = 0
    kept = xs

    def up():
        nonlocal count
        count += 1
        kept.append(count)
        return count

    up()
    n = [up() for _ in range(2)][0]
    count += 10
    kept = up()
    return n, count, kept


def globals_too(n):
    global names
    n = names["b"]
    names = {"c": n}
    names["c"].append(1)
    log.clear()
    names |= {"d": n}
    n = sorted(names)
    return n


def f(xs, given):
    again = given
    xs = xs[:]
    t = lazy(xs)
    word = max(given)
    u = aliases(xs[:2])
    w = shared(xs)
    y = xs[:1]
    y = crowd(y, [map(y.append, [1])] * 400)
    z = globals_too(0)
    left = [*again], log, names
    return t, u, w, y, z, word, left, [len(xs) for _ in "a"], put(xs) is xs
