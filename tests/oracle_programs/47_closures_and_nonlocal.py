# call: f(2)
def make(k):
    count = 0
    log = []

    def step(n):
        nonlocal count
        count += n * k
        log.append(count)
        return count

    def middle():
        def inner():
            return count
        return inner()

    return step, middle


def f(n):
    step, middle = make(n)
    a = step(1)
    b = step(2)
    return a, b, middle()
