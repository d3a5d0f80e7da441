"""A stage's config from what the user gave: a YAML file, ``--set key=value``, or nothing."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import yaml

from trainer.configs import CONFIGS, Stage, StageConfig
from trainer.errors import TrainingError

T = TypeVar("T")


def load_config(stage: Stage, file: Path | None, settings: Sequence[str]) -> StageConfig:
    """The config of one stage; see :func:`load_configs`."""
    return load_configs([stage], file, settings)[stage]


def load_configs(
    stages: Sequence[Stage], file: Path | None, settings: Sequence[str]
) -> dict[Stage, StageConfig]:
    """The configs of some stages.

    A key is meant for each of the stages that has it; ``stage1.epochs``, or in the file a section
    ``stage1``, is meant for that stage alone and wins.

    Args:
        stages: Which stages. Sections of others may stand in the file.
        file: YAML with keys of the configs, or nothing.
        settings: ``key=value`` each, the value as in YAML; they win over the file.

    Raises:
        TrainingError: The file can't be read, or a key or value is not known.
    """
    common: list[dict[str, Any]] = []
    own: list[dict[Stage, dict[str, Any]]] = []
    for where, given in (
        (f"{file}", {} if file is None else _flat(_read(file))),
        ("--set", dict(map(_split, settings))),
    ):
        common.append({})
        own.append({stage: {} for stage in stages})
        for key, value in given.items():
            stage, dot, name = key.partition(".")
            if not dot:
                _check_key([CONFIGS[each] for each in stages], key, where)
                common[-1][key] = value
            elif stage in own[-1]:
                _check_key([CONFIGS[stage]], name, where)
                own[-1][stage][name] = value
            elif stage not in CONFIGS or where == "--set":
                raise TrainingError(
                    f"{where}: no stage {stage!r} here; there are: {', '.join(stages)}"
                )
    return {stage: _merge(stage, common, [each[stage] for each in own]) for stage in stages}


def _merge(
    stage: Stage, common: Sequence[Mapping[str, Any]], own: Sequence[Mapping[str, Any]]
) -> StageConfig:
    kind = CONFIGS[stage]
    names = {field.name for field in fields(kind)}
    given: dict[str, Any] = {}
    for shared, mine in zip(common, own, strict=True):
        given |= {key: value for key, value in shared.items() if key in names}
        given |= mine
    return _validate(kind, given, f"config of {stage}")


def _split(setting: str) -> tuple[str, Any]:
    key, equals, text = setting.partition("=")
    if not equals:
        raise TrainingError(f"--set {setting}: write key=value")
    try:
        return key.strip(), yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise TrainingError(f"--set {setting}: the value is no YAML ({error})") from error


def _flat(found: Mapping[Any, Any]) -> dict[str, Any]:
    """Sections of stages as keys with a point."""
    flat: dict[str, Any] = {}
    for key, value in found.items():
        if key in CONFIGS and isinstance(value, Mapping):
            flat |= {f"{key}.{name}": inside for name, inside in value.items()}
        else:
            flat[str(key)] = value
    return flat


def _read(file: Path) -> Mapping[Any, Any]:
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TrainingError(f"{file}: can't be read as YAML: {reason}") from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise TrainingError(f"{file}: not keys and values, as `learning_rate: 1e-6`")
    return found


def _check_key(kinds: Sequence[type[StageConfig]], key: str, where: str) -> None:
    names = list(dict.fromkeys(field.name for kind in kinds for field in fields(kind)))
    if key in names:
        return
    near = difflib.get_close_matches(key, names, 1)
    there = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"
    raise TrainingError(f"{where}: no key {key!r}; {there}")


def _validate(kind: type[T], given: Mapping[str, Any], what: str) -> T:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ")
        raise TrainingError(f"{what}: {key + ': ' if key else ''}{reason}") from error
