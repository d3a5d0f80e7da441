"""One place to train in for all tests that train; they are skipped where the libraries are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from training_runs import make_place


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("torch", "transformers", "trl", "peft"):
        pytest.importorskip(name, reason="training needs tracefoundry[train]")
    return make_place(tmp_path_factory.mktemp("training"))
