"""Reasoning that precedes code: a plan of a program, told sentence by sentence and checked.

A *plan* (:mod:`~.outline`) is what a reference does, statement by statement, and what it does on
executed examples. It is told (:mod:`~.telling`) in sentences that a parser finds again
(:mod:`~.sentences`), and a text is held against the plan by its words alone (:mod:`~.checking`).

Source: the dimensions are those of ReCode (https://arxiv.org/abs/2508.05170, CRPL); plans, their
sentences and what can be done to them are our own.
"""
