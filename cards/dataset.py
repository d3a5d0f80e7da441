"""The card of a dataset, rendered from its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

Manifest = Mapping[str, Any]
Columns = Mapping[str, Mapping[str, Any]]

SPLITS = ("train", "validation", "test")
DEFAULT_CONFIG = "questions"
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
_KNOWN_LICENCES = {"apache-2.0", "mit", "cc-by-4.0", "cc0-1.0", "bsd-3-clause"}
"""SPDX ids that the Hub knows by the same name, in lower case."""


def render(manifest: Manifest, columns: Columns) -> str:
    """The README of a dataset folder.

    Args:
        manifest: What ``manifest.json`` holds.
        columns: Type of every column, by config: ``str``, ``("list", type)`` or a dict of the
            fields of a struct.

    Raises:
        jinja2.UndefinedError: The manifest lacks something that the card tells.
    """
    import jinja2

    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (Markdown, not HTML)
    )
    environment.filters["number"] = lambda number: f"{number:,}"
    environment.filters["type"] = type_text
    text = (resources.files("cards") / "dataset.md.jinja").read_text("utf-8")
    return environment.from_string(text).render(
        header=header(manifest, columns),
        columns=columns,
        splits=SPLITS,
        **manifest,
    )


def header(manifest: Manifest, columns: Columns) -> str:
    """The YAML header: plain types only, so that every safe loader reads back the same values."""
    import yaml

    total = max(counts["total"] for counts in manifest["counts"].values())
    data = {
        "pretty_name": f"tracefoundry {manifest['recipe']['name']}",
        "language": ["code"],
        "license": _licence(manifest["recipe"]["licence"]),
        "size_categories": [_size(total)],
        "task_categories": ["text-generation", "question-answering"],
        "tags": ["code", "execution-traces", "reasoning", "python", "tracefoundry"],
        "configs": [
            _config(config, manifest["counts"][config]["by_split"])
            for config in columns
            if manifest["counts"][config]["total"]
        ],
    }
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    return text.rstrip("\n")


def _config(config: str, rows: Mapping[str, int]) -> dict[str, Any]:
    """One config; a split without rows is left out, because ``load_dataset`` refuses it."""
    files = [
        {"split": split, "path": f"{config}/{split}-*.parquet"} for split in SPLITS if rows[split]
    ]
    default = {"default": True} if config == DEFAULT_CONFIG else {}
    return {"config_name": config, "data_files": files, **default}


def _licence(licence: str | None) -> str:
    if licence is None:
        return "unknown"
    return licence.lower() if licence.lower() in _KNOWN_LICENCES else "other"


def _size(rows: int) -> str:
    return next((name for bound, name in _SIZES if rows < bound), "n>1M")


def type_text(kind: Any) -> str:
    """A column's type as the card writes it: ``list<int32>``, ``struct<n: int32>``."""
    if isinstance(kind, Mapping):
        inner = ", ".join(f"{name}: {type_text(part)}" for name, part in kind.items())
        return f"struct<{inner}>"
    if isinstance(kind, tuple):
        return f"list<{type_text(kind[1])}>"
    return str(kind)
