# call: f()
class Room:
    def __enter__(self):
        return (1, 2, 3)

    def __exit__(self, kind, value, trace):
        return kind is ValueError


def f():
    n = 0
    with Room() as (a, b):
        n = 1
    with Room() as (c, *d), Room() as (e, g):
        n = 2
    return n, c, d
