# call: f(5)
def double(x): return x * 2
half = lambda x: x // 2
def f(a): b = double(a); c = half(b); return b + c
