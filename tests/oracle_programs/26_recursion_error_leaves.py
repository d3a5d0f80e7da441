# call: f(0)
def halvings(n, depth):
    if n == 1:
        return depth
    return halvings(n // 2, depth + 1)


def f(n):
    return halvings(n, 0)
