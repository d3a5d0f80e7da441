"""Large files: whole ones (LFS), and ones cut into chunks that ``hf_xet`` uploads once (Xet).

Formats as the client writes them: a *xorb* is a row of chunks, each with a header of 8 bytes
(version, compressed size, scheme, size); a *shard* lists files as ranges of chunks of xorbs, in
records of 48 bytes.  See https://huggingface.co/docs/xet (protocol specification).
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Any

import pyarrow as pa  # noqa: TID253 - its LZ4 is the one at hand

_RECORD = 48
_LAST = b"\xff" * 32
_VERIFIED = 1 << 31
_WITH_SHA256 = 1 << 30


def hash_text(raw: bytes) -> str:
    """A Xet hash as text: four little-endian numbers."""
    return "".join(f"{number:016x}" for number in struct.unpack("<4Q", raw))


@dataclass(frozen=True)
class Term:
    """Chunks ``start`` to ``end`` of a xorb: a piece of a file."""

    xorb: str
    size: int
    start: int
    end: int


@dataclass(frozen=True)
class Chunk:
    begin: int
    """Place of its header in the xorb."""
    data: int
    """Place of its data."""
    end: int
    scheme: int
    size: int


class LargeFiles:
    """Every large file by its SHA-256."""

    def __init__(self) -> None:
        self.whole: dict[str, bytes] = {}
        self.xorbs: dict[str, bytes] = {}
        self.files: dict[str, tuple[Term, ...]] = {}
        """Xet files by their Xet hash."""
        self.names: dict[str, str] = {}
        """Xet hash by SHA-256."""
        self.received = 0
        """Bytes of content that clients have sent so far."""
        self.broken: set[str] = set()
        """SHA-256 that a shard promised and that its chunks do not have."""

    def add_whole(self, sha256: str, content: bytes) -> bool:
        self.received += len(content)
        if hashlib.sha256(content).hexdigest() != sha256:
            return False
        self.whole[sha256] = content
        return True

    def add_xorb(self, name: str, content: bytes) -> bool:
        self.received += len(content)
        new = name not in self.xorbs
        self.xorbs[name] = content
        return new

    def add_shard(self, content: bytes) -> bool:
        """Take the files of a shard; whether there was a new one."""
        place, new = _RECORD, False
        while content[place : place + 32] != _LAST:
            raw, flags, count = struct.unpack_from("<32sII", content, place)
            place += _RECORD
            terms = []
            for _ in range(count):
                xorb, _, size, start, end = struct.unpack_from("<32s4I", content, place)
                terms.append(Term(hash_text(xorb), size, start, end))
                place += _RECORD
            if flags & _VERIFIED:
                place += _RECORD * count
            name = hash_text(raw)
            new = new or name not in self.files
            self.files[name] = tuple(terms)
            if flags & _WITH_SHA256:
                (digest,) = struct.unpack_from("<32s", content, place)
                place += _RECORD
                self._name(hash_text(digest), name)
        return new

    def _name(self, sha256: str, name: str) -> None:
        if hashlib.sha256(self.read_xet(name)).hexdigest() == sha256:
            self.names[sha256] = name
        else:
            self.broken.add(sha256)

    def __contains__(self, sha256: str) -> bool:
        return sha256 in self.whole or sha256 in self.names

    def read(self, sha256: str) -> bytes:
        if sha256 not in self.whole:
            self.whole[sha256] = self.read_xet(self.names[sha256])
        return self.whole[sha256]

    def read_xet(self, name: str) -> bytes:
        return b"".join(
            b"".join(
                _unpack(self.xorbs[term.xorb], chunk)
                for chunk in self.chunks(term.xorb)[term.start : term.end]
            )
            for term in self.files[name]
        )

    def chunks(self, xorb: str) -> list[Chunk]:
        content = self.xorbs[xorb]
        found: list[Chunk] = []
        place = 0
        while place + 8 <= len(content) and content[place] == 0:
            packed = int.from_bytes(content[place + 1 : place + 4], "little")
            size = int.from_bytes(content[place + 5 : place + 8], "little")
            end = place + 8 + packed
            found.append(Chunk(place, place + 8, end, content[place + 4], size))
            place = end
        return found

    def reconstruction(
        self, name: str, span: tuple[int, int] | None, url: str
    ) -> dict[str, Any] | None:
        """How to put a file together, or its bytes ``span`` (both ends included).

        ``None`` when the span begins behind the file's end.
        """
        first, last = span or (0, 2**62)
        terms: list[dict[str, Any]] = []
        ranges: dict[str, list[dict[str, Any]]] = {}
        place, skipped = 0, 0
        for term in self.files[name]:
            chunks = self.chunks(term.xorb)
            kept: list[int] = []
            for number in range(term.start, term.end):
                size = chunks[number].size
                if place + size > first and place <= last:
                    if not terms and not kept:
                        skipped = first - place
                    kept.append(number)
                place += size
            if not kept:
                continue
            start, end = kept[0], kept[-1] + 1
            part = {"start": start, "end": end}
            size = sum(chunks[number].size for number in kept)
            terms.append({"hash": term.xorb, "unpacked_length": size, "range": part})
            place_in_xorb = {"start": chunks[start].begin, "end": chunks[end - 1].end - 1}
            ranges.setdefault(term.xorb, []).append(
                {"range": part, "url": f"{url}/xorbs/{term.xorb}", "url_range": place_in_xorb}
            )
        if not terms and self.files[name]:
            return None
        return {"offset_into_first_range": max(0, skipped), "terms": terms, "fetch_info": ranges}


def _unpack(xorb: bytes, chunk: Chunk) -> bytes:
    packed = xorb[chunk.data : chunk.end]
    if chunk.scheme == 0:
        return packed
    content: bytes = pa.decompress(packed, chunk.size, codec="lz4", asbytes=True)
    if chunk.scheme == 1:
        return content
    mixed = bytearray(chunk.size)
    place = 0
    for group in range(4):
        length = (chunk.size + 3 - group) // 4
        mixed[group::4] = content[place : place + length]
        place += length
    return bytes(mixed)
