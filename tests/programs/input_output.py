# call: f()
# stdin: 3 4
def f():
    a, b = map(int, input().split())
    print(a * b)
    rest = input()
    return rest
