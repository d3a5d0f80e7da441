# call: f()
import math


def f():
    g = len
    g = 3
    g = math
    g = 4
    g = int
    del g
    for h in (1, abs, 2, "x".upper, str.lower, 3):
        k = h
    return k
