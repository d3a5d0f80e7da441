# call: f(2)
import contextlib


class Room:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            raise ExceptionGroup("exit", [KeyError(1), OSError(2)])
        except* KeyError:
            seen.append("key")
        except* OSError:
            seen.append("os")
        return False


def in_finally(n):
    try:
        raise ValueError(n)
    finally:
        try:
            raise ExceptionGroup("g", [TypeError(1)])
        except* TypeError:
            for x in range(n):
                if x:
                    continue
            else:
                seen.append("else")


def twice(n):
    try:
        raise ValueError(n)
    finally:
        for x in range(n):
            try:
                try:
                    raise ExceptionGroup("g", [TypeError(x), KeyError(x)])
                except* TypeError:
                    seen.append(x)
                except* KeyError:
                    pass
                else:
                    seen.append("never")
                finally:
                    seen.append("inner")
            finally:
                seen.append("outer")


def part(n):
    try:
        raise ValueError(n)
    finally:
        try:
            try:
                raise ExceptionGroup("g", [TypeError(1), OSError(2)])
            except* TypeError as one:
                seen.append(len(one.exceptions))
        except* OSError:
            seen.append("rest")


def remainder(n):
    try:
        raise ValueError(n)
    finally:
        try:
            raise ExceptionGroup("g", [TypeError(1), OSError(2)])
        except* TypeError:
            seen.append("part")


def handler_raises(n):
    try:
        raise ValueError(n)
    finally:
        try:
            try:
                raise TypeError(1)
            except* TypeError:
                seen[n + 99]
            except* ValueError:
                seen.append("never")
        except* LookupError:
            seen.append("caught")


def raised_again(n):
    try:
        raise ValueError(n)
    finally:
        with contextlib.suppress(ExceptionGroup):
            try:
                raise ExceptionGroup("g", [TypeError(1)])
            except* TypeError:
                raise
        seen.append("suppressed")


def in_with(n):
    with Room() as room:
        try:
            [][n]
        finally:
            try:
                raise TypeError(n)
            except* TypeError:
                pass


def in_loop(n):
    while n:
        try:
            raise ValueError(n)
        finally:
            for x in "ab":
                try:
                    int(x)
                except* ValueError:
                    seen.append(x)
            n -= 1


def nested(n):
    try:
        raise ValueError(n)
    finally:
        try:
            raise ExceptionGroup("a", [TypeError(1)])
        except* TypeError:
            try:
                raise ExceptionGroup("b", [OSError(2)])
            except* OSError:
                seen.append("inner")
            seen.append("outer")


def in_handler(n):
    try:
        raise ValueError(n)
    except ValueError:
        try:
            raise TypeError(n)
        except* TypeError:
            seen.append("star")
        raise


def gen(n):
    try:
        yield n
        raise ValueError(n)
    finally:
        try:
            raise TypeError(n)
        except* TypeError:
            yield "handled"


seen = []


def f(n):
    ways = [in_finally, twice, part, remainder, handler_raises, raised_again]
    for way in ways + [in_with, in_loop, nested, in_handler]:
        try:
            way(n)
        except Exception as error:
            seen.append(type(error).__name__)
    g = gen(n)
    h = gen(n)
    k = gen(n)
    try:
        next(g)
        next(h)
        next(k)
        h.throw(KeyError)
        h.close()
        seen.append(list(k))
    except Exception as error:
        seen.append(type(error).__name__)
    try:
        g.throw(LookupError)
        next(g)
    finally:
        try:
            raise ExceptionGroup("last", [OSError(n)])
        except* OSError:
            seen.append("end")
