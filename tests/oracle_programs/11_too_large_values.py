# call: f()
def f():
    s = "x" * 998
    s = "x" * 999
    s = s + "y"
    s = s[:-1] + "z"
    big = list(range(1000))
    big[0] = -1
    big.pop()
    big = big[:5]
    d = {i: i for i in range(500)}
    nest = []
    for i in range(102):
        nest = [nest]
    return len(s)
