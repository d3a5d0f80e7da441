# call: f()
class Loud:
    def __init__(self, log):
        self.log = log

    def __del__(self):
        self.log.append("gone")


def make(log):
    tmp = Loud(log)
    return 1


def f():
    log = []
    a = Loud(log)
    a = None
    b = make(log)
    return log
