"""What stops a training run before or in its course: each message is one line with the mend."""

from __future__ import annotations


class TrainingError(Exception):
    """Bad input: an option, a config, a dataset, a model or a run folder that can't be used."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))

    @property
    def message(self) -> str:
        """The line to show."""
        return str(self.args[0])


class HubError(TrainingError):
    """The Hub or the network failed after the attempts of its client."""

    exit_code = 3


class ModelError(TrainingError):
    """A model failed in the course of its work, for want of memory or a server for instance."""

    exit_code = 3
