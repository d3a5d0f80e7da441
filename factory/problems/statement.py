"""What a program does, told in English from its syntax tree.

Every statement has a sentence, every block is indented below the sentence that begins it, and every
function of the program is told in the order of its text, the entry point last.

Source: own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from factory.problems.kinds import kind_words, listed
from factory.problems.looseness import CHAIN, INFIX
from factory.problems.phrases import Phrasing
from factory.problems.scope import Scope, quote, scope_of
from factory.reasoning.claims import code

INDENT = "  "
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UPDATES: dict[type[ast.operator], str] = {
    ast.Add: "Add {value} to {target}",
    ast.Sub: "Subtract {value} from {target}",
    ast.Mult: "Multiply {target} by {value}",
    ast.FloorDiv: "Divide {target} by {value}, rounding down",
    ast.Div: "Divide {target} by {value}",
    ast.Mod: "Reduce {target} modulo {value}",
    ast.Pow: "Raise {target} to the power of {value}",
    ast.BitOr: "Combine {target} by `|` with {value}",
    ast.BitAnd: "Combine {target} by `&` with {value}",
    ast.BitXor: "Combine {target} by `^` with {value}",
}
_ACTIONS = {
    "append": "Append {0} to {1}",
    "add": "Add {0} to {1}",
    "extend": "Extend {1} by {0}",
    "remove": "Remove the first {0} from {1}",
    "discard": "Take {0} out of {1} if it is there",
}
_MANY = 2
"""Letters that are explained below a sentence and not at its end."""


def state_problem(tree: ast.Module, entry_point: str) -> str | None:
    """The statement of the problem whose solution is a program.

    Args:
        tree: The program.
        entry_point: A function of the module's top level.

    Returns:
        ``None`` when there is no such function.
    """
    entry = find_function(tree, entry_point)
    if entry is None:
        return None
    teller = _Teller(scope_of(tree))
    parts = [_introduce(entry)]
    known = [
        line
        for node in tree.body
        if not isinstance(node, (*_DEFINITIONS, ast.Import, ast.ImportFrom))
        for line in teller.lines(node, 0)
    ]
    if known:
        parts.append("\n".join(["At the top of the module:", *known]))
    for node in tree.body:
        if isinstance(node, _DEFINITIONS) and node is not entry:
            ((sentence, body),) = teller.sentences(node)
            parts.append("\n".join([sentence, *teller.block(body or (), 0)]))
    parts.append("\n".join([f"{code(entry_point)} works like this:", *teller.block(entry.body, 0)]))
    return "\n\n".join(parts)


def find_function(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """The last function of a name at the top level."""
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name]
    return found[-1] if found else None


_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def _introduce(entry: ast.FunctionDef) -> str:
    arguments = _arguments(entry)
    told = [f"{code(a.arg)}{_kind(a.annotation)}" for a in arguments]
    if not told:
        takes = "takes no arguments"
    elif len(told) == 1:
        takes = f"takes one argument, {told[0]}"
    else:
        joined = "; ".join(told[:-1])
        takes = f"takes {_number(len(told))} arguments: {joined}; and {told[-1]}"
    gives = ""
    if entry.returns is not None and not _is_none(entry.returns):
        gives = f" It returns {kind_words(entry.returns)}."
    return f"Write a Python function {code(entry.name)} that {takes}.{gives}"


def _arguments(function: ast.FunctionDef) -> list[ast.arg]:
    named = function.args
    return [*named.posonlyargs, *named.args, *named.kwonlyargs]


def _kind(annotation: ast.expr | None) -> str:
    return "" if annotation is None else f", {kind_words(annotation)}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


_Sentence = tuple[str, Sequence[ast.stmt] | None]


class _Teller:
    """Tells the statements of one program."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def block(self, body: Sequence[ast.stmt], depth: int) -> list[str]:
        """The lines of a block."""
        lines = [line for node in body for line in self.lines(node, depth)]
        return lines or [f"{INDENT * depth}- Do nothing."]

    def lines(self, node: ast.stmt, depth: int) -> Iterator[str]:
        """The sentence of a statement, and those of its blocks below it."""
        for sentence, body in self.sentences(node):
            first, *below = sentence.splitlines()
            yield f"{INDENT * depth}- {first}"
            yield from (f"{INDENT * (depth + 1)}- {line}" for line in below)
            if body is not None:
                yield from self.block(body, depth + 1)

    def sentences(self, node: ast.stmt) -> Iterator[_Sentence]:
        """The sentences of a statement with the blocks below them."""
        says = Phrasing(self._scope)
        if isinstance(node, ast.If):
            yield from self._choice(node, "If")
        elif isinstance(node, ast.For):
            target = quote(node.target)
            yield _head(f"For each {target} in {says.phrase(node.iter)}", says), node.body
            if node.orelse:
                yield "When the loop ends without being left:", node.orelse
        elif isinstance(node, ast.While):
            if isinstance(node.test, ast.Constant) and node.test.value is True:
                yield "Again and again, until the loop is left:", node.body
            else:
                yield _head(f"As long as {says.condition(node.test)}", says), node.body
            if node.orelse:
                yield "When the loop ends without being left:", node.orelse
        elif isinstance(node, ast.Try):
            yield "Try this:", node.body
            for handler in node.handlers:
                yield _handler(handler), handler.body
            if node.orelse:
                yield "If nothing went wrong:", node.orelse
            if node.finalbody:
                yield "In any case, at the end:", node.finalbody
        elif isinstance(node, ast.With):
            yield f"Within the context of {listed([quote(i) for i in node.items])}:", node.body
        elif isinstance(node, ast.FunctionDef):
            yield _definition(node), node.body
        elif isinstance(node, ast.ClassDef):
            yield _class(node), node.body
        elif isinstance(node, ast.Match):
            yield _head(f"See which of these cases fits {says.phrase(node.subject)}", says), None
            for case in node.cases:
                guard = f", provided that {says.condition(case.guard)}" if case.guard else ""
                yield _head(f"In the case {quote(case.pattern)}{guard}", says), case.body
        else:
            sentence = _simple(node, says)
            if sentence:
                yield _ended(sentence, says), None

    def _choice(self, node: ast.If, word: str) -> Iterator[_Sentence]:
        says = Phrasing(self._scope)
        yield _head(f"{word} {says.condition(node.test)}", says), node.body
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            yield from self._choice(node.orelse[0], "Otherwise, if")
        elif node.orelse:
            yield "Otherwise:", node.orelse


