# call: f(1)
def by_break(n):
    try:
        raise ValueError(n)
    finally:
        for x in range(2):
            try:
                raise TypeError(x)
            finally:
                break


def by_continue(n):
    try:
        raise ValueError(n)
    finally:
        while n >= 0:
            n -= 1
            try:
                [][n]
            finally:
                continue


def by_inner_break(n):
    try:
        raise ValueError(n)
    finally:
        for x in range(2):
            try:
                raise TypeError(x)
            finally:
                for y in range(2):
                    if y == n:
                        break
                if x:
                    break


def by_return_and_break(n):
    try:
        raise ValueError(n)
    finally:
        while True:
            try:
                try:
                    raise TypeError(n)
                finally:
                    return 1
            finally:
                break


def by_exit(n):
    try:
        raise ValueError(n)
    finally:
        with Hush():
            raise TypeError(n)


def by_exit_and_break(n):
    try:
        raise ValueError(n)
    finally:
        for x in range(2):
            with Hush():
                try:
                    raise TypeError(x)
                finally:
                    break


def by_function(n):
    try:
        raise ValueError(n)
    finally:
        quiet(n)


def by_star_and_break(n):
    try:
        raise ValueError(n)
    finally:
        for x in range(2):
            try:
                raise TypeError(x)
            except* OSError:
                pass
            finally:
                if x == n:
                    break
                continue


def stays(n):
    try:
        raise ValueError(n)
    finally:
        for x in range(2):
            try:
                raise TypeError(x)
            finally:
                for y in range(2):
                    break


def replaced(n):
    try:
        try:
            raise ValueError(n)
        finally:
            for x in range(2):
                try:
                    raise TypeError(x)
                finally:
                    break
    finally:
        for x in range(2):
            try:
                raise KeyError(x)
            finally:
                continue


def quiet(n):
    try:
        raise KeyError(n)
    finally:
        return n


class Hush:
    def __enter__(self):
        return self

    def __exit__(self, *what):
        return True


def f(n):
    seen = []
    ways = [by_break, by_continue, by_inner_break, by_return_and_break, by_exit]
    for way in ways + [by_exit_and_break, by_function, by_star_and_break, stays, replaced]:
        try:
            seen.append(way(n))
        except Exception as error:
            seen.append(type(error).__name__)
    try:
        seen.append(1 // 0)
    finally:
        for x in "abc":
            try:
                int(x)
            finally:
                if x == "b":
                    break
                continue
