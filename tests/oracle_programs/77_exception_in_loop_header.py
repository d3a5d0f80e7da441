# call: f()
def nums():
    yield 1
    raise ValueError("end")


def f():
    got = []
    try:
        for x in nums():
            got.append(x)
    except ValueError as e:
        got.append(str(e))
    try:
        for y in 5:
            pass
    except TypeError:
        got.append("type")
    while True:
        try:
            while nums() > 1:
                pass
        except TypeError:
            break
    return got
