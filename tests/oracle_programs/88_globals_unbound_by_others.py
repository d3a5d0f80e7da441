# call: f()
cache = [1]
name = "x"


def drop():
    global cache
    del cache


def swap():
    global name
    name = name + "y"


def fill():
    global cache
    cache = [2]


def f():
    n = len(cache)
    drop()
    swap()
    try:
        cache
    except NameError:
        fill()
    return cache, name, n
