# call: f()
def only_doc():
    """Text."""


def only_global():
    global a, b


def annotated():
    x: int
    y: missing


def dots(): ...


def f():
    return only_doc(), only_global(), annotated(), dots()
