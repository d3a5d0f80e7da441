"""Reasoning about executions, written from traces and checked against them.

A *rationale* is a text of one sentence a line. Each sentence makes a claim about the run (what a
line does to a variable, how a condition turns out, what a call returns); :mod:`~.writing` writes
them from a trace, :mod:`~.reading` finds them in a text, and :mod:`~.checking` holds them against
the trace, reading nothing but the text.

Source: the form of the data follows ExecVerify (https://arxiv.org/abs/2603.11226) for reasoning
about executions and ReCode (https://arxiv.org/abs/2508.05170) for contrastive pairs; the claims,
their grammar and the checker are our own.
"""
