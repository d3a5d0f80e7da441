"""Makes verified execution-reasoning data out of small programs."""
