# call: f(100000)
class Slow:
    def __repr__(self):
        while True:
            pass


def f(n):
    big = list(range(n))
    s = Slow()
    nest = []
    for i in range(3):
        nest = [nest, nest]
    deep = []
    for i in range(40):
        deep = [deep, deep]
    big[0] = -1
    return len(big), big[-1], nest
