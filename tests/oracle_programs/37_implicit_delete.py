# call: f(2)
def g():
    try:
        raise ValueError(1)
    except ValueError as err:
        return str(err)


def f(n):
    err = "mine"
    try:
        n // 0
    except ZeroDivisionError as err:
        n += 1
        for i in range(2):
            if i:
                break
    out = [g()]
    for i in range(2):
        try:
            raise KeyError(i)
        except KeyError as k:
            if i == 0:
                continue
            del k
    return out
