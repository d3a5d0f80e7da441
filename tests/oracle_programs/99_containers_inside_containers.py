# call: f(3)
def f(n):
    inner = [n]
    rows = [inner, [2, 'b'], (1.5, None)]
    pair = (inner, {'k': [n]}, True)
    table = {'a': inner, 'b': {n, 7}, 3: ()}
    inner.append(n + 1)
    pair[1]['k'][0] = -n
    inner[0] = rows
    inner[0] = 'x'
    table['b'].add('y')
    table['b'].discard(7)
    rows[1] = [2, 'b']
    rows[1][1] = 'c'
    rows.append([[[]]])
    rows[3][0][0].append(b'z')
    rows[3][0] = 1e300 * 1e10
    deep = rows
    for _ in range(25):
        deep = [deep]
    inner.clear()
    table[3] = [10**30, bytearray(b'q')]
    table[3][1].append(33)
    both = [rows, rows]
    both[0][2] = None
    return len(both), table
