# call: f(3)
def f(n):
    out = []
    for i in range(n):
        out.append([k for k in range(i)])
    total = sum(k * i for k in range(2))
    pairs = {k: {j for j in range(k)} for k in range(n)}
    return out, total, pairs
