# call: f()
def idx(log):
    log.append("i")
    return 0


def f():
    log = []
    m = [[1, 2], [3]]
    m[idx(log)][1] += 5
    m[1] *= 2
    a = b = m[0]
    a[0], c = c, a[0] = 7, 8
    s = f"{a[0]:>{c}}{idx(log)!r}"
    assert s, "no"
    return m, s, log
