# call: f()
class A:
    class B:
        def m(self):
            def inner():
                return 1
            return inner()

        @classmethod
        def make(cls):
            return cls()


def f():
    def local():
        class L:
            def m(self):
                return 2
        return L().m()
    g = lambda: A.B.make().m()
    return local() + g()
