# call: f()
class Broken:
    def __init__(self):
        self.ready = False

    def __repr__(self):
        raise RuntimeError("not ready")


class Half(Broken):
    def __init__(self):
        print(len(vars(self)))
        super().__init__()

    def __repr__(self):
        return "Half(%s)" % self.ready


def f():
    a = 1
    b = Broken()
    h = Half()
    c = [b, 3]
    d = a + len(c)
    return d
