# call: f([1, 2])
def f(v):
    match v:
        case [a, b] if a > b:
            r = 1
        case [c, 3]:
            r = 2
        case [d, e]:
            r = d + e
    return r
