"""Reasoning that a language model writes, kept only when it is checked like our own.

A teacher answers the questions about runs (:mod:`~.conversations`); a rewriter tells a run and then
makes its own text better or worse along one dimension (:mod:`~.rewriting`). Both are asked where
the rows of a build come together, so that a model is there once.

Source: CRPL of ReCode (https://arxiv.org/abs/2508.05170) for the transformations; prompts and
checks are our own.
"""
