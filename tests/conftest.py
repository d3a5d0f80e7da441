"""Hypothesis profiles (`fast` by default, `--hypothesis-profile=full`) and golden files."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command_line import Command, Done
from hypothesis import HealthCheck, settings

GOLD = Path(__file__).parent / "gold"

settings.register_profile(
    "fast",
    max_examples=30,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "full",
    max_examples=500,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fast")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-gold",
        action="store_true",
        help="Write what the tests see into tests/gold (and docs/) instead of comparing.",
    )


@pytest.fixture
def unlogged() -> Iterator[None]:
    """Nothing is logged: pytest keeps what is, and an error of Ray's holds the actors it ended."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def same_as_file(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """`check(path, text)`: the file holds exactly this text; `--update-gold` writes it."""
    update = request.config.getoption("--update-gold")

    def check(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"{path} is missing: run pytest --update-gold and look at the diff"
        assert text == path.read_text(encoding="utf-8"), (
            f"{path.name} is stale: run pytest --update-gold and look at the diff"
        )

    return check


@pytest.fixture
def same_as_gold(same_as_file: Callable[[Path, str], None]) -> Callable[[str, str], None]:
    """`check(name, text)`: `tests/gold/<name>` holds exactly this text."""
    return lambda name, text: same_as_file(GOLD / name, text)


@pytest.fixture
def tracefoundry(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command line in this process, as the console script does."""
    from factory.cli import run

    def command(*arguments: str | Path, stdin: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = run([str(argument) for argument in arguments])
        return Done(code, *capsys.readouterr())

    return command


@pytest.fixture(scope="session")
def drawn_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two dozen programs of all levels, with every kind of question; not to be changed."""
    from built_dataset import drawn_recipe

    from factory.pipeline import build
    from factory.progress import SilentProgress

    out = tmp_path_factory.mktemp("drawn") / "out"
    build(drawn_recipe(), out, programs=24, progress=SilentProgress())
    return out


@pytest.fixture(scope="session")
def small_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few programs to publish; not to be changed."""
    import published

    out = tmp_path_factory.mktemp("small") / "data"
    return published.build_template_dataset(out, published.SMALL)


@pytest.fixture(scope="session")
def large_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same programs and a few more; not to be changed."""
    import published

    out = tmp_path_factory.mktemp("large") / "data"
    return published.build_template_dataset(out, published.LARGE)
