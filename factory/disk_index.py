"""Temporary databases on disk for what a build remembers of all its programs.

SQLite keeps such a database in a file that nobody else sees and that ends with the connection; a
bounded part of it is held in memory, so that memory does not grow with the number of programs.
"""

from __future__ import annotations

import sqlite3

_CACHE_KIB = 32 * 1024


def open_index(*tables: str) -> sqlite3.Connection:
    """A new database with ``tables``, one statement that creates each."""
    database = sqlite3.connect("", isolation_level=None)
    database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    database.execute("PRAGMA journal_mode = OFF")
    for table in tables:
        database.execute(table)
    database.execute("BEGIN")  # never ended: nobody else reads it, and commits cost much
    return database
