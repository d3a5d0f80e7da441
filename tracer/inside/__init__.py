"""Runs inside the sandboxed child: standard library and siblings only."""
