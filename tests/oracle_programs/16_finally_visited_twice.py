# call: f(True, True)
def f(fail, flag):
    log = []
    try:
        try:
            if fail:
                raise KeyError("k")
            log.append("body")
        finally:
            if flag:
                log.append("cleanup")
    except KeyError:
        log.append("handled")
    return log
