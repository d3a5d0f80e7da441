# call: f()
import collections


class Big:
    def __init__(self, n):
        self.xs = list(range(n))
        self.ys = {}


class Long(list):
    pass


class Key:
    def __init__(self, k):
        self.k = k

    def __hash__(self):
        raise TypeError if self.k > 5 else None

    def __hash__(self):
        return self.k

    def __eq__(self, other):
        return self.k == other.k


def f():
    a = Big(3)
    a = Big(500)
    a.xs.append(0)
    a.zs = 1
    b = Long(range(3))
    b.extend(range(500))
    k = {Key(1): "a", Key(2): "b"}
    o = collections.OrderedDict([((1, 2), "t"), (Key(3), "k")])
    s = {Key(4)}
    return len(b)
