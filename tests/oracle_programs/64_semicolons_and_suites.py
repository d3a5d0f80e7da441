# call: f(3)
def f(n): 
    a = 1; b = 2; a += b
    if a > n: c = 1
    elif a == n: c = 2; d = 3
    else: c = 3
    for i in range(2): a += i; b -= i
    while b > 0: b -= 1
    with open("/dev/null") as z: pass
    try: n // 0
    except ZeroDivisionError: c = 9
    class K: p = 1; q = p
    def g(): return K.q
    return a, b, c, g()
