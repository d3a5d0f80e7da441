"""Programs that try a tracer: a corpus of short tricky ones, and a generator of random ones."""

from oracle_programs.corpus import Case, corpus
from oracle_programs.plain import generate_plain
from oracle_programs.program import generate

__all__ = ["Case", "corpus", "generate", "generate_plain"]
