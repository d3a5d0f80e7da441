# call: f()
def f():
    a = [1]
    b = a
    b.append(2)
    c = (a, [a])
    a += [3]
    b = b + [4]
    c[1].append(0)
    return a, b, c
