"""Right answers in the ways in which people and models write them."""

from __future__ import annotations

import json
import random
from collections import Counter, OrderedDict, defaultdict, deque
from math import isfinite
from typing import Any

from tracer.answers import parse_call
from tracer.records import Question
from tracer.values import canonical, parse

_OPENERS = {"list": "[]", "tuple": "()", "set": "{}", "dict": "{}"}


def spell(value: Any, rng: random.Random) -> str:
    """A text that means the value; dicts and sets may come in another order."""
    text = _spell(value, rng)
    return f"({text})" if rng.random() < 0.1 else text


def _spell(value: Any, rng: random.Random) -> str:
    kind = type(value)
    if kind is int:
        return _spell_int(value, rng)
    if kind is float:
        return _spell_float(value, rng)
    if kind is str:
        return _spell_text(value, rng)
    if kind is bytes:
        return rng.choice((repr(value), 'b"' + "".join(f"\\x{byte:02x}" for byte in value) + '"'))
    if kind in (list, tuple):
        return _join(kind.__name__, [_spell(part, rng) for part in value], rng)
    if kind is set:
        parts = [_spell(part, rng) for part in _shuffled(value, rng)]
        if not parts:
            return rng.choice(("set()", "set([])"))
        return _join("set", parts, rng) if rng.random() < 0.7 else f"set([{', '.join(parts)}])"
    if kind is frozenset:
        inner = _spell(set(value), rng)
        return f"frozenset({inner})"
    if kind is dict:
        return _spell_dict(list(value.items()), rng)
    if kind is Counter:
        return f"{_prefix(rng)}Counter({_spell_dict(list(value.items()), rng)})"
    if kind is OrderedDict:
        return f"{_prefix(rng)}OrderedDict({_spell(list(value.items()), rng)})"
    if kind is defaultdict:
        name = value.default_factory.__name__ if value.default_factory else "None"
        return f"{_prefix(rng)}defaultdict({name}, {_spell_dict(list(value.items()), rng)})"
    if kind is deque:
        bound = "" if value.maxlen is None else f", maxlen={value.maxlen}"
        return f"{_prefix(rng)}deque({_spell(list(value), rng)}{bound})"
    if kind is bytearray:
        return f"bytearray({_spell(bytes(value), rng)})"
    if value is ...:
        return rng.choice(("...", "Ellipsis"))
    return canonical(value)


def _prefix(rng: random.Random) -> str:
    return rng.choice(("collections.", ""))


def _shuffled(parts: Any, rng: random.Random) -> list[Any]:
    listed = list(parts)
    rng.shuffle(listed)
    return listed


def _spell_int(value: int, rng: random.Random) -> str:
    if abs(value) >= 10**4300:
        return hex(value)
    forms = [str(value), str(value), hex(value), f"{value:_}"]
    return rng.choice([*forms, f"+{value}"] if value >= 0 else [*forms, f"- {-value}"])


def _spell_float(value: float, rng: random.Random) -> str:
    if not isfinite(value):
        name = repr(value)
        forms = [f"float('{name}')", f'float("{name}")', name]
        return rng.choice(forms if name != "-inf" else [*forms[:2], "-float('inf')", "-inf"])
    forms = [repr(value), repr(value), f"{value:.17e}"]
    return rng.choice(forms)


def _spell_text(value: str, rng: random.Random) -> str:
    escaped = "".join(f"\\U{ord(each):08x}" for each in value)
    forms = [repr(value), f'"{escaped}"', f"'{escaped}'"]
    if value.isprintable() and not set(value) & set("\\'\""):
        forms += [f'"{value}"', f"'''{value}'''", f'"""{value}"""', f"r'{value}'"]
    if value.isascii() and value.isprintable():
        forms.append(json.dumps(value))
    return rng.choice(forms)


def _join(kind: str, parts: list[str], rng: random.Random) -> str:
    opening, closing = _OPENERS[kind]
    between = rng.choice((", ", ",", " , ", ",\n  "))
    comma = "," if parts and ((kind == "tuple" and len(parts) == 1) or rng.random() < 0.2) else ""
    blank = rng.choice(("", "", " ", "\n"))
    return f"{opening}{blank}{between.join(parts)}{comma}{blank}{closing}"


