# call: f(1700)
def f(n):
    p = 1
    for i in range(1, n + 1, 100):
        p *= i
    q = 10**4299
    q *= 10
    q = -q
    r = 1 << 159_980
    r <<= 100
    r += 1
    s = [q]
    return p % 1000003
