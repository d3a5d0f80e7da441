# call: f()
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int = 0


class Stack(list):
    def push(self, item):
        self.last = item
        self.append(item)
        return self


def f():
    p = Point(1)
    p.y += 2
    s = Stack()
    s.push(p.x).push(p.y)
    with open('note', 'w') as file:
        file.write('a')
    return s.last
