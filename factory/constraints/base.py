"""What a constraint check gets to see, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from factory.constraints.execution import Execution
from factory.records import Constraint
from tracer.records import Program


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise of a constraint that a program or its traces do not keep."""

    constraint: str
    """Name of the check, as in the registry."""
    reason: str
    """One sentence for a person."""


@dataclass(frozen=True, slots=True)
class Site:
    """One place in the text where something is called, operated on or subscripted."""

    index: int
    """Position in :attr:`Function.sites`."""
    parent: int | None
    """Index of the nearest site whose receiver, arguments or operands hold this one."""
    type: str
    """Name of the receiver's (first argument's, left operand's) static type; ``?`` if unknown."""
    method: str
    """Label of what is called (see :mod:`factory.constraints.signatures`)."""
    callee: str | None
    """Qualified name of the program's own function that is called."""
    variable: str | None
    """The receiver when it is a plain variable of the function."""
    is_call: bool
    """False for operators and subscripts."""
    stmt: int
    """Number of the statement that holds it, as in :class:`tracer.records.Statement`."""
    certain: bool = True
    """Whether it runs whenever its statement runs to its end: False in a conditional expression,
    behind ``and`` or ``or``, in a ``lambda``, and for what a comprehension may have no element."""
    needs: tuple[str, ...] = ()
    """Variables that must hold something for it to run: comprehensions around it go over them."""
    held: tuple[str, ...] = ()
    """Type texts that a trace may show for :attr:`variable`."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A header and the first step of its body."""

    header: int
    """Statement number of the ``if``, ``elif``, ``for`` or ``while``."""
    first: int
    """Statement number of the first step of its body."""
    last: int
    """Greatest statement number in its body."""


@dataclass(frozen=True, slots=True)
class Control:
    """An ``if`` (with its ``elif`` parts), ``for`` or ``while`` statement."""

    kind: str
    """``if``, ``if-elif``, ``for`` or ``while``."""
    branches: tuple[Branch, ...]
    """One for loops and plain ``if``; one more for each ``elif``."""
    children: tuple[Control, ...]
    """Control statements directly inside any of its bodies."""


@dataclass(frozen=True, slots=True)
class Function:
    """What is known of one function of the program."""

    name: str
    """``__qualname__`` without ``<locals>.``."""
    sites: tuple[Site, ...]
    controls: tuple[Control, ...]
    """The outermost ones."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a program."""

    entry: str | None
    functions: tuple[Function, ...]
    kinds: tuple[str, ...]
    """AST class name of each statement, by statement number."""
    program: Program
    """What they were read from."""

    def reachable(self) -> tuple[Function, ...]:
        """The entry point and every function it may call, in the order of discovery."""
        by_name = {function.name: function for function in self.functions}
        found: dict[str, Function] = {}
        waiting = [self.entry] if self.entry in by_name else []
        while waiting:
            name = waiting.pop(0)
            if name is None or name in found:
                continue
            found[name] = by_name[name]
            waiting += [site.callee for site in by_name[name].sites if site.callee in by_name]
        return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Check:
    """One entry of the registry: a name and two questions."""

    name: str
    static: Callable[[Facts, Constraint], Iterator[str]]
    """Reasons why the text breaks the constraint."""
    dynamic: Callable[[Facts, Sequence[Execution], Constraint], Iterator[str]]
    """Reasons why the traces break it; the static check found nothing."""


def matches(site: Site, constraint: Constraint) -> bool:
    """Whether ``site`` uses the target on an object of its type."""
    return site.type == constraint.type and site.method == constraint.method


def has_run(site: Site, execution: Execution) -> bool:
    """Whether the trace proves that ``site`` ran, as far as the statement around it tells."""
    return (
        site.certain
        and site.stmt in execution.completed
        and all((site.stmt, name) in execution.filled for name in site.needs)
    )


def never(facts: Facts, executions: Sequence[Execution], constraint: Constraint) -> Iterator[str]:
    """The dynamic part of a constraint that only concerns the text."""
    return iter(())
