"""A site of a dataset folder: the page, and the programs in data files that it loads one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factory.errors import UserError
from factory.files import write_atomically
from factory.load import Shard, find_shards, question_of, read_file, trace_of
from factory.manifest import read_manifest
from factory.progress import Progress
from factory.rows import Row
from factory.site.documents import Document, Shown, program_document
from factory.site.overview import describe_overview
from factory.site.pages import data_script, site_page

PAGE, INDEX, README = "index.html", "data/index.js", "README.md"
SHOWN_CONFIGS = ("programs", "traces", "questions")
CHUNK_CHARS = 256 * 1024
"""Text after which a data file ends: what a page loads to show one program."""


@dataclass(frozen=True, slots=True)
class SiteReport:
    """What a site holds."""

    out: Path
    programs: int
    """Programs with a page."""
    of_programs: int
    """Programs of the dataset."""
    cut_traces: int
    """Calls of which only the first steps are in the site."""
    files: int
    bytes: int


def write_site(
    folder: Path, out: Path, *, programs: int, steps: int, progress: Progress
) -> SiteReport:
    """Write the site of a dataset; the same data give the same bytes.

    Args:
        folder: Dataset folder, as ``build`` makes it.
        out: Folder for the site; made when it is not there, and only ever an old site replaced.
        programs: Most programs that get a page, spread evenly over the dataset.
        steps: Most steps of a call.
        progress: Told of written programs.

    Raises:
        UserError: There is no dataset, or ``out`` holds something else.
    """
    manifest = read_manifest(folder)
    _claim(out, folder)
    total = int(manifest["counts"]["programs"]["total"])
    chosen = min(programs, total)
    files = _Chunks(out)
    cut = 0
    for number, (row, calls) in enumerate(_chosen_programs(folder, total, chosen), 1):
        document = _describe_program(row, calls, steps)
        cut += sum(trace["total"] > len(trace["stmts"]) for trace in document["traces"])
        files.add(document, _index_entry(row, calls, document))
        progress.advance("site", number, chosen)
    files.close()
    title = f"{manifest['recipe']['name']}: traces"
    page = site_page(title, describe_overview(manifest, _note(chosen, total, cut, steps)))
    write_atomically(out / README, _space_card(title).encode("utf-8"))
    write_atomically(out / INDEX, data_script("index", {"programs": files.index}).encode("ascii"))
    write_atomically(out / PAGE, page)
    sizes = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
    return SiteReport(out, len(files.index), total, cut, len(sizes), sum(sizes))


class _Chunks:
    """Takes programs in order and writes a data file whenever there is enough."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._documents: list[Document] = []
        self._size = 0
        self._names: set[str] = set()
        self.index: list[Document] = []

    def add(self, document: Document, entry: Document) -> None:
        """Take a program and its line of the index."""
        self._documents.append(document)
        self._size += len(data_script("", document))
        self.index.append({**entry, "chunk": self._name()})
        if self._size >= CHUNK_CHARS:
            self._write()

    def close(self) -> None:
        """Write what is left and delete the data files of an older site."""
        if self._documents:
            self._write()
        for file in sorted((self._out / "data").glob("programs-*.js")):
            if file.name not in self._names:
                file.unlink()

    def _name(self) -> str:
        return f"programs-{len(self._names):05d}"

    def _write(self) -> None:
        name = self._name()
        script = data_script(name, self._documents)
        write_atomically(self._out / "data" / f"{name}.js", script.encode("ascii"))
        self._names.add(f"{name}.js")
        self._documents, self._size = [], 0


def _claim(out: Path, folder: Path) -> None:
    """See that nothing but an older site is in the way."""
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: is a file; --out takes a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / INDEX).is_file():
        what = "is the dataset itself" if out.resolve() == folder.resolve() else "is not empty"
        raise UserError(f"{out}: {what}; give a new folder, or one that holds an older site")
    try:
        write_atomically(out / INDEX, b"")
    except OSError as error:
        raise UserError(f"{out}: cannot be written to: {error.strerror or error}") from error


