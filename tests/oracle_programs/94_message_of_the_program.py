# call: f()
class Loud(Exception):
    def __str__(self):
        return "loud"


def f():
    raise Loud("quiet")
