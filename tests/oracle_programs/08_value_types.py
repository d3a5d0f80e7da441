# call: f()
import collections


def f():
    a = set()
    b = frozenset({1})
    c = range(3)
    d = float("inf")
    e = list(range(100))
    g = None
    h = b"x"
    i = bytearray(b"y")
    j = float("nan")
    k = -0.0
    m = 1 - 0j
    n = ...
    o = complex("-0+1j")
    p = collections.deque([1, 2], maxlen=3)
    q = collections.Counter("aab")
    r = collections.OrderedDict([("k", 1)])
    s = collections.defaultdict(list, {1: [2]})
    t = collections.defaultdict(lambda: 0)
    u = (1,)
    v = ()
    w = {1: {2: 3}}
    x = True
    y = iter([1])
    z = {}.keys()
    return len(e)
