# call: f(4)
def f(n):
    log = []
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 2:
                break
            log.append(i)
        finally:
            log.append(-i)
    else:
        log.append("never")
    return log
