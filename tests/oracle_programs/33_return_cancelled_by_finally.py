# call: f(3)
def first(xs):
    for x in xs:
        try:
            return x
        finally:
            if x < 3:
                continue
    return None


def second():
    try:
        return 1
    finally:
        for i in [0]:
            try:
                return 2
            finally:
                break


def third():
    try:
        return 1
    finally:
        return 2


def fourth():
    while True:
        try:
            raise ValueError
        finally:
            break
    return 4


def f(n):
    return first(range(n + 1)), second(), third(), fourth()
