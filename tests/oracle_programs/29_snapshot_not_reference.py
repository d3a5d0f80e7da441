# call: f()
def rotate(m):
    row = m[0]
    m.append(row)
    row.append(len(m))
    m.pop(0)
    row = row[:]
    row[0] = -9
    return m


def f():
    grid = [[1, 2], [3]]
    return rotate(grid), grid