def _head(sentence: str, says: Phrasing) -> str:
    """A sentence that begins a block."""
    explained = f", where {listed(says.explained)}" if says.explained else ""
    return f"{sentence}{explained}:"


def _ended(sentence: str, says: Phrasing) -> str:
    """A sentence with what its letters stand for: at its end, or in lines of their own."""
    if len(says.explained) < _MANY:
        return f"{sentence}, where {says.explained[0]}." if says.explained else f"{sentence}."
    *others, last = says.explained
    return "\n".join([f"{sentence}, where:", *(f"{each};" for each in others), f"{last}."])


def _handler(handler: ast.ExceptHandler) -> str:
    kind = "any exception" if handler.type is None else quote(handler.type)
    name = f" (as {code(handler.name)})" if handler.name else ""
    return f"If {kind}{name} is raised there:"


def _definition(node: ast.FunctionDef) -> str:
    told = [f"{code(a.arg)}{_bracketed(a.annotation)}" for a in _arguments(node)]
    of = f" of {listed(told)}" if told else " without arguments"
    decorated = listed([code(f"@{ast.unparse(each)}") for each in node.decorator_list] or [""])
    under = f", decorated with {decorated}" if node.decorator_list else ""
    what = "method" if told and _arguments(node)[0].arg == "self" else "helper"
    return f"The {what} {code(node.name)}{of}{under}:"


def _bracketed(annotation: ast.expr | None) -> str:
    return "" if annotation is None else f" ({kind_words(annotation)})"


def _class(node: ast.ClassDef) -> str:
    bases = listed([quote(base) for base in node.bases] or [""])
    above = f", based on {bases}" if node.bases else ""
    decorated = listed([code(f"@{ast.unparse(each)}") for each in node.decorator_list] or [""])
    under = f", decorated with {decorated}" if node.decorator_list else ""
    return f"The class {code(node.name)}{above}{under}:"


def _simple(node: ast.stmt, says: Phrasing) -> str:
    """The sentence of a statement without blocks; empty for one that need not be told."""
    if isinstance(node, ast.Assign):
        return _assignment(node, says)
    if isinstance(node, ast.AnnAssign):
        if node.value is None:
            return f"There is a field {quote(node.target)}{_kind(node.annotation)}"
        return f"Set {quote(node.target)} to {says.phrase(node.value)}"
    if isinstance(node, ast.AugAssign):
        form = _UPDATES.get(type(node.op))
        if form is None:
            return f"Carry out {quote(node)}"
        return form.format(target=quote(node.target), value=says.phrase(node.value, INFIX))
    if isinstance(node, ast.Expr):
        return _action(node.value, says)
    if isinstance(node, ast.Return):
        return "Return None" if node.value is None else f"Return {says.phrase(node.value)}"
    if isinstance(node, ast.Raise):
        what = "the same exception again" if node.exc is None else quote(node.exc)
        return f"Raise {what}"
    if isinstance(node, ast.Assert):
        return f"Make sure that {says.condition(node.test)}"
    if isinstance(node, ast.Nonlocal | ast.Global):
        names = listed([code(name) for name in node.names])
        where = "of the function around it" if isinstance(node, ast.Nonlocal) else "of the module"
        return f"Here {names} {'are those' if len(node.names) > 1 else 'is that'} {where}"
    fixed = {ast.Break: "Leave the loop", ast.Continue: "Go on with the next pass", ast.Pass: ""}
    return fixed.get(type(node), f"Carry out {quote(node)}")


def _assignment(node: ast.Assign, says: Phrasing) -> str:
    first = node.targets[0]
    if (
        len(node.targets) == 1
        and isinstance(first, ast.Tuple)
        and isinstance(node.value, ast.Tuple)
    ):
        pairs = zip(first.elts, node.value.elts, strict=True)
        told = [f"{quote(name)} to {says.phrase(value, INFIX)}" for name, value in pairs]
        return f"At once, set {', and '.join(told)}"
    return f"Set {listed([quote(target) for target in node.targets])} to {says.phrase(node.value)}"


def _action(node: ast.expr, says: Phrasing) -> str:
    if isinstance(node, ast.Constant):
        return ""
    if isinstance(node, ast.Yield):
        return "Yield None" if node.value is None else f"Yield {says.phrase(node.value)}"
    if isinstance(node, ast.YieldFrom):
        return f"Yield everything from {says.phrase(node.value)}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        if node.func.attr in _ACTIONS and len(node.args) == 1:
            target = says.phrase(node.func.value, CHAIN, 0)
            return _ACTIONS[node.func.attr].format(says.phrase(node.args[0], INFIX), target)
    return f"Call {says.code(node)}"
