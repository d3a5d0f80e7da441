# call: f(1)
def f(n):
    log = []
    for i in range(3):
        try:
            try:
                if i == n:
                    raise ExceptionGroup("a", [ExceptionGroup("b", [ValueError(1)]), TypeError(2)])
                if i > n:
                    raise OSError(3)
            except* ValueError:
                try:
                    raise
                except* ValueError as inner:
                    log.append(str(inner.exceptions[0].exceptions[0]))
            except* missing:
                log.append("no")
            else:
                log.append("else")
                [][i]
            finally:
                log.append("finally")
        except NameError:
            log.append("name")
        except (IndexError, OSError):
            log.append("other")
    return log
