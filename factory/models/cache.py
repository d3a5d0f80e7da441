"""Replies of models on disk, by the hash of everything that decides them.

A build that is interrupted, or made again elsewhere, asks for nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from factory.errors import UserError
from factory.identity import canonical_json
from factory.models.base import Model, Prompt, usage_of

FOLDER_VARIABLE = "TRACEFOUNDRY_CACHE"
FILE = "completions.sqlite"
BATCH_PROMPTS = 64
"""Prompts after which the replies of one model are written to disk."""
_KEYS_AT_ONCE = 500
_WAIT_S = 60.0


def cache_file() -> Path:
    """Where replies are kept: ``$TRACEFOUNDRY_CACHE``, or ``tracefoundry`` in the user's cache."""
    own = os.environ.get(FOLDER_VARIABLE)
    if own:
        return Path(own) / FILE
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tracefoundry" / FILE


class CompletionCache:
    """A file of replies; any number of processes may use it at once."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            UserError: It cannot be opened.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Ray opens a worker in one thread and asks it in another, one call at a time.
            self._connection = sqlite3.connect(path, timeout=_WAIT_S, check_same_thread=False)
            with self._connection:
                self._connection.execute(
                    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, content TEXT) "
                    "WITHOUT ROWID"
                )
        except (OSError, sqlite3.Error) as error:
            raise UserError(
                f"{path}: the replies of models cannot be kept there: {error}; "
                f"name another folder in {FOLDER_VARIABLE}"
            ) from error

    def load(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """The replies that are there, by key."""
        found: dict[str, list[str]] = {}
        for first in range(0, len(keys), _KEYS_AT_ONCE):
            some = keys[first : first + _KEYS_AT_ONCE]
            marks = ", ".join("?" * len(some))
            query = f"SELECT key, content FROM replies WHERE key IN ({marks})"  # noqa: S608
            for key, content in self._connection.execute(query, some):
                found[key] = json.loads(content)
        return found

    def save(self, replies: Mapping[str, Sequence[str]]) -> None:
        """Keep replies by key; what is there already stays as it is."""
        rows = [(key, json.dumps(list(texts))) for key, texts in replies.items()]
        with self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO replies VALUES (?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


@contextmanager
def open_cache(path: Path | None = None) -> Iterator[CompletionCache]:
    """Open the file of replies, by default the user's, and close it again."""
    cache = CompletionCache(path or cache_file())
    try:
        yield cache
    finally:
        cache.close()


class CachedModel:
    """A model that is asked only for what the cache has not.

    Args:
        model: The model.
        cache: The file of replies.
        batch: Prompts after which replies are written to disk.
    """

    def __init__(self, model: Model, cache: CompletionCache, batch: int = BATCH_PROMPTS) -> None:
        self._model = model
        self._cache = cache
        self._batch = batch
        self.asked = 0
        """Prompts that the model itself was given."""

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def usage(self) -> dict[str, float]:
        """What the model has cost in this run: replies that were there cost nothing."""
        return usage_of(self._model)

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        """As :meth:`factory.models.base.Model.complete`."""
        keys = [_key([self.name, list(p), n, temperature, max_tokens, seed]) for p in prompts]
        known = self._cache.load(list(dict.fromkeys(keys)))
        missing = {key: p for key, p in zip(keys, prompts, strict=True) if key not in known}
        waiting = list(missing)
        for first in range(0, len(waiting), self._batch):
            batch = waiting[first : first + self._batch]
            replies = self._model.complete(
                [missing[key] for key in batch],
                n=n,
                temperature=temperature,
                max_tokens=max_tokens,
                seed=seed,
            )
            self.asked += len(batch)
            new = dict(zip(batch, replies, strict=True))
            self._cache.save(new)
            known.update(new)
        return [known[key] for key in keys]


def _key(content: list[object]) -> str:
    return hashlib.sha256(canonical_json(content).encode("ascii")).hexdigest()
