"""Compiles programs for tracing, and collects what a recorder needs to know of them.

Source: own.
"""

from __future__ import annotations

import ast
import types
from dataclasses import dataclass
from typing import Any

from tracer.inside.activations import CodeInfo
from tracer.inside.effects import Effects, effects_of, mark_lines
from tracer.inside.frames import GENERATOR, slots_of, targets_of
from tracer.inside.layout import (
    DEFINITION,
    Layout,
    lay_out,
    stmt_of,
    virtual_line,
)
from tracer.inside.modules import FILE_NAME, compile_program, refuse_async
from tracer.inside.scopes import binds_no_globals, named_globals
from tracer.inside.sites import Numbered, Site

_Names = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program compiled for tracing."""

    code: types.CodeType
    codes: dict[int, CodeInfo]
    """The code objects whose frames are activations, by identity."""
    sites: tuple[Site, ...]
    lines: list[int]
    """For each virtual line the statement that begins or a mark (:mod:`~.layout`,
    :mod:`~.effects`)."""
    effects: list[Effects]
    """For each statement what it may bind and change."""
    lazy_lines: tuple[int, ...]
    """Source lines that hold a lambda or a generator expression."""
    reaches_namespaces: bool
    """Whether the program can get at frames and namespaces other than by its own names."""
    scopes: tuple[str, ...]
    """For each statement the function or class body that it stands in, as in a trace."""

    @property
    def statements(self) -> list[dict[str, Any]]:
        """The statements as in ``trace --json``."""
        return [
            {"stmt": s.first, "line": s.line, "end_line": s.end_line, "col": s.col, "kind": s.kind}
            for s in self.sites
        ]


def prepare(source: str) -> Prepared:
    """Compile the text of a program so that a :class:`~.steps.Recorder` can follow it.

    Raises:
        Refused: the text does not compile, or is async.
    """
    try:
        return _prepare(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        compile_program(source)  # says what is wrong with the text itself
        raise


def _prepare(source: str) -> Prepared:
    tree = ast.parse(source, FILE_NAME)
    layout = lay_out(tree)
    if layout.has_async:
        refuse_async(tree)
    code = compile(layout.tree, FILE_NAME, "exec", dont_inherit=True)
    codes = _code_infos(code, layout, _names_of_definitions(source, layout))
    return Prepared(
        code=code,
        codes=codes,
        sites=layout.sites,
        lines=mark_lines(layout),
        effects=effects_of(layout, codes.values()),
        lazy_lines=layout.lazy_lines,
        reaches_namespaces=layout.reaches_namespaces,
        scopes=_scopes_of(layout),
    )


def _scopes_of(layout: Layout) -> tuple[str, ...]:
    scopes: list[str] = []
    inside = {-1: "<module>"}
    for site in layout.sites:
        around = inside[site.owner]
        scopes.append(around)
        node = layout.definitions.get(virtual_line(site.first, DEFINITION))
        if node is not None:
            name = _name_of(node)
            inside[site.first] = name if site.owner == -1 else f"{around}.{name}"
    return tuple(scopes)


def _name_of(definition: Numbered) -> str:
    name: str = definition.name  # type: ignore[union-attr, assignment]
    return name


def _names_of_definitions(source: str, layout: Layout) -> dict[int, _Names]:
    """Return, for the virtual line of each definition, the globals that its code names."""
    if not layout.reaches_namespaces and binds_no_globals(layout.tree.body, layout.sites):
        return dict.fromkeys(layout.definitions, ((), ()))
    places = [
        (_name_of(node), layout.sites[stmt_of(line)].line)
        for line, node in layout.definitions.items()
    ]
    return dict(zip(layout.definitions, named_globals(source, FILE_NAME, places), strict=True))


def _code_infos(
    code: types.CodeType, layout: Layout, global_names: dict[int, _Names]
) -> dict[int, CodeInfo]:
    """Describe the code objects whose frames are activations, by the identity of the code."""
    infos = {
        id(code): CodeInfo(code, "<module>", (), (), False, code.co_code, False, slots_of(code), {})
    }

    def visit(outer: types.CodeType) -> None:
        for inner in outer.co_consts:
            if not isinstance(inner, types.CodeType):
                continue
            line = inner.co_firstlineno
            node = layout.definitions.get(line)
            if node is not None and inner.co_name == _name_of(node):
                slots = slots_of(inner)
                moving, steady = global_names[line]
                if layout.reaches_namespaces:
                    moving, steady = moving + steady, ()
                infos[id(inner)] = CodeInfo(
                    code=inner,
                    function=inner.co_qualname.replace("<locals>.", ""),
                    steady_names=steady,
                    global_names=moving,
                    is_class=isinstance(node, ast.ClassDef),
                    bytecode=inner.co_code,
                    is_generator=bool(inner.co_flags & GENERATOR),
                    slots=slots,
                    targets=targets_of(
                        slots, layout.sites, stmt_of(line), open_frames=layout.reaches_namespaces
                    ),
                )
            visit(inner)

    visit(code)
    return infos
