# call: f()
class Guard:
    def __init__(self, name, log, swallow=False):
        self.name = name
        self.log = log
        self.swallow = swallow

    def __enter__(self):
        self.log.append("+" + self.name)
        return self.name

    def __exit__(self, kind, value, trace):
        self.log.append("-" + self.name)
        return self.swallow


def f():
    log = []
    with Guard("a", log) as a, Guard("b", log) as b:
        log.append(a + b)
    with Guard("c", log, swallow=True):
        log.append("before")
        raise KeyError("c")
        log.append("never")
    for i in range(2):
        with Guard("d", log):
            if i == 0:
                continue
            break
    return log
