"""The YAML header of the dataset card: what the Hub and ``datasets`` read.

Source: https://huggingface.co/docs/hub/datasets-cards (keys), ``datasets`` 5.2 (form of features).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Manifest = Mapping[str, Any]
Columns = Mapping[str, Mapping[str, Any]]
"""Type of every column, by config: ``str``, ``("list", type)`` or a dict of a struct's fields."""

SPLITS = ("train", "validation", "test")
DEFAULT_CONFIG = "questions"
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
_KNOWN_LICENCES = {"apache-2.0", "mit", "cc-by-4.0", "cc0-1.0", "bsd-3-clause"}
"""SPDX ids that the Hub knows by the same name, in lower case."""
_NAMES = {"str": "string"}
"""Types whose name in ``datasets`` differs from ours."""


def header(manifest: Manifest, columns: Columns) -> str:
    """The YAML header: plain types only, so that every safe loader reads back the same values."""
    import yaml

    configs = filled_configs(manifest, columns)
    total = max(counts["total"] for counts in manifest["counts"].values())
    data = {
        "pretty_name": f"tracefoundry {manifest['recipe']['name']}",
        "language": ["code"],
        "license": hub_licence(manifest["recipe"]["licence"]),
        "size_categories": [_size(total)],
        "task_categories": ["text-generation", "question-answering"],
        "tags": ["code", "execution-traces", "reasoning", "python", "tracefoundry"],
        "configs": [_config(config, _rows(manifest["counts"][config])) for config in configs],
        "dataset_info": [_info(config, columns[config], manifest) for config in configs],
    }
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    return text.rstrip("\n")


def filled_configs(manifest: Manifest, columns: Columns) -> tuple[str, ...]:
    """The configs that have rows, in the order of ``columns``."""
    counts = manifest["counts"]
    return tuple(config for config in columns if counts[config]["total"])


def features(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Columns, or fields of a struct, as ``dataset_info`` writes them."""
    return [{"name": name, **_feature(kind)} for name, kind in columns.items()]


def type_text(kind: Any) -> str:
    """A column's type as the card writes it: ``list<int32>``, ``struct<n: int32>``."""
    if isinstance(kind, Mapping):
        inner = ", ".join(f"{name}: {type_text(part)}" for name, part in kind.items())
        return f"struct<{inner}>"
    if isinstance(kind, tuple):
        return f"list<{type_text(kind[1])}>"
    return str(kind)


def hub_licence(licence: str | None) -> str:
    """A licence's SPDX id as the Hub knows it."""
    if licence is None:
        return "unknown"
    return licence.lower() if licence.lower() in _KNOWN_LICENCES else "other"


def _feature(kind: Any) -> dict[str, Any]:
    if isinstance(kind, Mapping):
        return {"struct": features(kind)}
    if isinstance(kind, tuple):
        inner = kind[1]
        if isinstance(inner, Mapping):
            return {"list": features(inner)}
        return {"list": _feature(inner) if isinstance(inner, tuple) else _NAMES.get(inner, inner)}
    return {"dtype": _NAMES.get(kind, kind)}


def _rows(counts: Mapping[str, Any]) -> tuple[str, ...]:
    """The splits that have rows: ``load_dataset`` refuses those without."""
    return tuple(split for split in SPLITS if counts["by_split"][split])


def _config(config: str, splits: tuple[str, ...]) -> dict[str, Any]:
    files = [{"split": split, "path": f"{config}/{split}-*.parquet"} for split in splits]
    default = {"default": True} if config == DEFAULT_CONFIG else {}
    return {"config_name": config, "data_files": files, **default}


def _info(config: str, columns: Mapping[str, Any], manifest: Manifest) -> dict[str, Any]:
    """Types and numbers of rows, which ``load_dataset`` checks: a lost file is an error there."""
    counts = manifest["counts"][config]
    splits = [
        {
            "name": split,
            "num_bytes": manifest["sizes"][config][split],
            "num_examples": counts["by_split"][split],
        }
        for split in _rows(counts)
    ]
    return {"config_name": config, "features": features(columns), "splits": splits}


def _size(rows: int) -> str:
    return next((name for bound, name in _SIZES if rows < bound), "n>1M")
