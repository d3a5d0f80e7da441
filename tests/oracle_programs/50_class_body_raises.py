# call: f(0)
def f(n):
    try:
        class C:
            a = 1
            b = a // n
            c = 3
    except ZeroDivisionError as e:
        r = type(e).__name__
    return r
