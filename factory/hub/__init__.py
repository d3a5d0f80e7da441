"""Repositories of the Hugging Face Hub: their names, calls that may fail, downloads.

The endpoint is that of ``HF_ENDPOINT``; the token is found where ``huggingface_hub`` finds it
(``HF_TOKEN``, or what ``hf auth login`` stored) and is never shown.
"""

from __future__ import annotations

from factory.hub.calls import Caller, Patience, hub_session
from factory.hub.download import (
    LONGEST_WAIT,
    RemoteFile,
    fetch,
    fetch_file,
    fetch_files,
    pin,
    read_tree,
)
from factory.hub.places import Repository, find_place, parse_repository

__all__ = [
    "LONGEST_WAIT",
    "Caller",
    "Patience",
    "RemoteFile",
    "Repository",
    "fetch",
    "fetch_file",
    "fetch_files",
    "find_place",
    "hub_session",
    "parse_repository",
    "pin",
    "read_tree",
]
