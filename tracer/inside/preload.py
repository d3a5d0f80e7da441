"""Modules that programs find loaded already: those that small programs use most.

The zygote pays for them once; each fork shares them. Everything else of the standard library is
imported by the program that wants it.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import sys
import types

MODULES = (
    "abc", "array", "ast", "bisect", "calendar", "cmath", "collections.abc", "contextlib", "copy",
    "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "heapq", "inspect",
    "io", "itertools", "json", "keyword", "math", "numbers", "operator", "os", "random", "re",
    "statistics", "string", "struct", "textwrap", "time", "types", "typing", "unicodedata",
    "warnings", "weakref",
)  # fmt: skip


def preload_modules() -> None:
    """Import :data:`MODULES` and give ``builtins`` the names that ``site`` would add."""
    for name in MODULES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    import site

    site.setquit()
    site.setcopyright()
    site.sethelper()
    builtins.credits = builtins.license = builtins.copyright


def hide_own_modules() -> None:
    """Make this process look like a fresh interpreter to the programs that it forks."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "tracer"]:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = ["program"]
    sys.orig_argv = ["python", "program"]
    sys.dont_write_bytecode = True
