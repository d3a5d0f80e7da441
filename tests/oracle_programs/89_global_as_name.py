# call: f()
err = 1


def g():
    global err
    try:
        1 // 0
    except ZeroDivisionError as err:
        h()
    return None


def h():
    x = str(err)
    return x


def f():
    g()
    return "err" in globals()
