# call: f(2)
def f(n):
    out = []
    while True:
        n -= 1
        if n < 0:
            break
    else:
        out.append("no")
    while n:
        n += 1
    else:
        out.append("else")
    if 0:
        out.append("never")
    elif 1:
        out.append("always")
    while 0: pass
    for i in ():
        out.append(i)
    else: out.append("empty")
    return out
