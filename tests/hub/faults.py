"""Faults that the test Hub makes: which request, and what happens to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["status", "drop", "drop_after", "stale", "kill"]


@dataclass
class Fault:
    """Something that goes wrong with some of the requests.

    ``status`` answers with an error; ``drop`` closes the connection without doing anything,
    ``drop_after`` closes it when everything is done but before the answer; ``stale`` lets
    somebody else commit before the request is handled; ``kill`` calls :attr:`TestHub.on_kill`
    and then closes the connection.
    """

    kind: Kind
    path: str = ""
    """Expression that is searched in ``METHOD /path``; an empty one fits every request."""
    skip: int = 0
    """Fitting requests that go well before."""
    times: int = 1
    status: int = 503
    headers: dict[str, str] = field(default_factory=dict)
    body: str = "injected fault"
    hits: int = 0
    """How often it has happened."""
    _seen: int = 0

    def strikes(self, line: str) -> bool:
        """Whether it happens to this request."""
        if self.hits >= self.times or not re.search(self.path, line):
            return False
        self._seen += 1
        if self._seen <= self.skip:
            return False
        self.hits += 1
        return True
