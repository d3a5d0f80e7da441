# call: f()
def add(ys, y):
    ys.append(y)


def f():
    a = [1]
    b = a
    add(b, 2)
    c = a[:]
    a += [3]
    del b
    c = {*c}
    c.add(2)
    return a, c
