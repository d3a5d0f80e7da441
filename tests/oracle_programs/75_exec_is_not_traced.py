# call: f(2)
def f(n):
    ns = {}
    exec("def g(x):\n    y = x\n    return y", ns)
    a = ns["g"](n)
    b = eval("n + 1")
    return a, b
