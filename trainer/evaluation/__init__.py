"""Evaluating models on the benchmarks of the papers and on our own questions."""
