# call: f()
class Meta(type):
    @classmethod
    def __prepare__(meta, name, bases, **kw):
        space = {"ready": name}
        return space

    def __call__(cls, *args):
        made = super().__call__(*args)
        return made


class Field:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner):
        if obj is None:
            return self
        return obj.__dict__.get(self.name, 0)

    def __set__(self, obj, value):
        obj.__dict__[self.name] = value * 2


def f():
    class A(metaclass=Meta):
        x = Field()
        seen = ready

        def __init_subclass__(cls, **kw):
            cls.sub = True

        def __getattr__(self, name):
            return name.upper()

    class B(A):
        pass

    b = B()
    b.x = 3
    return b.x, b.y, B.sub, A.seen, b
