# call: f(3)
class Down:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


def f(n):
    out = []
    for x in Down(n):
        out.append(x)
    a, *b = Down(2)
    for i, (j, *k) in enumerate([(1, 2), (3,)]):
        out.append(k)
    try:
        for p, q in [(1, 2), 3]:
            out.append(p)
    except TypeError:
        out.append("unpack")
    return out, a, b
