"""Problems of code generation made of programs: a statement in words, hidden tests, mutants.

:mod:`~.statement` tells what a program does, :mod:`~.mutants` spoils it in small ways,
:mod:`~.trials` finds tests that the program passes and its mutants fail, and :mod:`~.making` puts
the row together.

Source: the form of the data follows the prompts of ReCode's second stage
(https://arxiv.org/abs/2508.05170); statements and mutants are our own.
"""
