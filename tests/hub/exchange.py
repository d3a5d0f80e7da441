"""Requests and answers of the test Hub, and what most routes need."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hub.repositories import Refused, Repository

if TYPE_CHECKING:
    from hub.server import TestHub

KINDS = {"models/": "model", "datasets/": "dataset", "spaces/": "space", "": "model"}
NAME = r"(?P<name>[\w.-]+/[\w.-]+)"
API = rf"/api/(?P<kind>models/|datasets/|spaces/){NAME}"
REVISION = r"/(?P<revision>refs/pr/\d+|[^/]+)"


@dataclass
class Request:
    hub: TestHub
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def user(self) -> str | None:
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        return self.hub.tokens.get(token)

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def send_json(value: object, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json", **named})


def open_repository(request: Request, kind: str, name: str, *, write: bool = False) -> Repository:
    repository = request.hub.repositories.get((kind, name))
    if repository is None or (repository.private and request.user is None):
        raise Refused(401 if request.user is None else 404, "RepoNotFound", "Repository not found")
    if write:
        require_writer(request, name)
    return repository


def require_user(request: Request) -> None:
    """Whoever has an account may open a pull request."""
    if request.user is None:
        raise Refused(401, "", "Invalid username or password.")


def require_writer(request: Request, name: str) -> None:
    require_user(request)
    if request.user != "owner":
        raise Refused(403, "", f"You don't have the rights to write to {name}")


def of_kind(route: Callable[..., Answer]) -> Callable[..., Answer]:
    """The route, given the kind of repository by its prefix in the path."""

    def routed(request: Request, kind: str | None, **found: str) -> Answer:
        return route(request, kind=KINDS[kind or ""], **found)

    return routed
