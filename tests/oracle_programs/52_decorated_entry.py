# call: f(3)
def twice(fn):
    def inner(x):
        r = fn(x)
        return fn(r)
    return inner


@twice
def f(x):
    y = x + 1
    return y
