"""Programs that are nearly one another: similarity of normalised tokens, judged by MinHash.

Two programs are compared by the sets of runs of :data:`SHINGLE` tokens
(:func:`factory.normal_form.bare_tokens`, names all alike): the share of the runs that both have is
estimated from :data:`PERMUTATIONS` hashes.  A program is compared with those kept before it that
agree with it in a whole band of hashes; the number of bands follows from the threshold.  The index
is a temporary database on disk, so that memory does not grow with the number of programs.

Source: Broder, "On the resemblance and containment of documents", 1997; datasketch.
"""

from __future__ import annotations

from hashlib import blake2b
from types import TracebackType
from typing import TYPE_CHECKING

from factory.disk_index import open_index
from factory.normal_form import bare_tokens

if TYPE_CHECKING:
    import numpy as np

SHINGLE = 5
PERMUTATIONS = 128
_SEED = 1


def find_signature(source: str) -> str:
    """The MinHash of a program that compiles: 128 hashes of 32 bits, as hexadecimal text."""
    from datasketch import MinHash

    tokens = bare_tokens(source, names=False)
    runs = {tokens[start : start + SHINGLE] for start in range(max(1, len(tokens) - SHINGLE + 1))}
    minhash = MinHash(PERMUTATIONS, seed=_SEED, scheme="affine32")
    minhash.update_batch(["\0".join(run).encode("utf-8", "surrogatepass") for run in sorted(runs)])
    return bytes(minhash.hashvalues.astype("<u4").tobytes()).hex()


class NearDuplicates:
    """The signatures of the programs kept so far; use it in ``with``."""

    def __init__(self, threshold: float) -> None:
        """Make an empty index.

        Args:
            threshold: Similarity, 0.5 to 0.95, from which on programs count as nearly the same.
        """
        from datasketch import MinHashLSH

        plan = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        self._threshold = threshold
        self._bands, self._rows = plan.b, plan.r
        self._database = open_index(
            "CREATE TABLE kept (name TEXT, signature BLOB)",
            "CREATE TABLE bands (band BLOB, kept INTEGER, PRIMARY KEY (band, kept)) WITHOUT ROWID",
        )

    def __enter__(self) -> NearDuplicates:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Delete the index."""
        self._database.close()

    def find(self, signature: str) -> str | None:
        """Name of the first program kept that is nearly the one of ``signature``."""
        content = bytes.fromhex(signature)
        own = _hashes(content)
        bands = self._cut(content)
        places = ", ".join("?" * len(bands))
        kept = self._database.execute(
            f"SELECT DISTINCT kept FROM bands WHERE band IN ({places}) ORDER BY kept",  # noqa: S608
            bands,
        ).fetchall()
        for row in kept:
            name, other = self._database.execute(
                "SELECT name, signature FROM kept WHERE rowid = ?", row
            ).fetchone()
            if float((own == _hashes(other)).mean()) >= self._threshold:
                return str(name)
        return None

    def add(self, signature: str, name: str) -> None:
        """Remember a kept program."""
        content = bytes.fromhex(signature)
        row = self._database.execute("INSERT INTO kept VALUES (?, ?)", (name, content)).lastrowid
        self._database.executemany(
            "INSERT INTO bands VALUES (?, ?)", [(band, row) for band in self._cut(content)]
        )

    def _cut(self, content: bytes) -> list[bytes]:
        """The bands, as digests of 8 bytes in which the band's number is mixed."""
        size = 4 * self._rows
        return [
            blake2b(
                content[band * size : (band + 1) * size],
                digest_size=8,
                salt=band.to_bytes(2, "big"),
            ).digest()
            for band in range(self._bands)
        ]


def _hashes(content: bytes) -> np.ndarray:
    import numpy as np

    return np.frombuffer(content, dtype="<u4")
