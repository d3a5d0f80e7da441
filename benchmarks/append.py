"""How much travels when a published dataset grows: bytes that a file store with Xet receives.

    python benchmarks/append.py [--programs 200] [--shard 100]

Releases of N, then 1.1 N, then 2 N programs of the packaged recipe `tiny` go into one repository
of the Hub of the tests, each over the one before, by the unmodified `huggingface_hub` and `hf_xet`.
What the store receives (chunks after its client's deduplication and compression) stands beside the
size of the files: of all of them, and of those that are new or changed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from hub import TestHub  # noqa: E402
from hub.client import Client  # noqa: E402
from published import SEND  # noqa: E402

from factory.pipeline import build  # noqa: E402
from factory.progress import SilentProgress  # noqa: E402
from factory.recipe import load_recipe  # noqa: E402


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--shard", type=int, default=100)
    options = parser.parse_args()
    recipe = replace(load_recipe("tiny"), shard_programs=options.shard)
    print(f"{options.shard} programs a shard")
    print(f"{'programs':>9}{'files MB':>10}{'changed MB':>12}{'received MB':>13}{'of all':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with TestHub() as hub, Client(hub.environment, folder / "home") as client:
            for programs in (options.programs, options.programs * 11 // 10, options.programs * 2):
                out = folder / str(programs)
                build(recipe, out, programs=programs, workers=2, progress=SilentProgress())
                before = hub.large.received
                done = client.python(SEND, out, "owner/d", "")
                assert done.returncode == 0, done.stderr
                sent = json.loads(done.stdout)
                changed = [*sent["new"], *sent["changed"]]
                sizes = {
                    path: (out / path).stat().st_size / 1e6 for path in [*changed, *sent["same"]]
                }
                some, total = sum(sizes[path] for path in changed), sum(sizes.values())
                received = (hub.large.received - before) / 1e6
                print(
                    f"{programs:>9}{total:>10.2f}{some:>12.2f}{received:>13.2f}"
                    f"{received / total:>8.0%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
