"""A Hub on localhost for tests: the part of its API that the real clients use, and its faults.

It proves that our code and the unmodified ``huggingface_hub``, ``hf_xet`` and ``datasets`` speak
this API together and survive its faults.  It does not prove what the real Hub does about rights,
quotas, malware scans, the dataset viewer, gated repositories, regions, or speed.
"""

from __future__ import annotations

from hub.faults import Fault
from hub.server import TestHub

__all__ = ["Fault", "TestHub"]
