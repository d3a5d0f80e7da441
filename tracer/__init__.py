"""Runs, traces and questions small Python programs; standard library only."""
