"""How ``accelerate`` spreads a training over GPUs: one file a way, shipped with the package.

``python -m trainer.clusters fsdp2`` prints where a file is.

Source: https://huggingface.co/docs/accelerate/basic_tutorials/launch (the keys of the files)
"""

from __future__ import annotations

from pathlib import Path

from trainer.errors import TrainingError

WAYS = {
    "single": "one GPU",
    "ddp": "a whole model on each GPU",
    "fsdp2": "weights, gradients and optimiser states cut up over the GPUs by PyTorch",
    "zero3": "the same by DeepSpeed (pip install deepspeed)",
}
"""The files, by name, and what each does."""


def config_file(way: str) -> Path:
    """The file for one of :data:`WAYS`.

    Raises:
        TrainingError: There is none of this name.
    """
    if way not in WAYS:
        raise TrainingError(f"no accelerate config {way!r}; there are: {', '.join(WAYS)}")
    return Path(__file__).with_name(f"{way}.yaml")
