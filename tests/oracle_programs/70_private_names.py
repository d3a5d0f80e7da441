# call: f()
class Box:
    __slots__ = ("__v",)
    __count = 0

    def __init__(self, v):
        __tmp = v
        self.__v = __tmp

    def get(self):
        return self.__v + Box.__count


def f():
    return Box(3).get()
