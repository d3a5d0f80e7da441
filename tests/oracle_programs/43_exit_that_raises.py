# call: f()
class Angry:
    def __enter__(self):
        return self

    def __exit__(self, *info):
        raise ValueError("exit")


def f():
    log = []
    try:
        with Angry() as angry:
            log.append("body")
    except ValueError as e:
        log.append(str(e))
    try:
        with Angry():
            return log
    except ValueError:
        log.append("cancelled")
    return log
