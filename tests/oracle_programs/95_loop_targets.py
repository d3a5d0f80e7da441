# call: f()
class Box:
    pass


def at(log, i):
    log.append(i)
    return 0


def f():
    log = []
    box = Box()
    xs = [0]
    for box.n in (1, 2):
        pass
    for xs[at(log, 1)] in "ab":
        log.append(xs[0])
    for [box.m, *xs] in ((1, 2, 3), (4,)):
        continue
    return log, xs, box
