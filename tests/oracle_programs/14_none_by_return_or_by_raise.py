# call: f()
def quiet(x):
    if x > 0:
        return
    y = x


def loud(x):
    return 1 // x


def f():
    out = []
    out.append(quiet(1))
    out.append(quiet(0))
    try:
        out.append(loud(0))
    except ZeroDivisionError as e:
        out.append(type(e).__name__)
    return out
