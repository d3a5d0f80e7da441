# call: f(0)
class Bad(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


def g(n):
    try:
        return 1 // n
    except ZeroDivisionError as e:
        raise Bad(7) from e
    finally:
        n = -1


def again(e):
    raise e


def f(n):
    log = []
    try:
        g(n)
    except Bad as b:
        log.append(b.code)
        try:
            again(b)
        except Bad:
            log.append("again")
        try:
            raise
        except Bad as c:
            log.append(c is b)
    return log
