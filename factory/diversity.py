"""How unlike one another the programs of a build are, beside CRUXEval's 800.

Taken program by program, in memory that does not grow with their number. CRUXEval's programs are
one function each, with few control statements; those of a build have helpers and classes where
their level asks for them, and are nested as the levels say. So lines are compared function by
function, in ``lines_at_equal_nesting`` with CRUXEval's own shares of nesting; ``lines`` are those
of whole programs. Blank lines do not count. A *skeleton* is the
sequence of a program's syntax kinds (``ast`` class names in preorder, without expression contexts):
names and literals are gone. The compression ratio is that of zlib (level 6) on all sources one
after another, so repetition more than 32 kB apart does not count. Distinct 4-grams of syntax kinds
are counted in blocks of 800 programs, the size of CRUXEval, and averaged over the full blocks.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from factory.metrics import nesting

BLOCK = 800
"""Programs in CRUXEval, and in a block whose 4-grams are counted."""
_ZLIB_LEVEL = 6
_COUNTERS = 4096
"""Skeletons counted at once; with more distinct ones, the largest share is an upper bound,
at most 1/4096 too high."""
_NO_KIND = (ast.expr_context, ast.Module)

CRUXEVAL: dict[str, float] = {
    "compression_ratio": 3.947,
    "four_grams": 3034.0,
    "lines": 5.4662,
    "lines_per_function": 5.46,
    "lines_at_equal_nesting": 5.4601,
    "largest_skeleton_share": 0.0125,
}
"""The same measures of the 800 programs of CRUXEval (arXiv 2401.03065, release of January 2024),
taken by :class:`Diversity` itself."""
CRUXEVAL_NESTING = (0.2975, 0.4113, 0.27, 0.0213)
"""Shares of CRUXEval's programs with 0, 1, 2, and 3 or more control statements around one another;
``lines_at_equal_nesting`` weighs the mean lines of a build's functions by these."""


def syntax_kinds(tree: ast.AST) -> Iterator[str]:
    """Class names of a tree's nodes in preorder; contexts and the module are left out."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, _NO_KIND):
            yield type(node).__name__
        waiting.extend(reversed(list(ast.iter_child_nodes(node))))


class Diversity:
    """Measures of all programs added so far."""

    def __init__(self) -> None:
        self._programs = 0
        self._lines = 0
        self._nested = Counter[int]()
        self._nested_lines = Counter[int]()
        self._packer = zlib.compressobj(_ZLIB_LEVEL)
        self._size = self._packed = 0
        self._grams: set[tuple[str, str, str, str]] = set()
        self._blocks = self._block_grams = 0
        self._skeletons: dict[bytes, int] = {}
        self._evictions = 0

    def add(self, source: str) -> None:
        """Take one more program that compiles."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        kinds = list(syntax_kinds(tree))
        lines = sum(1 for line in source.splitlines() if line.strip())
        self._programs += 1
        self._lines += lines
        self._count_functions(tree, source)
        text = f"{source}\n".encode()
        self._size += len(text)
        self._packed += len(self._packer.compress(text))
        self._count_skeleton(hashlib.blake2b(" ".join(kinds).encode(), digest_size=8).digest())
        self._count_grams(kinds)

    def _count_functions(self, tree: ast.AST, source: str) -> None:
        """Lines of each function by how deeply its own control statements are nested."""
        texts = source.splitlines()
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                depth = min(nesting(node), len(CRUXEVAL_NESTING) - 1)
                own = texts[node.lineno - 1 : node.end_lineno]
                self._nested[depth] += 1
                self._nested_lines[depth] += sum(1 for line in own if line.strip())

    def _count_grams(self, kinds: list[str]) -> None:
        grams = zip(kinds, kinds[1:], kinds[2:], kinds[3:], strict=False)
        self._grams.update(grams)
        if self._programs % BLOCK == 0:
            self._blocks += 1
            self._block_grams += len(self._grams)
            self._grams.clear()

    def _count_skeleton(self, skeleton: bytes) -> None:
        """Misra and Gries' counters: no count is too low by more than the evictions."""
        counts = self._skeletons
        if skeleton in counts or len(counts) < _COUNTERS:
            counts[skeleton] = counts.get(skeleton, 0) + 1
            return
        self._evictions += 1
        for each in list(counts):
            counts[each] -= 1
            if not counts[each]:
                del counts[each]

    def report(self) -> dict[str, Any]:
        """The manifest's ``diversity``: each measure of the build and of CRUXEval."""
        if not self._programs:
            return {"programs": 0, "measures": {}}
        packed = self._packed + len(self._packer.copy().flush())
        largest = max(self._skeletons.values(), default=0) + self._evictions
        measures = {
            "compression_ratio": self._size / packed,
            "four_grams": self._block_grams / self._blocks if self._blocks else len(self._grams),
            "lines": self._lines / self._programs,
            "lines_per_function": self._nested_lines.total() / max(self._nested.total(), 1),
            "lines_at_equal_nesting": self._at_equal_nesting(),
            "largest_skeleton_share": min(largest / self._programs, 1.0),
        }
        return {
            "programs": self._programs,
            "measures": {
                name: {"build": round(value, 4), "cruxeval": CRUXEVAL[name]}
                for name, value in measures.items()
            },
        }

    def _at_equal_nesting(self) -> float:
        """Mean lines of a function if functions were nested as CRUXEval's are."""
        met = [depth for depth in range(len(CRUXEVAL_NESTING)) if self._nested[depth]]
        share = sum(CRUXEVAL_NESTING[depth] for depth in met)
        weighed = sum(
            CRUXEVAL_NESTING[depth] * self._nested_lines[depth] / self._nested[depth]
            for depth in met
        )
        return weighed / share if share else 0.0
