"""The Hub's API: repositories, commits, references, listings."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, quote

from hub.exchange import (
    API,
    REVISION,
    Answer,
    Request,
    of_kind,
    open_repository,
    require_user,
    require_writer,
    send_json,
)
from hub.repositories import DATE, Commit, File, Refused, Repository, git_hash

PAGE = 100
"""Entries of a page of a listing."""
SMALL = 10 * 1024 * 1024
LARGE_NAMES = (".parquet", ".safetensors", ".bin", ".arrow", ".gz", ".png")


def whoami(request: Request) -> Answer:
    if request.user is None:
        raise Refused(401, "", "Invalid credentials in Authorization header")
    role = "write" if request.user == "owner" else "read"
    return send_json(
        {
            "type": "user",
            "name": request.user,
            "orgs": [],
            "auth": {"accessToken": {"displayName": "test", "role": role}},
        }
    )


def create(request: Request) -> Answer:
    wanted = request.json()
    kind = wanted.get("type") or "model"
    name = f"{wanted.get('organization') or request.user}/{wanted['name']}"
    require_writer(request, name)
    url = page_of(request, kind, name)
    if (kind, name) in request.hub.repositories:
        return send_json({"error": "You already created this repo", "url": url}, 409)
    private = wanted.get("visibility") == "private"
    request.hub.repositories[kind, name] = Repository(kind, name, private)
    return send_json({"url": url, "name": name})


def page_of(request: Request, kind: str, name: str) -> str:
    return f"{request.hub.endpoint}/{'' if kind == 'model' else kind + 's/'}{name}"


def validate_yaml(request: Request) -> Answer:
    import yaml

    text = request.json()["content"]
    match = re.match(r"---\r?\n(.*?)\n---", text, re.DOTALL)
    try:
        header = yaml.safe_load(match[1]) if match else None
    except yaml.YAMLError as error:
        return send_json({"errors": [{"message": str(error)}], "warnings": []}, 400)
    warnings = [] if header else [{"message": "empty or missing yaml metadata in repo card"}]
    return send_json({"errors": [], "warnings": warnings})


def info(request: Request, kind: str, name: str, revision: str = "main") -> Answer:
    repository = open_repository(request, kind, name)
    commit = repository.find(revision)
    return send_json(
        {
            "_id": "0",
            "id": name,
            "author": name.split("/")[0],
            "sha": commit.oid,
            "private": repository.private,
            "gated": False,
            "disabled": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "createdAt": DATE,
            "lastModified": DATE,
            "siblings": [{"rfilename": path} for path in sorted(commit.files)],
        }
    )


def describe_file(request: Request, commit: Commit, file: File, expand: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "type": "file",
        "oid": file.blob_id,
        "size": file.size,
        "path": file.path,
    }
    if file.sha256 is not None:
        entry["lfs"] = {"oid": file.sha256, "size": file.size, "pointerSize": 130}
        if xet := request.hub.large.names.get(file.sha256):
            entry["xetHash"] = xet
    if expand:
        entry["lastCommit"] = {"id": commit.oid, "title": commit.title, "date": DATE}
    return entry


def describe_folder(commit: Commit, path: str, expand: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "directory", "path": path, "size": 0}
    entry["oid"] = git_hash(path.encode())
    if expand:
        entry["lastCommit"] = {"id": commit.oid, "title": commit.title, "date": DATE}
    return entry


def folders_of(commit: Commit) -> set[str]:
    return {
        "/".join(parts[:depth])
        for parts in (path.split("/") for path in commit.files)
        for depth in range(1, len(parts))
    }


def tree(request: Request, kind: str, name: str, revision: str, path: str | None = None) -> Answer:
    commit = open_repository(request, kind, name).find(revision)
    expand = request.query.get("expand", "").lower() in ("true", "1")
    recursive = request.query.get("recursive", "").lower() in ("true", "1")
    start = f"{path}/" if path else ""
    folders = folders_of(commit)
    if path and path not in folders:
        raise Refused(404, "EntryNotFound", f"{path} does not exist on {revision}")
    entries = [
        describe_file(request, commit, commit.files[each], expand)
        if each in commit.files
        else describe_folder(commit, each, expand)
        for each in sorted({*commit.files, *folders})
        if each.startswith(start) and (recursive or "/" not in each[len(start) :])
    ]
    at = int(request.query.get("cursor", 0))
    headers = {}
    if at + PAGE < len(entries):
        options = f"recursive={recursive}&expand={expand}&cursor={at + PAGE}"
        headers["Link"] = f'<{request.hub.endpoint}{quote(request.path)}?{options}>; rel="next"'
    return send_json(entries[at : at + PAGE], **headers)


def paths_info(request: Request, kind: str, name: str, revision: str) -> Answer:
    commit = open_repository(request, kind, name).find(revision)
    if "json" in request.headers.get("content-type", ""):
        wanted, expand = request.json()["paths"], bool(request.json().get("expand"))
    else:
        form = parse_qs(request.body.decode())
        wanted = form.get("paths", [])
        expand = form.get("expand", ["false"])[0].lower() in ("true", "1")
    folders = folders_of(commit)
    found = []
    for path in (each.rstrip("/") for each in wanted):
        if path in commit.files:
            found.append(describe_file(request, commit, commit.files[path], expand))
        elif path in folders:
            found.append(describe_folder(commit, path, expand))
    return send_json(found)


def preupload(request: Request, kind: str, name: str, revision: str) -> Answer:
    pull = request.query.get("create_pr") == "1"
    commit = open_repository(request, kind, name, write=not pull).find(revision)
    require_user(request)
    files = []
    for wanted in request.json()["files"]:
        sample = base64.b64decode(wanted["sample"])
        large = wanted["path"].endswith(LARGE_NAMES) or wanted["size"] > SMALL or b"\0" in sample
        there = commit.files.get(wanted["path"])
        entry = {
            "path": wanted["path"],
            "uploadMode": "lfs" if large else "regular",
            "shouldIgnore": False,
        }
        if there is not None:
            entry["oid"] = there.sha256 or there.blob_id
        files.append(entry)
    return send_json({"files": files})


def commit(request: Request, kind: str, name: str, revision: str) -> Answer:
    pull = request.query.get("create_pr") == "1"
    repository = open_repository(request, kind, name, write=not pull)
    require_user(request)
    lines = [json.loads(line) for line in request.body.splitlines() if line.strip()]
    for line in lines:
        if line["key"] == "lfsFile" and line["value"]["oid"] not in request.hub.large:
            raise Refused(400, "", f"{line['value']['path']}: its content was never uploaded")
    made = repository.commit(revision, lines, str(request.user), pull)
    page = page_of(request, kind, name)
    answer = {"success": True, "commitOid": made.oid, "commitUrl": f"{page}/commit/{made.oid}"}
    if pull:
        answer["pullRequestUrl"] = f"{page}/discussions/{len(repository.pulls)}"
    return send_json(answer)


def refs(request: Request, kind: str, name: str) -> Answer:
    repository = open_repository(request, kind, name)

    def listed(start: str) -> list[dict[str, str]]:
        return [
            {"name": ref.removeprefix(start), "ref": ref, "targetCommit": oid}
            for ref, oid in repository.refs.items()
            if ref.startswith(start)
        ]

    answer: dict[str, Any] = {
        "branches": listed("refs/heads/"),
        "tags": listed("refs/tags/"),
        "converts": [],
    }
    if "include_prs" in request.query:
        answer["pullRequests"] = listed("refs/pr/")
    return send_json(answer)


def tag(request: Request, kind: str, name: str, revision: str) -> Answer:
    open_repository(request, kind, name, write=True).tag(revision, request.json()["tag"])
    return send_json({})


def untag(request: Request, kind: str, name: str, revision: str) -> Answer:
    repository = open_repository(request, kind, name, write=True)
    if repository.refs.pop(f"refs/tags/{revision}", None) is None:
        raise Refused(404, "RevisionNotFound", f"no tag {revision}")
    return send_json({})


def discussions(request: Request, kind: str, name: str) -> Answer:
    repository = open_repository(request, kind, name)
    wanted = [
        pull
        for pull in repository.pulls
        if request.query.get("status", pull.status) == pull.status
        and request.query.get("author", pull.author) == pull.author
    ]
    at = int(request.query.get("p", 0)) * PAGE
    listed = [
        {
            "title": pull.title,
            "num": pull.number,
            "author": {"name": pull.author},
            "createdAt": DATE,
            "status": pull.status,
            "isPullRequest": True,
            "repo": {"name": name, "type": kind},
        }
        for pull in wanted[at : at + PAGE]
    ]
    return send_json({"discussions": listed, "count": len(wanted), "start": at})


API_ROUTES: tuple[tuple[str, str, Callable[..., Answer]], ...] = (
    ("GET", "/api/whoami-v2", whoami),
    ("POST", "/api/repos/create", create),
    ("POST", "/api/validate-yaml", validate_yaml),
    ("GET", API, of_kind(info)),
    ("GET", rf"{API}/revision{REVISION}", of_kind(info)),
    ("GET", rf"{API}/tree{REVISION}(?:/(?P<path>.+))?", of_kind(tree)),
    ("POST", rf"{API}/paths-info{REVISION}", of_kind(paths_info)),
    ("POST", rf"{API}/preupload{REVISION}", of_kind(preupload)),
    ("POST", rf"{API}/commit{REVISION}", of_kind(commit)),
    ("GET", rf"{API}/refs", of_kind(refs)),
    ("POST", rf"{API}/tag{REVISION}", of_kind(tag)),
    ("DELETE", rf"{API}/tag{REVISION}", of_kind(untag)),
    ("GET", rf"{API}/discussions", of_kind(discussions)),
)
