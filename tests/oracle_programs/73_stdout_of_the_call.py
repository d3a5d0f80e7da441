# call: f()
import sys

print("module")


def f():
    print("one")
    sys.stdout.write("two\n")
    return None
