# call: f('wait for it')
def f(s):
    y = [k for k in s if k in 'while']
    t = s.replace("for ", "if ")
    return y, t
