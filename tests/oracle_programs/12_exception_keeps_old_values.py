# call: f(0)
def f(n):
    x = 5
    try:
        x = 1 // n
    except ZeroDivisionError:
        y = x
    return x
