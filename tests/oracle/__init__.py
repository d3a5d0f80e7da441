"""An independent tracer for tests: programs are rewritten so that they report their own steps."""

from oracle.comparison import compare
from oracle.driver import Job, trace, trace_many

__all__ = ["Job", "compare", "trace", "trace_many"]
