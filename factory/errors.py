"""Errors that a user can mend: each message is one clear line saying what, where and what to do.

Anything else that is raised is a fault of ours.  A bad *row* or a bad *program* is never an error
but a counted :class:`factory.records.Dropped`.
"""

from __future__ import annotations


class UserError(Exception):
    """Bad input: an unreadable file, an unknown option, a folder that holds something else."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))

    @property
    def message(self) -> str:
        """The line to show."""
        return str(self.args[0])


class RecipeError(UserError):
    """A recipe that cannot be used: the file, the key and the mend are named."""


class MissingExtra(UserError):
    """An optional dependency is not installed.

    Args:
        package: Import name of what is missing.
        extra: Extra of the distribution that brings it.
        purpose: What it is needed for, as a noun phrase.
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs {package}, which is not installed: "
            f"pip install 'tracefoundry[{extra}]'"
        )
        self._parts = package, extra, purpose

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str, str]]:
        """Let it cross to another process."""
        return MissingExtra, self._parts


class InfrastructureError(Exception):
    """The sandbox, a worker, the network or the Hub failed after bounded retries."""

    exit_code = 3

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))

    @property
    def message(self) -> str:
        """The line to show."""
        return str(self.args[0])
