# call: f([1, 2, 3])
def f(xs):
    if (n := len(xs)) > 2:
        m = n
    while (k := xs.pop()) > 1:
        del m
        m = k
    ys = [last := x for x in range(3)]
    del xs[:], ys[0]
    del (n, m)
    return k, last, xs, ys
