# call: f(0)
def down(n):
    return down(n + 1)


def f(n):
    try:
        down(n)
    except RecursionError:
        r = "caught"
    return r
