"""The state of a program under construction: definitions, variables, names, seed values."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst  # noqa: TID253 - factory.templates is only imported inside functions

from factory.constraints.types import INT, STR, Type
from factory.grid import Cell
from factory.templates import nodes
from factory.templates.frame import Block, Frame, Method, Unwritable, Variable, Written
from factory.templates.names import local_names, parameter_names
from factory.templates.nodes import Expr
from factory.templates.themes import Theme
from factory.templates.values import SEEDS, draw_seeds

_MOST_PARAMETERS = 4

__all__ = ["Block", "Frame", "Method", "Unwritable", "Variable", "Writer", "Written"]


class Writer:
    """Everything a template needs to write one program; all randomness comes from ``rng``."""

    def __init__(self, rng: random.Random, theme: Theme, cell: Cell, depth: int) -> None:
        self.rng = rng
        self.theme = theme
        self.cell = cell
        self.depth = depth
        self.allow_methods = cell.level >= 2
        self.others: list[str] = []
        self.loop_weight = 1
        self.blueprint: tuple[str, ...] = ()
        self.helper: Written | None = None
        self.frame = Frame("", [])
        self.definitions: list[cst.SimpleStatementLine | cst.BaseCompoundStatement] = []
        self.imports: dict[str, set[str]] = {}
        self.modules: set[str] = set()
        self.record: str | None = None
        """Name of the program's record class, once it has one."""
        self.titles: set[str] = set()
        self.spare_titles: list[str] = []
        """Function names of the theme that no function has yet."""

    def begin(self, title: str) -> None:
        """Starts a function; the one before must be finished."""
        self.frame = Frame(title, [Block(), Block()], names={title} | self.titles)
        self.titles.add(title)
        self.loop_weight = 1

    def finish(self, result: Expr) -> Written:
        """Ends the function with ``return result``."""
        parameters = tuple(self.frame.parameters)
        self.definitions.append(self.define([nodes.return_(result)], result.type))
        return Written(self.frame.title, parameters, result.type)

    def finish_without(self, returns: Type) -> Written:
        """Ends the function as it is: every way through it has returned or raised."""
        self.definitions.append(self.define([], returns))
        return Written(self.frame.title, tuple(self.frame.parameters), returns)

    def define(
        self,
        last: Sequence[cst.BaseStatement],
        returns: Type | None,
        *,
        first: Sequence[str] = (),
        decorators: Sequence[str] = (),
    ) -> cst.FunctionDef:
        """The function under construction, ended by ``last``; ``first`` lead its parameters."""
        top, body = self.frame.blocks
        signature: list[tuple[str, Type | None]] = [(each, None) for each in first]
        signature += [(each.name, each.type) for each in self.frame.parameters]
        statements = [*top.statements, *body.statements, *last]
        return nodes.function(self.frame.title, signature, returns, statements, decorators)

    @contextmanager
    def aside(self, title: str, *captured: Variable) -> Iterator[None]:
        """Another definition, written while the current function is under construction.

        An inner function binds none of the names that it has ``captured``.
        """
        frame, weight, helper = self.frame, self.loop_weight, self.helper
        self.begin(title)
        self.frame.names |= {each.name for each in captured}
        self.helper = None
        try:
            yield
        finally:
            frame.names.add(title)
            self.frame, self.loop_weight, self.helper = frame, weight, helper

    def need(self, module: str, name: str) -> None:
        """Imports ``name`` from ``module`` at the top of the program."""
        self.imports.setdefault(module, set()).add(name)

    def text(self) -> str:
        """The program."""
        imports = [nodes.import_module(module) for module in sorted(self.modules)]
        imports += [
            nodes.import_from(module, sorted(names))
            for module, names in sorted(self.imports.items())
        ]
        return nodes.module_text(imports, self.definitions)

    def emit(self, statement: cst.BaseStatement) -> None:
        """Adds a statement to the current block."""
        self.frame.blocks[-1].statements.append(statement)

    @property
    def in_loop(self) -> bool:
        """Whether the current block may run more than once a call."""
        return any(block.is_loop for block in self.frame.blocks)

    @contextmanager
    def hoisted(self) -> Iterator[None]:
        """Inside, statements go to the top of the function and see only what is known there."""
        blocks, live = self.frame.blocks, self.frame.live
        self.frame.blocks, self.frame.live = blocks[:1], tuple(range(SEEDS))
        try:
            yield
        finally:
            self.frame.blocks, self.frame.live = blocks, live

    @contextmanager
    def block(self, variables: Sequence[Variable] = (), is_loop: bool = False) -> Iterator[Block]:
        """A nested block; its statements are read from the yielded object afterwards."""
        opened = Block(list(variables), is_loop=is_loop)
        self.frame.blocks = [*self.frame.blocks, opened]
        try:
            yield opened
        finally:
            self.frame.blocks = self.frame.blocks[:-1]

    def visible(self) -> list[Variable]:
        """All variables in scope, outermost first."""
        return [variable for block in self.frame.blocks for variable in block.variables]

    def inner(self) -> list[Variable]:
        """Variables of the control statements around the current block."""
        return [variable for block in self.frame.blocks[2:] for variable in block.variables]

    def readable(self) -> list[Variable]:
        """Variables that any expression may read here.

        What a loop changes in place is left out, so that no value grows by feeding on itself.
        """
        in_loop = self.in_loop
        return [
            each for each in self.visible() if not each.carried and not (each.owned and in_loop)
        ]

    def samples(self, variable: Variable) -> tuple[Any, ...]:
        """Values that ``variable`` is known to take here."""
        if variable.is_parameter:
            return tuple(variable.samples[place] for place in self.frame.live)
        return variable.samples

    def fresh_title(self, *candidates: str) -> str:
        """A name for another definition: the first free candidate, else one of the theme.

        Raises:
            Unwritable: no name is left.
        """
        for candidate in (*candidates, *self.spare_titles):
            if candidate not in self.titles and candidate not in self.frame.names:
                return candidate
        raise Unwritable("no title is left")

    def fresh_name(self, candidates: Sequence[str]) -> str:
        """The first candidate that the function does not use yet."""
        for candidate in candidates:
            if candidate not in self.frame.names:
                self.frame.names.add(candidate)
                return candidate
        raise Unwritable("no name is left")

    def read(self, variable: Variable) -> Expr:
        """An expression that reads ``variable``."""
        variable.unread = False
        return nodes.name(variable.name, variable.type)

    def can_add_parameter(self) -> bool:
        """Whether the signature has room."""
        return len(self.frame.parameters) < _MOST_PARAMETERS

    def parameter(self, type_: Type) -> Variable:
        """A new parameter with seed values.

        Raises:
            Unwritable: the signature is full.
        """
        if not self.can_add_parameter():
            raise Unwritable("the signature is full")
        title = self.fresh_name(parameter_names(type_, self.theme, self.rng))
        seeds = draw_seeds(type_, self.theme, self.rng)
        added = Variable(title, type_, seeds, is_parameter=True)
        self.frame.blocks[0].variables.append(added)
        return added

    def take(self, type_: Type, *titles: str) -> Variable:
        """A parameter of a helper; its values are those of whoever calls it."""
        added = Variable(self.fresh_name(titles), type_, is_parameter=True, carried=True)
        self.frame.blocks[0].variables.append(added)
        return added

    def bind(
        self, value: Expr, *, owned: bool = False, filled: bool = False, title: str | None = None
    ) -> Variable:
        """Assigns ``value`` to a new variable of the current block.

        A plain variable needs no second name, unless a title or the right to change it is asked.
        """
        if title is None and not owned and not filled:
            known = next((each for each in self.visible() if nodes.is_name(value, each.name)), None)
            if known is not None:
                known.unread = True
                return known
        names = local_names(value.type, self.theme, self.rng)
        chosen = self.fresh_name([title, *names] if title else names)
        empty = value.constant and value.type.name in ("list", "dict") and not filled
        self.emit(nodes.assign(chosen, value, annotated=empty))
        added = Variable(chosen, value.type, owned=owned, filled=filled)
        self.frame.blocks[-1].variables.append(added)
        return added

    def pick(self, type_: Type, *, new: float = 0.15) -> Variable:
        """A variable of ``type_``: unread and inner ones first, sometimes a new parameter.

        Raises:
            Unwritable: there is none and the signature is full.
        """
        found = [each for each in self.readable() if each.type == type_]
        if self.can_add_parameter() and (not found or self.rng.random() < new):
            return self.parameter(type_)
        if not found:
            raise Unwritable(f"no variable of type {type_}")
        outer = set(map(id, self.frame.blocks[0].variables))
        weights = [(4 if each.unread else 1) * (1 if id(each) in outer else 3) for each in found]
        return self.rng.choices(found, weights)[0]

    def get(self, type_: Type, *, new: float = 0.15) -> Expr:
        """Reads :meth:`pick`."""
        return self.read(self.pick(type_, new=new))

    def owned(self, type_: Type, *, filled: bool = False) -> Variable | None:
        """A container that may be changed in place here, if there is one."""
        found = [
            each
            for each in self.visible()
            if each.type == type_ and each.owned and not each.locked and each.filled >= filled
        ]
        return self.rng.choice(found) if found else None

    def call_helper(self) -> Expr:
        """A call of the helper of the function under construction."""
        assert self.helper is not None
        arguments = [self.get(each.type) for each in self.helper.parameters]
        return nodes.call(self.helper.title, *arguments, returns=self.helper.returns)

    def method(
        self, receiver: Expr, label: str, *args: Expr, keywords: Sequence[tuple[str, Expr]] = ()
    ) -> Expr:
        """A method call, noted as another method unless it is the target."""
        self.note(receiver.type, label)
        return nodes.method(receiver, label, *args, keywords=keywords)

    def note(self, type_: Type, label: str) -> None:
        """Notes the use of another method."""
        used = f"{type_.name}.{label}"
        if used != f"{self.cell.type}.{self.cell.method}" and used not in self.others:
            self.others.append(used)

    def word(self) -> Expr:
        """A word of the theme."""
        return nodes.literal(self.rng.choice(self.theme.words))

    def letter(self, common: bool = True) -> Expr:
        """A letter that words of the theme hold."""
        letters = sorted(set("".join(self.theme.words)))
        return nodes.literal(self.rng.choice("aeiorst" if common else letters))

    def number(self, low: int, high: int) -> Expr:
        """An integer literal."""
        return nodes.literal(self.rng.randint(low, high))

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.rng.random() < probability

    def element_type(self) -> Type:
        """``str`` or ``int``, rather one that the loops around deliver."""
        variables = [each for block in self.frame.blocks[2:] for each in block.variables]
        inner = [each.type for each in variables if each.type in (STR, INT)]
        return self.rng.choice([STR, INT, *inner, *inner])
