# call: f()
class Node:
    def __init__(self, v):
        self.v = v


def f():
    n = Node(2)
    box = {"node": n, "fn": f, "obj": object(), "cls": Node, "m": [].append, "e": KeyError("k")}
    return n.v, sorted(box), box
