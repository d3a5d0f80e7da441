# call: f(2)
def g(x):
    return x


def f(n):
    d = {
        "a": g(n),
        "b": [
            g(n + 1),
            n,
        ],
    }
    r = (
        g(1)
        + g(2)
    )
    for k in (
        1,
        2,
    ):
        r += (
            k
        )
    return (
        d,
        r,
    )
