# call: f(3)
def f(n):
    n += 1
    yield n
