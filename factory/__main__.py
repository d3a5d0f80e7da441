"""``python -m factory`` is the ``tracefoundry`` command."""

from __future__ import annotations

from factory.cli import main

if __name__ == "__main__":
    main()
