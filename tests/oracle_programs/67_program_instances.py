# call: f()
import dataclasses
import enum
from collections import namedtuple


class Color(enum.Enum):
    RED = 1
    BLUE = "b"


class Stack(list):
    def __init__(self, items):
        super().__init__(items)
        self.a = 1
        self.b = [2]


class Base:
    __slots__ = ("z", "y")


class Slotted(Base):
    __slots__ = ("x", "unset", "__secret")

    def __init__(self):
        self.x = 1
        self.y = 2
        self.z = 3
        self.__secret = 4


@dataclasses.dataclass
class Pair:
    left: int
    right: list = dataclasses.field(default_factory=list)


Point = namedtuple("Point", "x y")


class Text(str):
    pass


class Num(int):
    pass


class Err(ValueError):
    def __init__(self, code):
        super().__init__(code, "text")
        self.code = code


def f():
    s = Stack([4])
    s.append(5)
    c = Color.RED
    o = Slotted()
    p = Pair(1)
    p.right.append(p)
    q = Point(1, y=2)
    t = Text("hi")
    n = Num(7)
    e = Err(3)
    loop = [s]
    loop.append(loop)
    bag = {"c": Color.BLUE, "k": Pair, "e": e}
    return s, c, o, p, q, t, n
