"""The Hub's content: downloads, whole large files (LFS) and the chunk store (Xet)."""

from __future__ import annotations

import re
from collections.abc import Callable

from hub.exchange import (
    API,
    NAME,
    REVISION,
    Answer,
    Request,
    of_kind,
    open_repository,
    require_user,
    send_json,
)
from hub.repositories import Refused

EXPIRY = 4_000_000_000
"""Second at which a token for the chunk store ends."""
_STORE_TOKEN = "xet-token-of-the-test-hub"
_PREFIX = r"/(?P<kind>datasets/|spaces/|)"


def span_of(request: Request) -> tuple[int, int | None] | None:
    match = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
    return (int(match[1]), int(match[2]) if match[2] else None) if match else None


def send_bytes(request: Request, content: bytes, headers: dict[str, str]) -> Answer:
    """The content, or the range of it that is asked for."""
    headers = {"Content-Type": "application/octet-stream", "Accept-Ranges": "bytes", **headers}
    span = span_of(request)
    if span is None:
        return Answer(200, content, headers)
    first, last = span[0], len(content) - 1 if span[1] is None else min(span[1], len(content) - 1)
    if first > last:
        return Answer(416, b"", {**headers, "Content-Range": f"bytes */{len(content)}"})
    headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
    return Answer(206, content[first : last + 1], headers)


def resolve(request: Request, kind: str, name: str, revision: str, path: str) -> Answer:
    hub = request.hub
    commit = open_repository(request, kind, name).find(revision)
    file = commit.files.get(path)
    if file is None:
        raise Refused(404, "EntryNotFound", f"{path} is not in {revision}")
    headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{file.blob_id}"'}
    if file.sha256 is None:
        return send_bytes(request, file.content, headers)
    headers |= {
        "ETag": f'"{file.sha256}"',
        "X-Linked-Etag": f'"{file.sha256}"',
        "X-Linked-Size": str(file.size),
        "Location": f"{hub.storage}/blobs/{file.sha256}",
    }
    xet = hub.large.names.get(file.sha256)
    if xet is not None:
        route = f"{hub.endpoint}/api/{kind}s/{name}/xet-read-token/{commit.oid}"
        headers["X-Xet-Hash"] = xet
        headers["X-Xet-Refresh-Route"] = route
        headers["Link"] = f'<{route}>; rel="xet-auth"'
    return Answer(302, b"", headers)


def blob(request: Request, sha256: str) -> Answer:
    if "authorization" in request.headers:
        raise Refused(400, "", "a token came to another origin than the Hub's")
    if sha256 not in request.hub.large:
        raise Refused(404, "", "no such object")
    return send_bytes(request, request.hub.large.read(sha256), {"ETag": f'"{sha256}"'})


def lfs_batch(request: Request, kind: str, name: str) -> Answer:
    open_repository(request, kind, name)
    require_user(request)
    objects = []
    for wanted in request.json()["objects"]:
        entry = {"oid": wanted["oid"], "size": wanted["size"]}
        if wanted["oid"] not in request.hub.large:
            href = f"{request.hub.storage}/lfs/{wanted['oid']}"
            entry["actions"] = {"upload": {"href": href}}
        objects.append(entry)
    return send_json({"transfer": "basic", "objects": objects})


def lfs_upload(request: Request, sha256: str) -> Answer:
    if not request.hub.large.add_whole(sha256, request.body):
        raise Refused(400, "", "the content does not have this SHA-256")
    return Answer()


def store_token(request: Request, kind: str, name: str, right: str, revision: str) -> Answer:
    pull = request.query.get("create_pr") == "1"
    open_repository(request, kind, name, write=right == "write" and not pull)
    url = f"{request.hub.storage}/cas"
    named = {"casUrl": url, "exp": EXPIRY, "accessToken": _STORE_TOKEN}
    return send_json(
        named,
        X_Xet_Cas_Url=url,
        X_Xet_Access_Token=_STORE_TOKEN,
        X_Xet_Token_Expiration=str(EXPIRY),
    )


def add_xorb(request: Request, xorb: str) -> Answer:
    _require_store_token(request)
    return send_json({"was_inserted": request.hub.large.add_xorb(xorb, request.body)})


def add_shard(request: Request) -> Answer:
    _require_store_token(request)
    return send_json({"result": int(request.hub.large.add_shard(request.body))})


def reconstruction(request: Request, name: str) -> Answer:
    _require_store_token(request)
    hub = request.hub
    if name not in hub.large.files:
        raise Refused(404, "", "no such file")
    span = span_of(request)
    wanted = None if span is None else (span[0], 2**62 if span[1] is None else span[1])
    answer = hub.large.reconstruction(name, wanted, f"{hub.storage}/cas")
    if answer is None:
        raise Refused(416, "", "the range begins behind the file's end")
    return send_json(answer)


def get_xorb(request: Request, xorb: str) -> Answer:
    return send_bytes(request, request.hub.large.xorbs[xorb], {})


def _require_store_token(request: Request) -> None:
    if request.headers.get("authorization") != f"Bearer {_STORE_TOKEN}":
        raise Refused(401, "", "no token for the chunk store")


_CAS = "/storage/cas"
STORAGE_ROUTES: tuple[tuple[str, str, Callable[..., Answer]], ...] = (
    ("GET HEAD", rf"{_PREFIX}{NAME}/resolve{REVISION}/(?P<path>.+)", of_kind(resolve)),
    ("POST", rf"{_PREFIX}{NAME}\.git/info/lfs/objects/batch", of_kind(lfs_batch)),
    ("PUT", r"/storage/lfs/(?P<sha256>\w+)", lfs_upload),
    ("GET HEAD", r"/storage/blobs/(?P<sha256>\w+)", blob),
    ("GET", rf"{API}/xet-(?P<right>read|write)-token{REVISION}", of_kind(store_token)),
    ("POST", rf"{_CAS}/v1/xorbs/default/(?P<xorb>\w+)", add_xorb),
    ("POST", rf"{_CAS}(?:/v1)?/shards", add_shard),
    ("GET", rf"{_CAS}/v1/reconstructions/(?P<name>\w+)", reconstruction),
    ("GET", rf"{_CAS}/xorbs/(?P<xorb>\w+)", get_xorb),
)
