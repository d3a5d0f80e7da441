"""``python -m trainer.clusters NAME`` prints the path of an accelerate config."""

from __future__ import annotations

import sys

from trainer.clusters import WAYS, config_file
from trainer.errors import TrainingError


def main(arguments: list[str]) -> int:
    """Print the path, or what there is."""
    if len(arguments) != 1:
        listed = "".join(f"  {name:<7} {what}\n" for name, what in WAYS.items())
        sys.stderr.write(f"usage: python -m trainer.clusters NAME\n{listed}")
        return 2
    try:
        sys.stdout.write(f"{config_file(arguments[0])}\n")
    except TrainingError as error:
        sys.stderr.write(f"error: {error.message}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
