# call: f(2)
total = 0
seen = []
limit = 3
handler = len


def add(n):
    global total
    total += n
    seen.append(n)


def reset():
    global handler, fresh
    handler = 5
    handler = max
    handler = [1]
    fresh = 1
    del fresh


def f(n):
    for i in range(n):
        add(i)
    reset()
    pick = lambda: limit
    return total, seen, handler