def _chosen_programs(
    folder: Path, total: int, count: int
) -> Iterator[tuple[Row, list[tuple[Row, list[Row]]]]]:
    """Rows of programs, each with its traces and their questions; ``count`` of ``total``."""
    wanted = {place * total // count for place in range(count)} if count else set()
    number = 0
    for shard in find_shards(folder):
        tables = {config: _rows(folder, shard, config) for config in SHOWN_CONFIGS}
        traces: dict[str, list[Row]] = {}
        for row in tables["traces"]:
            traces.setdefault(row["program_id"], []).append(row)
        questions: dict[str, list[Row]] = {}
        for row in tables["questions"]:
            questions.setdefault(row["trace_id"], []).append(row)
        for program in tables["programs"]:
            own = traces.get(program["program_id"], [])
            if number in wanted and own:
                yield program, [(each, questions.get(each["trace_id"], [])) for each in own]
            number += 1


def _rows(folder: Path, shard: Shard, config: str) -> list[Row]:
    rows: list[Row] = read_file(folder / shard.path(config), config).to_pylist()
    return rows


def _describe_program(row: Row, calls: list[tuple[Row, list[Row]]], steps: int) -> Document:
    shown = [
        Shown(
            trace_of(trace, row), tuple((each["question_id"], question_of(each)) for each in asked)
        )
        for trace, asked in calls
    ]
    title = row["entry_point"] or "module code"
    return program_document(row["program_id"], title, _facts(row), shown, steps)


def _facts(row: Row) -> list[str]:
    """What a person wants to know of a program at a glance."""
    facts = [] if row["level"] is None else [f"level {row['level']}"]
    constraint = row["constraint"]
    if constraint is not None:
        facts.append(_operation(constraint["type"], constraint["method"]))
        facts.extend([" > ".join(constraint["control_flow"])] if constraint["control_flow"] else [])
        facts.extend(["helper chain"] if constraint["helper_chain"] else [])
        facts.extend([constraint["feature"]] if constraint["feature"] else [])
    facts.append(row["template"] or row["generator"] or "program")
    return [*facts, row["split"]]


def _operation(type_: str, method: str) -> str:
    """What is done to a type, as it is written: ``str.upper``, ``len(str)``, ``complex.imag``."""
    if method.endswith("()"):
        return f"{method[:-1]}{type_})"
    return f"{type_}.{method.removeprefix('.')}"


def _index_entry(row: Row, calls: list[tuple[Row, list[Row]]], document: Document) -> Document:
    """The program's line in the list and what it is filtered by."""
    return {
        "id": row["program_id"],
        "entry": row["entry_point"],
        "level": row["level"],
        "split": row["split"],
        "template": row["template"],
        "generator": row["generator"],
        "constraints": _constraints(row["constraint"]),
        "facts": document["facts"],
        "kinds": sorted({each["kind"] for _, asked in calls for each in asked}),
        "lines": len(row["source"].splitlines()),
        "traces": len(calls),
        "steps": max(trace["n_steps"] for trace, _ in calls),
        "questions": sum(len(asked) for _, asked in calls),
    }


def _constraints(constraint: Mapping[str, Any] | None) -> list[str]:
    if constraint is None:
        return ["none"]
    return [
        f"type {constraint['type']}",
        *(f"control flow {name}" for name in dict.fromkeys(constraint["control_flow"])),
        *(["helper chain"] if constraint["helper_chain"] else []),
        *(["other methods"] if constraint["other_methods"] else []),
        *([f"feature {constraint['feature']}"] if constraint["feature"] else []),
    ]


def _note(chosen: int, total: int, cut: int, steps: int) -> str:
    parts = []
    if chosen < total:
        parts.append(
            f"This site has pages for {chosen:,} of the {total:,} programs, spread evenly; "
            "the numbers are those of the whole dataset."
        )
    if cut:
        parts.append(f"Of {cut:,} long calls it shows the first {steps:,} steps.")
    return " ".join(parts)


def _space_card(title: str) -> str:
    """The README that makes the folder a static Space of the Hugging Face Hub."""
    import yaml

    header = {"title": title, "sdk": "static", "app_file": PAGE, "pinned": False}
    return (
        f"---\n{yaml.safe_dump(header, sort_keys=False, allow_unicode=True)}---\n\n"
        "Step through the traces of a dataset made by tracefoundry. The page needs nothing from "
        "elsewhere: open `index.html`, or upload the folder as a static Space.\n"
    )
