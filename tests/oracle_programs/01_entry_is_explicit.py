# call: f(3)
def helper(n):
    return n + 1


def f(n):
    a = helper(n)
    r = helper(a)
    return r
