"""Packs what is compiled in one process for others, as text.

Packed, code and tables are Python's ``marshal`` format. That is made where no program has run, and
read where one will; nobody reads what a process with a program in it has made.

Source: own.
"""

from __future__ import annotations

import marshal
import types
from base64 import b64decode, b64encode
from typing import Any

from tracer.inside.activations import CodeInfo
from tracer.inside.arguments import BadCall, CallText, read_call
from tracer.inside.frames import Slots
from tracer.inside.modules import Refused, compile_program
from tracer.inside.preparation import Prepared, prepare
from tracer.inside.sites import Site


def pack_program(source: str) -> dict[str, Any] | None:
    """Compile a program for tracing and as it is.

    Returns:
        ``packed`` for :func:`unpack_program`, ``plain`` for :func:`unpack_code`, and what the
        parent is to know: ``statements`` as in ``trace --json``, ``lazy_lines`` and ``scopes``.
        ``None`` for a text that is no program, or one whose code would not come out the same.
    """
    try:
        prepared, plain = prepare(source), compile_program(source)
    except Refused:
        return None
    if not _is_portable(prepared.code) or not _is_portable(plain):
        return None
    infos = [(*info[:-2], tuple(info.slots), info.targets) for info in prepared.codes.values()]
    sites = list(map(tuple, prepared.sites))
    tables = (prepared.lines, prepared.effects)
    parts = (prepared.code, infos, sites, *tables, prepared.reaches_namespaces)
    return {
        "packed": _pack(parts),
        "plain": _pack(plain),
        "statements": prepared.statements,
        "lazy_lines": prepared.lazy_lines,
        "scopes": prepared.scopes,
    }


def unpack_program(packed: str) -> Prepared:
    """Return what :func:`pack_program` packed, without what only the parent is to know."""
    code, infos, sites, lines, effects, reaches = _unpack(packed)
    codes = {
        id(info[0]): CodeInfo._make((*info[:-2], Slots._make(info[-2]), info[-1])) for info in infos
    }
    return Prepared(code, codes, tuple(map(Site._make, sites)), lines, effects, (), reaches, ())


def unpack_code(packed: str) -> types.CodeType:
    """Return the code of a program as it is."""
    code: types.CodeType = _unpack(packed)
    return code


def pack_call(text: str) -> str | None:
    """Compile the arguments of a call; ``None`` where they are none, or would not be the same."""
    try:
        call = read_call(text)
    except BadCall:
        return None
    return _pack(tuple(call)) if _is_portable(call.code) else None


def unpack_call(packed: str) -> CallText:
    """Return what :func:`pack_call` packed."""
    return CallText(*_unpack(packed))


def _pack(parts: tuple[Any, ...] | types.CodeType) -> str:
    return b64encode(marshal.dumps(parts)).decode()


def _unpack(text: str) -> Any:
    return marshal.loads(b64decode(text))  # noqa: S302 - ours: see the module's docstring


def _is_portable(constant: object) -> bool:
    """Tell whether code, or a constant in it, means the same when it has been packed.

    A set display may be compiled to a frozenset, and ``marshal`` loses the order of its elements.
    """
    if isinstance(constant, types.CodeType):
        return all(map(_is_portable, constant.co_consts))
    if isinstance(constant, tuple):
        return all(map(_is_portable, constant))
    return not isinstance(constant, frozenset) or len(constant) < 2
