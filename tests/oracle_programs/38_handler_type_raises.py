# call: f()
def f():
    try:
        try:
            1 // 0
        except missing_name:
            a = 1
        except ZeroDivisionError:
            a = 2
    except NameError as e:
        a = 3
    return a
