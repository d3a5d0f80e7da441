# call: f()
import sys


def f():
    try:
        sys.exit(3)
    finally:
        done = True
