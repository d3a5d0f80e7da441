"""Repositories: files of commits, branches, tags and pull requests, kept in memory."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

DATE = "2026-01-01T00:00:00.000Z"
MAIN = "refs/heads/main"


def git_hash(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass(frozen=True)
class File:
    """A file of a commit; a large one is named by the SHA-256 of its content."""

    path: str
    size: int
    blob_id: str
    sha256: str | None = None
    content: bytes = field(default=b"", repr=False)
    """Of a small file; a large one's bytes lie in the large file store."""


def small_file(path: str, content: bytes) -> File:
    return File(path, len(content), git_hash(content), content=content)


def large_file(path: str, sha256: str, size: int) -> File:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n"
    return File(path, size, git_hash(pointer.encode()), sha256)


@dataclass(frozen=True)
class Commit:
    oid: str
    title: str
    parent: str | None
    files: dict[str, File]


@dataclass
class PullRequest:
    number: int
    title: str
    author: str
    status: str = "open"


class Refused(Exception):
    """An answer that is an error: status, the Hub's error code, and a message."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class Repository:
    def __init__(self, kind: str, name: str, private: bool) -> None:
        self.kind, self.name, self.private = kind, name, private
        first = self._commit("initial commit", None, {})
        self.commits = {first.oid: first}
        self.refs = {MAIN: first.oid}
        self.pulls: list[PullRequest] = []

    def find(self, revision: str) -> Commit:
        """The commit of a branch, tag, full ref or (abbreviated) object id."""
        for name in (f"refs/heads/{revision}", f"refs/tags/{revision}", revision):
            if name in self.refs:
                return self.commits[self.refs[name]]
        found = [oid for oid in self.commits if len(revision) >= 7 and oid.startswith(revision)]
        if len(found) != 1:
            raise Refused(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        return self.commits[found[0]]

    def commit(self, revision: str, lines: list[dict[str, Any]], author: str, pull: bool) -> Commit:
        """Apply the lines of a commit request, all or none of them."""
        header = lines[0]["value"]
        head = self.find(revision)
        parent = header.get("parentCommit")
        if parent and not pull and not head.oid.startswith(parent):
            raise Refused(
                412, "", "A commit has happened since. Please refresh and try again. (parentCommit)"
            )
        files = dict(self.find(parent).files if pull and parent else head.files)
        for line in lines[1:]:
            _apply(line["key"], line["value"], files)
        commit = self._commit(header["summary"], head.oid, files)
        self.commits[commit.oid] = commit
        if pull:
            number = len(self.pulls) + 1
            self.pulls.append(PullRequest(number, header["summary"], author))
            self.refs[f"refs/pr/{number}"] = commit.oid
        else:
            self.refs[f"refs/heads/{revision}"] = commit.oid
        return commit

    def tag(self, revision: str, tag: str) -> None:
        if f"refs/tags/{tag}" in self.refs:
            raise Refused(409, "", f"Tag {tag} already exists")
        self.refs[f"refs/tags/{tag}"] = self.find(revision).oid

    def tags(self) -> dict[str, Commit]:
        return {
            name.removeprefix("refs/tags/"): self.commits[oid]
            for name, oid in self.refs.items()
            if name.startswith("refs/tags/")
        }

    @property
    def main(self) -> Commit:
        return self.commits[self.refs[MAIN]]

    def _commit(self, title: str, parent: str | None, files: dict[str, File]) -> Commit:
        listed = sorted((path, file.blob_id) for path, file in files.items())
        oid = hashlib.sha1(json.dumps([title, parent, self.name, listed]).encode()).hexdigest()
        return Commit(oid, title, parent, files)


def _apply(key: str, value: dict[str, Any], files: dict[str, File]) -> None:
    path = value["path"]
    if key == "file":
        files[path] = small_file(path, base64.b64decode(value["content"]))
    elif key == "lfsFile":
        files[path] = large_file(path, value["oid"], value["size"])
    elif key == "deletedFile":
        if files.pop(path, None) is None:
            raise Refused(404, "EntryNotFound", "A file with this name doesn't exist")
    elif key == "deletedFolder":
        for name in [name for name in files if name.startswith(f"{path.rstrip('/')}/")]:
            del files[name]
    else:
        raise Refused(400, "", f"unknown operation {key}")
