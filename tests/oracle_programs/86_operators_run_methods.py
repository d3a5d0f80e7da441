# call: f()
class V:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return V(self.x + other.x)

    def __iadd__(self, other):
        self.x += other.x
        return self

    def __lt__(self, other): return self.x < other.x

    def __bool__(self): return self.x > 0

    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return self.x + i

    def __contains__(self, x): return x == self.x

    def __call__(self, *args): return len(args)

    def __format__(self, spec): return f"V{self.x}{spec}"

    def __index__(self): return self.x


def f():
    a, b = V(1), V(2)
    c = a + b
    d = a
    a += b
    best = max([b, a])
    items = [i for i in c]
    if c and 3 in c:
        text = f"{c:!}"
    while not V(0):
        break
    return best.x, items, text, c(1, 2), [10, 20, 30, 40][b], a < b < c
