"""How hard a question is: read off its trace, and measured with a model's answers.

:mod:`factory.difficulty.effort` counts what must be followed to know an answer and makes a score of
it; :mod:`factory.difficulty.measuring` asks a baseline model and lets :class:`tracer.judging.Judge`
verify each answer. The two are never mixed: ``score`` is the first, ``passes`` only the second.
"""
