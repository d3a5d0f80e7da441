"""The plan of a program: its statements as steps, and what it does on examples."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from factory.reasoning.claims import can_be_written
from factory.reasoning.plans.sentences import Step
from factory.reasoning.telling import MAX_CLAIMS, MAX_VALUE_CHARS
from tracer.records import Trace

_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Example:
    """An executed call of the reference."""

    call: str
    value: str
    states: Mapping[str, str]
    """Variables of the entry point that are no parameters, as they are in the end."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a reference does."""

    steps: tuple[Step, ...]
    """Its statements in the order of its text, helpers first."""
    needs: Mapping[str, tuple[str, ...]]
    """For what a variable that is set is used afterwards, as texts of steps."""
    examples: tuple[Example, ...]


def plan_of(source: str, entry_point: str, traces: Sequence[Trace]) -> Plan | None:
    """The plan of a program.

    Args:
        source: The program.
        entry_point: A function of its top level.
        traces: The runs that are its examples.

    Returns:
        ``None`` when it is too long to be told, or something in it cannot stand in a sentence.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == entry_point]
    if not found:
        return None
    entry = found[-1]
    call = _call(entry)
    steps = [Step("task", call=call)]
    helpers = [node for node in tree.body if isinstance(node, _DEFINITIONS) and node is not entry]
    for node in helpers:
        steps += _definition(node, 0)
    if helpers:
        steps.append(Step("body", call=call))
    steps += _steps(entry.body, 0)
    examples = tuple(_example(trace) for trace in traces)
    texts = [text for step in steps for text in (step.name, step.text, step.call) if text]
    texts += [text for each in examples for text in (each.call, each.value)]
    if len(steps) > MAX_CLAIMS or not all(map(_is_short, texts)):
        return None
    return Plan(tuple(steps), _needs(steps), examples)


def statement_text(step: Step) -> str:
    """A step as a piece of code, as ``need`` names it."""
    forms = {
        "set": "{0} = {1}",
        "loop": "for {0} in {1}",
        "while": "while {1}",
        "if": "if {1}",
        "elif": "elif {1}",
        "return": "return {1}",
    }
    return forms.get(step.kind, "{1}").format(step.name, step.text)


def _is_short(text: str) -> bool:
    return can_be_written(text) and len(text) <= MAX_VALUE_CHARS


def _call(function: ast.FunctionDef) -> str:
    named = function.args
    parameters = [*named.posonlyargs, *named.args, *named.kwonlyargs]
    return f"{function.name}({', '.join(each.arg for each in parameters)})"


def _definition(node: ast.FunctionDef | ast.ClassDef, depth: int) -> Iterator[Step]:
    if isinstance(node, ast.ClassDef):
        yield Step("block", depth, text=f"class {node.name}")
    else:
        yield Step("helper", depth, call=_call(node))
    yield from _steps(node.body, depth + 1)


def _steps(body: Sequence[ast.stmt], depth: int) -> Iterator[Step]:
    for node in body:
        if isinstance(node, _DEFINITIONS):
            yield from _definition(node, depth)
        elif isinstance(node, ast.If):
            yield from _choice(node, depth, "if")
        elif isinstance(node, ast.For | ast.While):
            yield from _loop(node, depth)
        elif isinstance(node, ast.Try | ast.With | ast.Match):
            yield from _block(node, depth)
        else:
            yield from _simple(node, depth)


def _choice(node: ast.If, depth: int, kind: str) -> Iterator[Step]:
    yield Step("elif" if kind == "elif" else "if", depth, text=ast.unparse(node.test))
    yield from _steps(node.body, depth + 1)
    if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        yield from _choice(node.orelse[0], depth, "elif")
    elif node.orelse:
        yield Step("else", depth)
        yield from _steps(node.orelse, depth + 1)


def _loop(node: ast.For | ast.While, depth: int) -> Iterator[Step]:
    if isinstance(node, ast.For):
        text = ast.unparse(node.iter)
        yield Step("loop", depth, name=ast.unparse(node.target), text=text)
    else:
        text = ast.unparse(node.test)
        yield Step("while", depth, text=text)
    yield from _steps(node.body, depth + 1)
    yield Step("end", depth, text=text)
    if node.orelse:
        yield Step("else", depth)
        yield from _steps(node.orelse, depth + 1)


def _block(node: ast.Try | ast.With | ast.Match, depth: int) -> Iterator[Step]:
    """Blocks that have no wording of their own: each is named by the code that begins it."""
    if isinstance(node, ast.With):
        opened = ", ".join(ast.unparse(item) for item in node.items)
        parts: list[tuple[str, Sequence[ast.stmt]]] = [(f"with {opened}", node.body)]
    elif isinstance(node, ast.Match):
        subject = ast.unparse(node.subject)
        parts = [(f"match {subject}: {ast.unparse(c.pattern)}", c.body) for c in node.cases]
    else:
        parts = [("try", node.body)]
        for handler in node.handlers:
            kind = f" {ast.unparse(handler.type)}" if handler.type else ""
            parts.append((f"except{kind}", handler.body))
        parts += [("else", node.orelse), ("finally", node.finalbody)]
    for text, body in parts:
        if body:
            yield Step("block", depth, text=text)
            yield from _steps(body, depth + 1)


def _simple(node: ast.stmt, depth: int) -> Iterator[Step]:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = ast.unparse(node.targets[0]), ast.unparse(node.value)
        yield Step("set", depth, name=target, text=value)
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            target, value = ast.unparse(node.target), ast.unparse(node.value)
            yield Step("set", depth, name=target, text=value)
    elif isinstance(node, ast.Return):
        yield Step("return", depth, text=ast.unparse(node.value) if node.value else "None")
    elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        yield Step("do", depth, text=ast.unparse(node))


def _needs(steps: Sequence[Step]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for place, step in enumerate(steps):
        if step.kind == "set" and step.name.isidentifier():
            uses = (statement_text(s) for s in steps[place + 1 :] if step.name in _reads(s))
            texts = tuple(dict.fromkeys(text for text in uses if _is_short(text)))
            if texts:
                found.setdefault(step.name, texts)
    return found


def _reads(step: Step) -> frozenset[str]:
    """Names that a step's code reads; those of a change are read, too."""
    if step.kind not in ("set", "do", "loop", "while", "if", "elif", "return"):
        return frozenset()
    return names_in(step.text)


def names_in(text: str) -> frozenset[str]:
    """The names in a piece of code; none when it is no code of its own."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return frozenset()
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _example(trace: Trace) -> Example:
    entry = trace.activations[0].entry if trace.activations else ()
    parameters = {variable.name for variable in entry}
    states: dict[str, str] = {}
    for step in trace.steps:
        if step.activation == 0:
            for change in step.changes:
                states[change.name] = change.value or ""
    kept = {
        name: value
        for name, value in sorted(states.items())
        if name not in parameters and _is_short(value) and not value.startswith(("<", "too_large"))
    }
    call = f"{trace.program.entry_point}({trace.args})"
    return Example(call, trace.outcome.value or "", kept)
