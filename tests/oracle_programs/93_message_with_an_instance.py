# call: f()
class Thing:
    pass


def f():
    raise ValueError(Thing())
