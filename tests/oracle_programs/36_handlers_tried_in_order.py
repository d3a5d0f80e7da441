# call: f('x')
def kinds(log):
    log.append("asked")
    return (IndexError, ValueError)


def f(x):
    log = []
    try:
        int(x)
    except KeyError:
        log.append(0)
    except kinds(log) as e:
        log.append(1)
        del e
    except Exception:
        log.append(2)
    try:
        log.missing
    except (TypeError, NameError):
        pass
    except:
        log.append(3)
    return log
