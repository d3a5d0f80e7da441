# call: f(0)
class Quiet(Exception):
    pass


def f(n):
    try:
        {}["k" * 3]
    except KeyError as e:
        raise Quiet("two", [1, {"a": n}], None) from e
