# call: f()
import collections


def f():
    d = {"a": 1, "b": 2}
    d["a"] = d.pop("a")
    d = {"b": 2, "a": 1}
    d = {"b": 2, "a": True}
    o = collections.OrderedDict(d)
    o.move_to_end("b")
    x = 1
    x = 1
    x = 1.0
    x = True
    t = ([1], 2)
    t[0].append(3)
    return d, o
