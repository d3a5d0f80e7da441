# call: f(5)
def f(n):
    xs = list(range(80))
    xs[79] = n
    xs.append(n)
    return xs[-1]
