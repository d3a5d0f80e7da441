"""YAML file -> :class:`factory.recipe_records.Recipe`; errors name the file, key and mend."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from importlib import resources
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from factory.errors import RecipeError, UserError
from factory.models.backends import backend_names, setting_names
from factory.models.base import NamesModel, find_plan
from factory.recipe_records import Fields, Recipe

__all__ = [
    "DEFAULT_RECIPE",
    "Recipe",
    "load_recipe",
    "nearest",
    "packaged_recipes",
    "recipe_from_contents",
]

DEFAULT_RECIPE = "tiny"
_UNKNOWN_KEY = ("unexpected_keyword_argument", "extra_forbidden")
"""Pydantic's names of the error; it comes first, because a misspelt key is also a missing one."""


def packaged_recipes() -> tuple[str, ...]:
    """Names of the recipes that come with the package, sorted."""
    folder = resources.files("factory") / "recipes"
    return tuple(
        sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    )


def load_recipe(name_or_path: str | Path) -> Recipe:
    """Read a recipe file, or a packaged recipe by its name.

    Raises:
        RecipeError: The file cannot be read, or a key or value of it is not as it should be.
        UserError: There is neither such a file nor such a packaged recipe.
    """
    path = Path(name_or_path)
    if path.is_file():
        return _parse(_read(path), str(path), path.parent, path.stem)
    name = str(name_or_path)
    if name in packaged_recipes():
        text = (resources.files("factory") / "recipes" / f"{name}.yaml").read_text("utf-8")
        return _parse(text, f"{name} (packaged)", Path(), name)
    raise UserError(
        f"no recipe {name!r}: it is neither a file nor one of the packaged recipes "
        f"({', '.join(packaged_recipes())})"
    )


def recipe_from_contents(contents: dict[str, Any], *, where: str, seed: int) -> Recipe:
    """The recipe that a manifest holds (:meth:`Recipe.contents`), checked anew.

    Raises:
        RecipeError: The contents are not those of a recipe of this version.
    """
    return _validate({**contents, "seed": seed}, where)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path}: cannot read the recipe: {error}") from error


def _parse(text: str, where: str, folder: Path, stem: str) -> Recipe:
    data = _load_yaml(text, where)
    if not isinstance(data, dict):
        raise RecipeError(f"{where}: a recipe is a mapping of keys to values, such as 'source:'")
    recipe = _validate(_gather_fields(data), where)
    source = recipe.source
    if source.path is not None and source.repo is None:
        source = replace(source, path=str((folder / source.path).resolve()))
    benchmarks = tuple(
        benchmark
        if benchmark.is_remote
        else replace(benchmark, path=str((folder / benchmark.path).resolve()))
        for benchmark in recipe.decontamination.benchmarks
    )
    _check_names(recipe, where)
    return replace(
        recipe,
        name=recipe.name or stem,
        source=source,
        decontamination=replace(recipe.decontamination, benchmarks=benchmarks),
    )


def _gather_fields(data: dict[Any, Any]) -> dict[Any, Any]:
    """Let the names of a record's fields stand in ``source`` itself: ``code: program``."""
    source = data.get("source")
    names = {entry.name for entry in fields(Fields)}
    if not isinstance(source, dict) or "fields" in source or not names & source.keys():
        return data
    inner = {key: value for key, value in source.items() if key in names}
    outer = {key: value for key, value in source.items() if key not in names}
    return {**data, "source": {**outer, "fields": inner}}


def _load_yaml(text: str, where: str) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """Refuses a key that is given twice, of which plain YAML would silently take the last."""

    def mapping(loader: Loader, node: yaml.MappingNode) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = loader.construct_object(key_node)
            if isinstance(key, str) and key in seen:
                line = key_node.start_mark.line + 1
                raise RecipeError(f"{where}:{line}: the key {key!r} is given twice; keep one")
            seen.add(key if isinstance(key, str) else repr(key))
        return loader.construct_mapping(node, deep=True)

    Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)
    try:
        return yaml.load(text, Loader)  # noqa: S506 (a SafeLoader)
    except yaml.YAMLError as error:
        raise RecipeError(f"{where}: not YAML: {error}") from error


