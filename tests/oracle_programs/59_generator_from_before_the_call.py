# call: f()
def gen():
    x = 1
    yield x
    x = 2
    yield x
    x = 3


source = gen()
first = next(source)


def f():
    a = next(source)
    return a + first
