"""Publishes a dataset or a model: everything in one commit, then the tag.

Whatever ends it in between, the destination holds the earlier release or the new one, never a
mixture; the same command goes on, and does nothing when nothing is left to do.
"""

from __future__ import annotations

from factory.publishing.plan import Plan
from factory.publishing.release import Release, Wishes, publish

__all__ = ["Plan", "Release", "Wishes", "publish"]
