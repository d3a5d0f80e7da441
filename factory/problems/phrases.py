"""Expressions in words: ``len(xs) % 3`` is the length of `xs` modulo `3`.

Words go two levels deep. What lies deeper is quoted when it is short code, and otherwise gets a
letter that the sentence explains at its end (", where `A` stands for ..."), as mathematicians do;
so no sentence becomes a riddle, and none quotes the solution.

Source: own.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from factory.problems import vocabulary as words
from factory.problems.kinds import listed
from factory.problems.letters import with_letters
from factory.problems.looseness import ATOM, CHAIN, CHOICE, CLAUSE, INFIX, LIST, SUFFIX, Phrase
from factory.problems.scope import (
    Scope,
    counted,
    is_clause,
    is_display,
    is_plain,
    is_short,
    is_simple,
    is_starred,
    quote,
    size_of,
    verb_of,
)
from factory.reasoning.claims import code as between_backticks

LEVELS = 2
"""Levels of an expression that are told in words."""
_SORTABLE = ("the elements of", "the keys of", "the values of", "the items of")


class Phrasing:
    """Words the expressions of one sentence.

    Attributes:
        explained: The letters in the sentence, such as "`A` stands for the sum of `xs`".
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._letters = scope.letters()
        self._known: dict[str, str] = {}
        self.explained: list[str] = []

    def phrase(self, node: ast.expr, most: int = CHOICE, levels: int = LEVELS) -> str:
        """What an expression is, for a place that allows phrases of some looseness at most."""
        if most < CHOICE and isinstance(node, ast.IfExp):
            return self.letter(node)
        found = self._words(node, levels)
        return found.text if found.looseness <= most else f"({found.text})"

    def condition(self, node: ast.expr, levels: int = LEVELS) -> str:
        """What must hold for an expression to be true: "`a` is less than `3`"."""
        if isinstance(node, ast.BoolOp):
            word = " and " if isinstance(node.op, ast.And) else " or "
            told = [self.condition(value, levels) for value in node.values]
            inner = [isinstance(value, ast.BoolOp) for value in node.values]
            return word.join(f"({t})" if i else t for t, i in zip(told, inner, strict=True))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            if is_plain(node.operand):
                return f"{quote(node.operand)} is falsy"
            return f"it is not true that {self.condition(node.operand, levels)}"
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = (
                self.phrase(side, INFIX, levels - 1) for side in (node.left, node.comparators[0])
            )
            relation = self._relation(node)
            if right.startswith("the elements of "):
                relation = (
                    relation.removesuffix("in") + "among" if relation.endswith(" in") else relation
                )
            return f"{left} {relation} {right}"
        verb = verb_of(node)
        if verb:
            return verb.format(*self._method_parts(node, ATOM, 1))
        if is_plain(node):
            return f"{quote(node)} is truthy"
        return f"{self.phrase(node, INFIX, levels - 1)} is true"

    def _relation(self, node: ast.Compare) -> str:
        relation = type(node.ops[0])
        if relation in words.SET_RELATIONS:
            if any(map(self._scope.is_set, (node.left, node.comparators[0]))):
                return words.SET_RELATIONS[relation]
        return words.RELATIONS[relation]

    def letter(self, node: ast.expr) -> str:
        """The letter of an expression that is explained at the end of the sentence."""
        key = ast.dump(node)
        if key not in self._known:
            letter = self._known[key] = between_backticks(next(self._letters))
            place = len(self.explained)
            self.explained.append("")
            self.explained[place] = f"{letter} stands for {self._words(node, LEVELS).text}"
        return self._known[key]

    def _words(self, node: ast.expr, levels: int) -> Phrase:
        if is_plain(node) or (levels <= 0 and is_short(node)):
            return Phrase(quote(node), ATOM)
        if levels <= 0:
            return Phrase(self.code(node) if is_display(node) else self.letter(node), ATOM)
        if is_clause(node):
            return Phrase(f"whether {self.condition(node, levels)}", CLAUSE)
        if isinstance(node, ast.BinOp) and type(node.op) in words.SUMS:
            left = self.phrase(node.left, ATOM, levels - 1)
            right = self.phrase(node.right, CHAIN, levels - 1)
            return Phrase(f"{left} {words.SUMS[type(node.op)]} {right}", INFIX)
        if isinstance(node, ast.IfExp):
            told, other = (self.phrase(s, INFIX, levels - 1) for s in (node.body, node.orelse))
            test = self.condition(node.test, levels - 1)
            return Phrase(f"{told} if {test}, and {other} otherwise", CHOICE)
        if isinstance(node, ast.Call):
            return self._call(node, levels)
        if isinstance(node, ast.ListComp | ast.SetComp) and is_simple(node):
            what = "the list of" if isinstance(node, ast.ListComp) else "the set of"
            return Phrase(f"{what} {self._each(node, levels)}", CLAUSE)
        if isinstance(node, ast.GeneratorExp) and is_simple(node):
            return Phrase(self._each(node, levels), CLAUSE)
        if isinstance(node, ast.Tuple) and node.elts and not is_starred(node.elts):
            return Phrase(f"the tuple of {self._list(node.elts, levels)}", LIST)
        if isinstance(node, ast.List) and not node.elts:
            return Phrase("an empty list", ATOM)
        if isinstance(node, ast.Dict) and not node.keys:
            return Phrase("an empty dictionary", ATOM)
        if isinstance(node, ast.Subscript):
            return self._part(node, levels)
        return Phrase(
            f"the text {quote(node)}" if isinstance(node, ast.JoinedStr) else self.code(node), ATOM
        )

    def _list(self, nodes: Sequence[ast.expr], levels: int) -> str:
        return listed([self.phrase(node, CHAIN, levels - 1) for node in nodes])

    def _call(self, node: ast.Call, levels: int) -> Phrase:
        named = self._scope.function_name(node.func)
        if node.keywords or is_starred(node.args):
            return Phrase(f"the value of {self.code(node)}", CHAIN)
        if not named:
            return self._method(node, levels)
        if len(node.args) == 1:
            known = self._call_of_one(named, node.args[0], levels)
            if known is not None:
                return known
        if named in words.OF_MANY and len(node.args) > 1:
            return Phrase(words.OF_MANY[named].format(self._list(node.args, levels)), LIST)
        if named == "range":
            return Phrase(self._range(node.args, levels), LIST)
        if named == "zip" and len(node.args) > 1:
            what = "pairs" if len(node.args) == 2 else "tuples"
            return Phrase(f"the {what} of elements of {self._list(node.args, levels)}", LIST)
        if named == "enumerate" and node.args:
            first = self.phrase(node.args[1], CHAIN, levels - 1) if node.args[1:] else "`0`"
            return Phrase(f"{self._elements(node.args[0], levels)} numbered from {first}", SUFFIX)
        if named in ("map", "filter") and len(node.args) == 2 and is_plain(node.args[0]):
            function, elements = quote(node.args[0]), self._elements(node.args[1], levels)
            if named == "map":
                return Phrase(f"the results of {function} for {elements}", LIST)
            kept = "that are truthy" if function == "`None`" else f"for which {function} is true"
            return Phrase(f"{elements} {kept}", SUFFIX)
        if not node.args:
            return Phrase(f"the value of {quote(node)}", CHAIN)
        told = f"the result of {between_backticks(named)} for {self._list(node.args, levels)}"
        return Phrase(told, CHAIN if len(node.args) == 1 else LIST)

    def _call_of_one(self, named: str, argument: ast.expr, levels: int) -> Phrase | None:
        """The words for a function of one argument, if it has its own."""
        if named == "next" and isinstance(argument, ast.Call) and len(argument.args) == 1:
            if self._scope.function_name(argument.func) == "iter":
                return Phrase(f"the first of {self._elements(argument.args[0], levels)}", CHAIN)
        if named in words.OF_ONE:
            return Phrase(
                words.OF_ONE[named].format(self.phrase(argument, LIST, levels - 1)), CHAIN
            )
        if named in words.AS_ONE:
            return Phrase(
                words.AS_ONE[named].format(self.phrase(argument, ATOM, levels - 1)), SUFFIX
            )
        if named in words.OF_ELEMENTS:
            elements = words.OF_ELEMENTS[named].format(self._elements(argument, levels))
            return Phrase(elements, CLAUSE if named in ("any", "all") else CHAIN)
        if named == "reversed":
            return Phrase(f"{self._elements(argument, levels)} in reverse order", SUFFIX)
        return None

    def _elements(self, node: ast.expr, levels: int) -> str:
        """What a loop over an expression goes through: "the keys of `d`"."""
        if levels > 1 and isinstance(node, ast.Call) and not node.keywords:
            if isinstance(node.func, ast.Attribute):
                if node.func.attr in words.PARTS and not node.args:
                    return self._words(node, levels - 1).text
            elif isinstance(node.func, ast.Name):
                if node.func.id == "sorted" and len(node.args) == 1:
                    inner = self._elements(node.args[0], levels - 1)
                    if inner.startswith(_SORTABLE):
                        return inner.replace("the ", "the sorted ", 1)
                if node.func.id in ("map", "range", "zip", "enumerate", "reversed"):
                    return self._words(node, levels - 1).text.replace(
                        "the range of integers", "the integers", 1
                    )
        if levels > 1 and isinstance(node, ast.GeneratorExp) and is_simple(node):
            return self._words(node, levels - 1).text
        if levels > 1 and isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            told = self._words(node, levels - 1).text
            if told.startswith(("the elements", "the first", "the last")):
                return told
        return f"the elements of {self.phrase(node, LIST, levels - 1)}"

    def _method(self, node: ast.Call, levels: int) -> Phrase:
        function = node.func
        if isinstance(function, ast.Attribute):
            name, given = function.attr, len(node.args)
            if name == "join" and given == 1:
                joint = self.phrase(function.value, CHAIN, levels - 1)
                return Phrase(f"{self._elements(node.args[0], levels)} joined by {joint}", SUFFIX)
            forms: tuple[tuple[dict[str, str], int, int, int], ...] = (
                (words.METHODS, 0, ATOM, SUFFIX),
                (words.METHODS_OF_NONE, 0, LIST, CHAIN),
                (words.METHODS_OF_ONE, 1, CHAIN, LIST),
                (words.METHODS_OF_TWO, 2, CHAIN, LIST),
            )
            if name in words.PARTS and not given:
                whole = self.phrase(function.value, LIST, levels - 1)
                return Phrase(f"the {words.PARTS[name]} of {whole}", CHAIN)
            for known, arguments, most, looseness in forms:
                if given == arguments and name in known:
                    text = known[name].format(*self._method_parts(node, most, levels))
                    return Phrase(text, SUFFIX if text.startswith(("`", "(")) else looseness)
            if not is_short(node):
                whole = self.phrase(function.value, ATOM, levels - 1)
                told = f"the result of calling {between_backticks(name)} on {whole}"
                given_words = f" with {self._list(node.args, levels)}" if given else ""
                return Phrase(f"{told}{given_words}", LIST)
        return Phrase(f"the value of {self.code(node)}", CHAIN)

    def _method_parts(self, node: ast.expr, most: int, levels: int) -> list[str]:
        """The object of a method call and its arguments."""
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Attribute)
        return [self.phrase(part, most, levels - 1) for part in (node.func.value, *node.args)]

    def _range(self, arguments: Sequence[ast.expr], levels: int) -> str:
        parts = [self.phrase(each, CHAIN, levels - 1) for each in arguments]
        if len(parts) == 3:
            return (
                f"the range of integers from {parts[0]} to before {parts[1]} in steps of {parts[2]}"
            )
        first, end = parts if len(parts) == 2 else ("`0`", parts[0])
        return f"the range of integers from {first} to before {end}"

    def _each(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, levels: int) -> str:
        loop = node.generators[0]
        target, over = quote(loop.target), self.phrase(loop.iter, LIST, levels - 1)
        kept = f" for which {self.condition(loop.ifs[0], levels - 1)}" if loop.ifs else ""
        return f"{self.phrase(node.elt, CHAIN, levels - 1)} for each {target} in {over}{kept}"

    def _part(self, node: ast.Subscript, levels: int) -> Phrase:
        if not isinstance(node.slice, ast.Slice):
            whole, place = (self.phrase(s, CHAIN, levels - 1) for s in (node.value, node.slice))
            return Phrase(f"the element of {whole} at {place}", LIST)
        lower, upper, step = node.slice.lower, node.slice.upper, node.slice.step
        if step is not None:
            if lower is None and upper is None and ast.unparse(step) == "-1":
                return Phrase(
                    f"{self.phrase(node.value, ATOM, levels - 1)} in reverse order", SUFFIX
                )
            return Phrase(f"the part {self.code(node)}", CHAIN)
        for bound, other, first in ((lower, upper, "first"), (upper, lower, "last")):
            size = size_of(bound)
            if size is not None and other is None:
                without = (size > 0) == (first == "first")
                if without:
                    whole = self.phrase(node.value, ATOM, levels - 1)
                    return Phrase(f"{whole} without its {first} {counted(abs(size))}", SUFFIX)
                if abs(size) == 1:
                    return Phrase(f"the part {self.code(node)}", CHAIN)
                which = "last" if first == "first" else "first"
                whole = self.phrase(node.value, LIST, levels - 1)
                return Phrase(f"the {which} {counted(abs(size))} of {whole}", CHAIN)
        whole = self.phrase(node.value, CHAIN, levels - 1)
        begin = f" from position {self.phrase(lower, ATOM, levels - 1)}" if lower else ""
        end = f" to before position {self.phrase(upper, ATOM, levels - 1)}" if upper else " on"
        return Phrase(f"the elements of {whole}{begin}{end if begin else end[3:]}", LIST)

    def code(self, node: ast.expr) -> str:
        """Code, in which letters stand for what is not short; functions of its own stay whole."""
        return quote(node if is_short(node) else with_letters(node, self.letter))
