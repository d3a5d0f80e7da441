# call: f([0.5] * 10)
def f(xs):
    total = sum(xs)
    by_loop = 0.0
    for x in xs:
        by_loop += x
    return total, by_loop, total == by_loop
