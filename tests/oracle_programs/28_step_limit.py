# call: f(30)
# max_steps: 50
def gen(n):
    for i in range(n):
        yield i


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def f(n):
    g = gen(n)
    a = next(g)
    b = next(g)
    return fib(n) + a + b
