# no call: the module itself
import math

squares = []
for i in range(3):
    squares.append(i ** 2)


def area(r):
    return round(math.pi * r ** 2, 2)


class Box:
    side = 2
    volume = side ** 3


print(area(Box.side), squares)
