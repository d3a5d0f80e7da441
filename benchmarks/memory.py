"""Memory and time of the merging side of a build at a hundred thousand programs.

    python benchmarks/memory.py [--programs 100000] [--sample 480] [--step 10000] [--recipe small]

Making a hundred thousand programs takes hours and its memory does not grow: each unit of work is a
few programs in a worker of its own, which ``benchmarks/build.py`` watches.  What sees all programs
is the parent: checkpoints, dedupe, near-duplicates, prompts, counts, diversity, shortcuts, shards,
manifest and card.  So units of ``--sample`` real programs are made once, and a whole build is then
run in this process with an engine that hands them out again and again, each time under other
hashes (ids, keys, MinHash signatures) and other function names, so that no program equals another.
The near-duplicate index is on.  What the copying costs is not counted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import re
import resource
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from trace import processor  # noqa: E402

import factory.engines  # noqa: E402
from factory.drafting import BuildJob  # noqa: E402
from factory.engine import LocalEngine  # noqa: E402
from factory.identity import ID_LENGTH  # noqa: E402
from factory.pipeline import build  # noqa: E402
from factory.progress import SilentProgress  # noqa: E402
from factory.recipe import load_recipe  # noqa: E402
from factory.recipe_records import Recipe  # noqa: E402
from factory.rows import Context  # noqa: E402
from factory.sources.units import UNIT_DRAWS, units  # noqa: E402
from factory.training_records import Curriculum, Difficulty  # noqa: E402
from factory.versions import current_versions  # noqa: E402

_HASH = re.compile(rf"\b[0-9a-f]{{{ID_LENGTH},}}\b")
_ENTRY = re.compile(r'"entry_point": "(\w+)"')


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a build was, and what it had taken so far."""

    programs: int
    resident_mb: float
    peak_mb: float
    processor_s: float


class Copies:
    """An engine whose results are copies of a few units that were made before."""

    name = "copies"
    ahead = 4
    made: tuple[Path, ...]
    """Files of the units; set before the build."""
    spent_s = 0.0
    """Processor time of the copying, which is no part of a build."""

    def __init__(self, job: BuildJob, workers: int) -> None:
        self.workers = workers
        self._queue: deque[int] = deque()

    def __enter__(self) -> Copies:
        return self

    def __exit__(self, *error: object) -> None:
        self._queue.clear()

    def submit(self, index: int, content: Any) -> None:
        """Queue a unit."""
        self._queue.append(index)

    def take(self) -> tuple[int, bytes]:
        """The next unit: a real one under other names."""
        began = time.process_time()
        index = self._queue.popleft()
        round_, place = divmod(index, len(self.made))
        content = self.made[place].read_bytes()
        if round_:
            text = renamed(gzip.decompress(content).decode("ascii"), round_)
            content = gzip.compress(text.encode("ascii"), compresslevel=1, mtime=0)
        Copies.spent_s += time.process_time() - began
        return index, content


def renamed(text: str, copy: int) -> str:
    """The unit with other hashes and other names of its entry points."""

    def other(match: re.Match[str]) -> str:
        old = match[0]
        size = -(-len(old) // 2)
        mask = b"".join(
            blake2b(f"{copy}:{block}".encode(), digest_size=64).digest()
            for block in range(-(-size // 64))
        )
        new = int(old, 16) ^ int.from_bytes(mask[:size], "big")
        return f"{new:0{2 * size}x}"[-len(old) :]

    text = _HASH.sub(other, text)
    titles = sorted(set(_ENTRY.findall(text)), key=len, reverse=True)
    if not titles:
        return text
    names = re.compile(rf"\b({'|'.join(map(re.escape, titles))})\b")
    return names.sub(lambda match: f"{match[0]}_{copy}", text)


class Watch(SilentProgress):
    """Reads memory and time whenever ``step`` more programs were merged; tells it as it goes."""

    def __init__(self, step: int) -> None:
        self.readings: list[Reading] = []
        self._step = step

    def advance(self, stage: str, done: int, total: int | None) -> None:
        """Take a reading where one is due."""
        if done // self._step > len(self.readings):
            self.read(done)

    def read(self, done: int) -> None:
        """Take a reading."""
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        spent = time.process_time() - Copies.spent_s
        reading = Reading(done, pages * resource.getpagesize() / 1e6, peak / 1e6, spent)
        self.readings.append(reading)
        print(json.dumps(asdict(reading)), file=sys.stderr, flush=True)


def make_sample(recipe: Recipe, programs: int, folder: Path) -> Iterator[Path]:
    """Files of units with about ``programs`` real programs."""
    number = -(-programs // UNIT_DRAWS)
    with LocalEngine(BuildJob(Context(recipe, current_versions())), workers=1) as engine:
        for unit in islice(units(recipe, None), number):
            engine.submit(unit.index, unit)
        for _ in range(number):
            index, content = engine.take()
            path = folder / f"{index}.json.gz"
            path.write_bytes(content)
            yield path


def measure(recipe: Recipe, sample: int, step: int) -> dict[str, Any]:
    """Build from copies; readings on the way and after the end."""
    watch = Watch(step)
    with tempfile.TemporaryDirectory(prefix="tracefoundry-") as text:
        Copies.made = tuple(make_sample(recipe, sample, Path(text)))
        vars(factory.engines)["LocalEngine"] = Copies
        folder = Path(text) / "data"
        began = time.process_time()
        report = build(recipe, folder, progress=watch)
        watch.read(report.programs)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    counts = report.manifest["counts"]
    return {
        "began_s": began,
        "readings": [asdict(each) for each in watch.readings],
        "dropped": report.manifest["drops"],
        "data_mb": size / 1e6,
        **{config: counts[config]["total"] for config in counts},
    }


def show(found: dict[str, Any], recipe: Recipe) -> None:
    """Print the table."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{datetime.now(tz=UTC).date()}, {processor()}, {os.cpu_count()} cores, load {load}")
    print(f"Python {platform.python_version()}; recipe {recipe.name}, near-duplicates compared")
    print(
        f"{found['programs']:,} programs, {found['traces']:,} traces, "
        f"{found['questions']:,} questions, {found['data_mb']:,.0f} MB of data"
    )
    print(f"{'programs':>10} {'resident MB':>12} {'peak MB':>9} {'ms a program since':>19}")
    programs, spent = 0, found["began_s"]
    for reading in found["readings"]:
        more = reading["programs"] - programs
        each = f"{1e3 * (reading['processor_s'] - spent) / more:.1f}" if more else "the end"
        print(
            f"{reading['programs']:10,} {reading['resident_mb']:12.0f} "
            f"{reading['peak_mb']:9.0f} {each:>19}"
        )
        programs, spent = reading["programs"], reading["processor_s"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--recipe", default="small", help="packaged recipe or file")
    parser.add_argument("--programs", type=int, default=100_000, help="programs to merge")
    parser.add_argument("--sample", type=int, default=480, help="real programs that are copied")
    parser.add_argument("--step", type=int, default=10_000, help="programs between two readings")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    options = parser.parse_args()
    recipe = replace(
        load_recipe(options.recipe),
        programs=options.programs,
        near_duplicates=0.9,
        difficulty=Difficulty(),
        curriculum=Curriculum(),
    )
    found = measure(recipe, options.sample, options.step)
    if options.json:
        print(json.dumps(found, indent=1))
        return
    show(found, recipe)


if __name__ == "__main__":
    main()
