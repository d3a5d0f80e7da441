# call: f('7', 'x')
def parse(text):
    try:
        number = int(text)
    except ValueError as error:
        kind = type(error).__name__
        return kind
    finally:
        done = True
    return number


def f(good, bad):
    a = parse(good)
    b = parse(bad)
    try:
        raise KeyError(a)
    except (TypeError, KeyError):
        c = [a, b]
    c[5]
    return c