def _spell_dict(items: list[tuple[Any, Any]], rng: random.Random) -> str:
    if all(key == key for key, _ in items):
        rng.shuffle(items)
    colon = rng.choice((": ", ":", " : "))
    parts = [f"{_spell(key, rng)}{colon}{_spell(value, rng)}" for key, value in items]
    return _join("dict", parts, rng)


def answer_to(question: Question, rng: random.Random) -> str:
    """A right answer to a question, without anything around it."""
    if question.kind == "output":
        text = spell(parse(question.key), rng)
        return rng.choice((text, text, f"f(1) == {text}", f"assert f(1, 'x') == {text}"))
    if question.kind == "variable_state":
        key = json.loads(question.key)
        text, kind = spell(parse(key["value"]), rng), key["type"]
        kind = rng.choice((kind, kind.rpartition(".")[2]))
        pair = json.dumps({"value": text, "type": kind}, ensure_ascii=rng.random() < 0.5)
        return rng.choice((pair, f"{text}; {kind}", f"{text} ;{kind}", f"{text}; <class '{kind}'>"))
    if question.kind == "input":
        return _spell_call(question, rng)
    return rng.choice(_words(question))


def _spell_call(question: Question, rng: random.Random) -> str:
    call = parse_call(question.key, "f")
    named = [(None, value) for value in call.positional]
    parts = [
        f"{name}={text}" if name else text
        for name, value in [*named, *call.keyword.items()]
        for text in [_spell_in_order(value, rng)]
    ]
    inner = rng.choice((", ", ",", ",\n"))
    arguments = f"{inner.join(parts)}{rng.choice(('', ',')) if parts else ''}"
    claim = _spell_in_order(call.claims[0], rng)
    forms = [arguments, f"f({arguments})", f"f( {arguments} )", f"assert f({arguments}) == {claim}"]
    return rng.choice([form for form in forms if form.strip()])


def _spell_in_order(value: Any, rng: random.Random) -> str:
    return canonical(value) if "{" in canonical(value) else spell(value, rng)


def _words(question: Question) -> list[str]:
    key = question.key
    forms = [key, f"`{key}`", f" {key} ", f"'{key}'", f"{key}."]
    if question.kind == "next_statement":
        return [*forms, f"line {key}", f"Line {key}."] if key.isdigit() else [*forms, key.upper()]
    if question.kind == "loop_count":
        return [*forms, f"{key} times", f"+{key}"]
    if question.kind in ("executed", "branch", "alias"):
        other = {"yes": "True", "no": "False"}[key]
        return [*forms, key.upper(), key.capitalize() + ".", other, other.lower()]
    if question.kind == "call_stack":
        names = key.split(" > ")
        joined = [mark.join(names) for mark in (" -> ", ">", ", ", "\n", " => ")]
        calls = " > ".join(f"{name}()" for name in names)
        return [key, f"`{key}`", calls, json.dumps(names), repr(names), *joined]
    if question.kind == "exception":
        said = [f"{key}: a message", f"{key}('a')", f"<class '{key}'>"]
        return forms if key == "returns" else [*forms, *said]
    raise AssertionError(f"no spellings of {question.kind}")


def reply_with(answer: str, rng: random.Random) -> str:
    """A whole reply that gives the answer."""
    thought = rng.choice(("", "", "<think>First x is 3.\nSo it is.\n</think>\n"))
    fence = rng.choice(("```", "```python\n", "```py\n", "~~~\n"))
    forms = [
        answer,
        f"<answer>{answer}</answer>",
        f"<answer>\n{answer}\n</answer>\n",
        f"It must be this.\n<answer>{answer}</answer>\nThat is all.",
        f"[ANSWER]\n{answer}\n[/ANSWER]",
    ]
    if "`" not in answer and "~~~" not in answer:
        forms.append(f"{fence.rstrip()}\n{answer}\n{fence[:3]}")
        forms.append(f"<answer>\n{fence.rstrip()}\n{answer}\n{fence[:3]}\n</answer>")
        forms.append(f"So:\n{fence.rstrip()}\n{answer}\n")
    return thought + rng.choice(forms)