def _validate(data: dict[Any, Any], where: str) -> Recipe:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Recipe).validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = next((each for each in found if each["type"] in _UNKNOWN_KEY), found[0])
        raise RecipeError(f"{where}: {_explain(dict(first))}") from error


def _explain(error: dict[str, Any]) -> str:
    path = [str(part) for part in error["loc"]]
    key = ".".join(path)
    if error["type"] in _UNKNOWN_KEY:
        known = _known_keys(path[:-1])
        return f"unknown key {key!r}{nearest(path[-1], known)}"
    if error["type"] in ("missing", "missing_argument"):
        return f"the key {key!r} is missing"
    message = str(error["msg"]).removeprefix("Value error, ")
    message = message.removeprefix("Input ").replace("valid array", "list")
    if error["type"] == "value_error":
        return f"{key}: {message}" if key else message
    return f"{key}: {message}, not {json.dumps(error['input'])[:80]}"


def nearest(name: str, known: Iterable[str]) -> str:
    """``; did you mean …? Known: …``, to be put behind a message about an unknown name."""
    known = list(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"; did you mean {close[0]!r}?" if close else ";"
    return f"{hint} known here: {', '.join(known)}"


def _known_keys(path: list[str]) -> list[str]:
    """Names of the fields of the record at ``path``."""
    place: Any = Recipe
    for part in path:
        if not is_dataclass(place):  # of a list or mapping, which ``part`` leads into
            place = next(option for option in get_args(place) if is_dataclass(option))
            continue
        place = get_type_hints(place)[part]
        if get_origin(place) in (Union, UnionType):
            place = next(option for option in get_args(place) if is_dataclass(option))
    assert isinstance(place, type)
    return [entry.name for entry in fields(place)]


def _question_kinds() -> tuple[str, ...]:
    from factory.questions import kind_names

    return kind_names()


def _check_models(recipe: Recipe, where: str) -> None:
    """Refuse models that no backend loads, settings that it does not take, names of no model."""
    for name, plan in recipe.models.items():
        _check_backend(plan.backend, f"{where}: models.{name}.backend")
        if plan.settings:
            known = setting_names(plan.backend)
            for setting in plan.settings:
                if setting not in known:
                    raise RecipeError(
                        f"{where}: models.{name}.settings: the backend {plan.backend!r} has no "
                        f"setting {setting!r}{nearest(setting, known)}"
                    )
    parts: tuple[tuple[str, NamesModel], ...] = (
        ("difficulty", recipe.difficulty),
        ("writer", recipe.writer),
        ("teacher", recipe.teacher),
        ("rewriter", recipe.rewriter),
    )
    for key, part in parts:
        if part.backend is not None:
            _check_backend(part.backend, f"{where}: {key}.backend")
        try:
            find_plan(part, recipe.models)
        except ValueError as error:
            raise RecipeError(f"{where}: {key}.model: {error}") from error


def _check_backend(backend: str, key: str) -> None:
    if backend not in backend_names():
        raise RecipeError(f"{key}: no model backend {backend!r}{nearest(backend, backend_names())}")


def _check_names(recipe: Recipe, where: str) -> None:
    """Refuse question kinds, model backends and grid cells that do not exist.

    Raises:
        RecipeError: A name is unknown, or the grid's keys leave no cell.
    """
    for key, kinds in (
        ("questions.kinds", recipe.questions.kinds),
        ("difficulty.kinds", recipe.difficulty.kinds),
    ):
        for kind in kinds:
            if kind not in _question_kinds():
                raise RecipeError(
                    f"{where}: {key}: no question kind {kind!r}{nearest(kind, _question_kinds())}"
                )
    _check_models(recipe, where)
    if recipe.source.drawn:
        from factory.sources.templates import check_grid

        check_grid(recipe.grid, where)
