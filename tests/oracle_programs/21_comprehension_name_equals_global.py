# call: f(['a', 'b'])
word = "keep"


def f(words):
    lengths = [len(word) for word in words]
    last = word + str(lengths[-1])
    return last
