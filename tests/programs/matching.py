# call: f({'op': 'add', 'args': [1, 2]})
COUNT = 0


def f(message):
    global COUNT
    match message:
        case {'op': 'sub'}:
            result = None
        case {'op': 'add', 'args': [a, b]} if (total := a + b) > 2:
            COUNT += 1
            result = total
        case _:
            result = ...
    table = {
        'result': result,
        'count': COUNT,
    }
    if COUNT: note = 'one'; table['note'] = note
    return table
