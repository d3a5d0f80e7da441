# call: f()
# max steps: 7
def f():
    n = 0
    while True:
        n += 1
