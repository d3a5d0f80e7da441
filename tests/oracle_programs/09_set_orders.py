# call: f()
def f():
    a = {3, 1, 2}
    b = {"b", "a", "c"}
    c = {2.5, 1.5}
    d = {1, "a", (2,), None, 2.5}
    e = {True, 2, 0}
    g = {frozenset({1}), frozenset({"x"}), frozenset()}
    h = {float("inf"), 1.0}
    return a, b, c, d, e, g, h
