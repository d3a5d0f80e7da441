"""Start of the zygote: ``python -S -s -P bootstrap.py DESCRIPTOR SETTINGS``.

Finds our modules beside itself without running ``tracer/__init__.py``.
"""

from __future__ import annotations

import json
import os
import sys
import types


def start(descriptor: str, settings: str) -> None:
    """Serve jobs on the open socket ``descriptor``; ``settings`` is JSON. Doesn't return."""
    package = types.ModuleType("tracer")
    package.__path__ = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    sys.modules["tracer"] = package
    from tracer.inside.zygote import serve

    serve(int(descriptor), json.loads(settings))


if __name__ == "__main__":
    start(*sys.argv[1:3])
