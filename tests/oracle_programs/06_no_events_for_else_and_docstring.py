# call: f(2)
"""Module text."""


def f(n):
    """Function text."""
    for i in range(n):
        pass
    else:
        'a constant'
    try:
        n += 1
    except ValueError:
        n = 0
    else:
        n += 1
    finally:
        ...
    return n
