"""What a program does, told in English from its syntax tree.

Every statement has a sentence, every block is indented below the sentence that begins it, and every
function of the program is told in the order of its text, the entry point last.

Source: own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from factory.problems.kinds import kind_words, listed
from factory.problems.phrases import condition, phrase
from factory.reasoning.claims import code

INDENT = "  "
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UPDATES: dict[type[ast.operator], str] = {
    ast.Add: "Add {value} to {target}.",
    ast.Sub: "Subtract {value} from {target}.",
    ast.Mult: "Multiply {target} by {value}.",
    ast.FloorDiv: "Divide {target} by {value}, rounding down.",
    ast.Div: "Divide {target} by {value}.",
    ast.Mod: "Reduce {target} modulo {value}.",
}
_ACTIONS = {
    "append": "Append {} to {}.",
    "add": "Add {} to {}.",
    "extend": "Extend {1} by {0}.",
    "remove": "Remove the first {} from {}.",
    "discard": "Take {} out of {} if it is there.",
}


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
    parts = [_introduce(entry)]
    known = list(_known(tree))
    if known:
        parts.append("\n".join(["At the top of the module:", *known]))
    helpers = [node for node in tree.body if isinstance(node, _DEFINITIONS) and node is not entry]
    for node in helpers:
        ((sentence, body),) = _sentences(node)
        parts.append("\n".join([sentence, *_block(body or (), 0)]))
    parts.append("\n".join([f"{code(entry_point)} works like this:", *_block(entry.body, 0)]))
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


def _known(tree: ast.Module) -> Iterator[str]:
    """What the module binds beside functions and classes, save its imports."""
    for node in tree.body:
        if not isinstance(node, (*_DEFINITIONS, ast.Import, ast.ImportFrom)):
            yield from _lines(node, 0)


def _block(body: Sequence[ast.stmt], depth: int) -> list[str]:
    lines = [line for node in body for line in _lines(node, depth)]
    return lines or [f"{INDENT * depth}- Do nothing."]


def _lines(node: ast.stmt, depth: int) -> Iterator[str]:
    """The sentence of a statement, and those of its blocks below it."""
    for sentence, body in _sentences(node):
        yield f"{INDENT * depth}- {sentence}"
        if body is not None:
            yield from _block(body, depth + 1)


_Sentence = tuple[str, Sequence[ast.stmt] | None]


def _sentences(node: ast.stmt) -> Iterator[_Sentence]:
    if isinstance(node, ast.If):
        yield from _choice(node, "If")
    elif isinstance(node, ast.For):
        target = code(ast.unparse(node.target))
        yield f"For each {target} in {phrase(node.iter)}:", node.body
        if node.orelse:
            yield "When the loop ends without being left:", node.orelse
    elif isinstance(node, ast.While):
        if isinstance(node.test, ast.Constant) and node.test.value is True:
            yield "Again and again, until the loop is left:", node.body
        else:
            yield f"As long as {condition(node.test)}:", node.body
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
        opened = listed([code(ast.unparse(item)) for item in node.items])
        yield f"Within the context of {opened}:", node.body
    elif isinstance(node, ast.FunctionDef):
        yield _definition(node), node.body
    elif isinstance(node, ast.ClassDef):
        yield _class(node), node.body
    elif isinstance(node, ast.Match):
        yield f"See which of these cases fits {phrase(node.subject)}:", None
        for case in node.cases:
            guard = f", provided that {condition(case.guard)}" if case.guard else ""
            yield f"In the case {code(ast.unparse(case.pattern))}{guard}:", case.body
    else:
        sentence = _simple(node)
        if sentence:
            yield sentence, None


def _choice(node: ast.If, word: str) -> Iterator[_Sentence]:
    yield f"{word} {condition(node.test)}:", node.body
    if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        yield from _choice(node.orelse[0], "Otherwise, if")
    elif node.orelse:
        yield "Otherwise:", node.orelse


def _handler(handler: ast.ExceptHandler) -> str:
    kind = "any exception" if handler.type is None else code(ast.unparse(handler.type))
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
    bases = listed([code(ast.unparse(base)) for base in node.bases] or [""])
    above = f", based on {bases}" if node.bases else ""
    decorated = listed([code(f"@{ast.unparse(each)}") for each in node.decorator_list] or [""])
    under = f", decorated with {decorated}" if node.decorator_list else ""
    return f"The class {code(node.name)}{above}{under}:"


def _simple(node: ast.stmt) -> str:
    """The sentence of a statement without blocks; empty for one that need not be told."""
    if isinstance(node, ast.Assign):
        return _assignment(node)
    if isinstance(node, ast.AnnAssign):
        if node.value is None:
            return f"There is a field {code(ast.unparse(node.target))}{_kind(node.annotation)}."
        return f"Set {code(ast.unparse(node.target))} to {phrase(node.value)}."
    if isinstance(node, ast.AugAssign):
        values = {"target": code(ast.unparse(node.target)), "value": phrase(node.value)}
        form = _UPDATES.get(type(node.op))
        return form.format(**values) if form else f"Carry out {code(ast.unparse(node))}."
    if isinstance(node, ast.Expr):
        return _action(node.value)
    if isinstance(node, ast.Return):
        return "Return None." if node.value is None else f"Return {phrase(node.value)}."
    if isinstance(node, ast.Raise):
        what = "the same exception again" if node.exc is None else code(ast.unparse(node.exc))
        return f"Raise {what}."
    if isinstance(node, ast.Assert):
        return f"Make sure that {condition(node.test)}."
    if isinstance(node, ast.Nonlocal | ast.Global):
        names = listed([code(name) for name in node.names])
        where = "of the function around it" if isinstance(node, ast.Nonlocal) else "of the module"
        return f"Here {names} {'are those' if len(node.names) > 1 else 'is that'} {where}."
    fixed = {ast.Break: "Leave the loop.", ast.Continue: "Go on with the next pass.", ast.Pass: ""}
    return fixed.get(type(node), f"Carry out {code(ast.unparse(node))}.")


def _assignment(node: ast.Assign) -> str:
    targets = [code(ast.unparse(target)) for target in node.targets]
    first = node.targets[0]
    if len(targets) == 1 and isinstance(first, ast.Tuple) and isinstance(node.value, ast.Tuple):
        names = listed([code(ast.unparse(each)) for each in first.elts])
        values = listed([phrase(each, 1) for each in node.value.elts])
        return f"At once, set {names} to {values}."
    return f"Set {listed(targets)} to {phrase(node.value)}."


def _action(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return ""
    if isinstance(node, ast.Yield):
        return "Yield None." if node.value is None else f"Yield {phrase(node.value)}."
    if isinstance(node, ast.YieldFrom):
        return f"Yield everything from {phrase(node.value)}."
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _ACTIONS
        and len(node.args) == 1
        and not node.keywords
    ):
        return _ACTIONS[node.func.attr].format(
            phrase(node.args[0]), code(ast.unparse(node.func.value))
        )
    return f"Call {code(ast.unparse(node))}."
