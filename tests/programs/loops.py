# call: f([3, 1, 2], k=2)
def f(xs, k):
    "Adds up what is at least k."
    total = 0
    for x in xs:
        if x >= k:
            total += x
        elif x == 1:
            continue
    while total > 4:
        total -= 1
    else:
        total = -total
    return total
