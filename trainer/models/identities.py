"""Names of models that tell their versions, and seeds of single prompts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

Prompt = Sequence[Mapping[str, str]]

_CHUNK = 1024 * 1024
_ID_LENGTH = 12


def name_of(model: str, commit: str | None) -> str:
    """``repository@commit``, or ``folder@digest`` of the folder's files.

    Args:
        model: A folder, or a Hub repository.
        commit: What the repository's revision is known by.
    """
    folder = Path(model)
    if folder.is_dir():
        return f"{folder.resolve().name}@{_digest(folder)}"
    return f"{model}@{commit}" if commit else model


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        digest.update(f"{path.name}\n".encode())
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()[:_ID_LENGTH]


def seed_of(prompt: Prompt, seed: int, part: int = 0) -> int:
    """A seed for one prompt, below 2**56.

    Args:
        prompt: The prompt.
        seed: That of the call.
        part: Tells apart several requests for one prompt.
    """
    content: list[object] = [seed, [dict(message) for message in prompt]]
    text = json.dumps([*content, part] if part else content, sort_keys=True)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:7], "big")
