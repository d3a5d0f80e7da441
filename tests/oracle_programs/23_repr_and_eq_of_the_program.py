# call: f()
class P:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        text = "P(%d)" % self.x
        return text

    def __eq__(self, o):
        same = self.x == o.x
        return same

    def __hash__(self):
        return hash(self.x)

    def __len__(self):
        raise TypeError


def f():
    p = P(1)
    q = P(1)
    same = p == q
    d = {p: 1, q: 2}
    return same, len(d)
