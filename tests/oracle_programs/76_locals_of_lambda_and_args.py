# call: f((1, 2))
def f(pair, extra=[]):
    extra.append(pair)
    (a, b), c = pair, 3
    add = lambda u, v=b: u + v + a
    return add(c), extra
