"""What differs between two datasets: rows by id and content, recipes, versions, numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factory.manifest import read_manifest
from factory.query import connect, interruptible, list_tables
from factory.views import DERIVED, DROPS

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

MANIFEST_KEYS = ("schema_version", "recipe", "seed", "counts", "drops", "grid", "canary")
"""Keys that are compared; ``checksums`` follow from the rows, and ``environment`` is below."""
_VIEWS = frozenset(view.name for view in (*DERIVED, DROPS))


@dataclass(frozen=True, slots=True)
class ConfigDifference:
    """The rows of one config in two datasets, matched by id."""

    config: str
    rows: tuple[int, int]
    """Number of rows in the first and in the second."""
    added: int
    """Rows that only the second has."""
    gone: int
    """Rows that only the first has."""
    changed: int
    """Rows of both with another value in some column."""
    columns: tuple[tuple[str, int], ...]
    """Columns of both that differ somewhere, and in how many rows."""
    new_columns: tuple[str, ...]
    lost_columns: tuple[str, ...]
    examples: tuple[tuple[str, tuple[str, ...]], ...]
    """``added``, ``gone`` and ``changed`` with some of their ids, sorted."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A value of the manifests that differs; ``None`` where one lacks it."""

    key: str
    """Dotted: ``recipe.inputs.mutants``."""
    first: Any
    second: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that differs between two datasets."""

    configs: tuple[ConfigDifference, ...]
    settings: tuple[Setting, ...]

    @property
    def same(self) -> bool:
        """Whether all rows and settings are equal."""
        return not self.settings and not any(
            each.added or each.gone or each.changed or each.new_columns or each.lost_columns
            for each in self.configs
        )


def compare_datasets(first: Path, second: Path, examples: int = 5) -> Difference:
    """Compare two dataset folders.

    Args:
        first: The older one, say.
        second: The newer one.
        examples: Most ids that are named of each sort of difference.

    Raises:
        UserError: One of them is no dataset, or cannot be read.
    """
    settings = tuple(_settings(read_manifest(first), read_manifest(second)))
    with connect(first) as one, connect(second) as other:
        tables = [_columns(connection) for connection in (one, other)]
        configs = [*tables[0], *(name for name in tables[1] if name not in tables[0])]
        found = [
            _compare(one, other, config, tables[0].get(config), tables[1].get(config), examples)
            for config in configs
        ]
    return Difference(tuple(found), settings)


def _settings(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[Setting]:
    """Values of the manifests that differ."""
    pairs = [(key, first[key], second[key]) for key in MANIFEST_KEYS]
    for key in ("versions", "python", "platform"):
        place = f"environment.{key}"
        pairs.append((place, first["environment"].get(key), second["environment"].get(key)))
    for key, one, other in pairs:
        left, right = dict(_leaves(key, one)), dict(_leaves(key, other))
        for leaf in [*left, *(leaf for leaf in right if leaf not in left)]:
            if left.get(leaf) != right.get(leaf):
                yield Setting(leaf, left.get(leaf), right.get(leaf))


def _leaves(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(f"{key}.{name}", inner)
    else:
        yield key, value


def _columns(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, ...]]:
    """Columns of each config."""
    return {
        table.name: tuple(name for name, _ in table.columns)
        for table in list_tables(connection)
        if table.name not in _VIEWS
    }


def _compare(
    one: duckdb.DuckDBPyConnection,
    other: duckdb.DuckDBPyConnection,
    config: str,
    first: tuple[str, ...] | None,
    second: tuple[str, ...] | None,
    examples: int,
) -> ConfigDifference:
    """Compare a config, which one of the two may lack."""
    import duckdb

    own_id = (first or second or ())[0]
    shared = [name for name in first or () if name in (second or ()) and name != own_id]
    sides = {
        "one": _hashes(one, config, own_id, shared, present=first is not None),
        "other": _hashes(other, config, own_id, shared, present=second is not None),
    }
    joined = f'one FULL JOIN other ON one."{own_id}" = other."{own_id}"'
    only = {
        "added": f'one."{own_id}" IS NULL',
        "gone": f'other."{own_id}" IS NULL',
        "changed": " OR ".join(f'one."{c}" != other."{c}"' for c in shared) or "false",
    }
    with duckdb.connect(":memory:") as both:
        for name, table in sides.items():
            both.register(name, table)
        counts = [f"count(*) FILTER ({condition})" for condition in only.values()]
        differing = [f'count(*) FILTER (one."{c}" != other."{c}")' for c in shared]
        sql = f"SELECT {', '.join([*counts, *differing])} FROM {joined}"  # noqa: S608
        numbers = both.execute(sql).fetchall()[0]
        named = tuple(
            (
                name,
                tuple(
                    str(row[0])
                    for row in both.execute(
                        f'SELECT coalesce(one."{own_id}", other."{own_id}") AS id FROM {joined} '  # noqa: S608
                        f"WHERE {condition} ORDER BY id LIMIT {examples}"
                    ).fetchall()
                ),
            )
            for name, condition in only.items()
        )
    return ConfigDifference(
        config=config,
        rows=(sides["one"].num_rows, sides["other"].num_rows),
        added=numbers[0],
        gone=numbers[1],
        changed=numbers[2],
        columns=tuple((c, n) for c, n in zip(shared, numbers[3:], strict=True) if n),
        new_columns=tuple(c for c in second or () if c not in (first or ())),
        lost_columns=tuple(c for c in first or () if c not in (second or ())),
        examples=tuple((name, ids) for name, ids in named if ids),
    )


def _hashes(
    connection: duckdb.DuckDBPyConnection,
    config: str,
    own_id: str,
    columns: list[str],
    *,
    present: bool,
) -> pa.Table:
    """Id and a hash of each column's value: small, whatever the values are."""
    import pyarrow as pa

    if not present:
        fields = [(own_id, pa.string()), *((name, pa.uint64()) for name in columns)]
        return pa.schema(fields).empty_table()
    listed = ", ".join([f'"{own_id}"', *(f'hash("{name}") AS "{name}"' for name in columns)])
    sql = f'SELECT {listed} FROM "{config}"'  # noqa: S608 (names of our own views)
    return interruptible(connection, lambda: connection.sql(sql).to_arrow_table())
