"""Calls: whose function it is, what it is called on, what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst  # noqa: TID253 - this module is only imported inside functions

from factory.constraints.library import APPLYING, constructed, function_result
from factory.constraints.signatures import BUILTINS, builtin_result, method_result
from factory.constraints.site_log import SiteLog
from factory.constraints.types import UNKNOWN, Type, element, join

BUILTIN_CLASSES = frozenset(
    "bool bytes complex dict enumerate filter float frozenset int list map range reversed set str "
    "tuple zip".split()
)
_SUBJECT_SECOND = frozenset({"map", "filter"})
"""Built-in functions whose second argument says what they are called on."""
_WITH_FUNCTION_FIRST = frozenset(
    {"map", "filter", "functools.reduce", "itertools.starmap", "itertools.takewhile"}
    | {"itertools.dropwhile", "itertools.filterfalse"}
)
_WITH_FUNCTION_SECOND = frozenset({"itertools.accumulate", "itertools.groupby"})
_NAMES_OF_FUNCTIONS = ("key", "func")


@dataclass(slots=True)
class Arguments:
    """Types of the arguments of one call."""

    positional: list[Type] = field(default_factory=list)
    keywords: dict[str, Type] = field(default_factory=dict)
    applied: Type = UNKNOWN
    """What the function among them returns for an element."""


def class_of(instance: Type) -> Type:
    """The type of a class itself."""
    return Type("class", (instance,))


def _literal_text(node: cst.Call) -> str:
    """The first argument of a call when it is a plain string; ``?`` otherwise."""
    first = node.args[0].value if node.args else None
    return str(first.raw_value) if isinstance(first, cst.SimpleString) else "?"


class Calls(SiteLog):
    """The part of inference that concerns calls; the rest is in ``Expressions``."""

    def infer(self, node: cst.CSTNode) -> Type:
        """The static type of an expression."""
        raise NotImplementedError

    def lambda_result(self, node: cst.Lambda, types: Sequence[Type]) -> Type:
        """What a ``lambda`` returns when it is called with arguments of ``types``."""
        params = node.params
        every = (*params.posonly_params, *params.params, *params.kwonly_params)
        layer: dict[str, Type] = {}
        for place, param in enumerate(every):
            layer[param.name.value] = types[place] if place < len(types) else UNKNOWN
            if param.default is not None:
                self.infer(param.default)
        for extra in (params.star_arg, params.star_kwarg):
            if isinstance(extra, cst.Param):
                layer[extra.name.value] = UNKNOWN
        self.scope.targets.append(layer)
        with self.doubtful():
            result = self.infer(node.body)
        self.scope.targets.pop()
        return result

    def call(self, node: cst.Call) -> Type:
        """The type of a call, its site noted."""
        func = node.func
        if isinstance(func, cst.Attribute):
            return self._method_call(node, func)
        if not isinstance(func, cst.Name):
            opened = self.open_site("?", "()")
            self.infer(func)
            self._arguments(node, "", UNKNOWN)
            self.close_site(opened, UNKNOWN, None)
            return UNKNOWN
        callee = self.scope.find_function(func.value)
        if callee is not None:
            opened = self.open_site("?", f"{func.value}()", callee=callee)
            self._arguments(node, "", UNKNOWN)
            self.close_site(opened, UNKNOWN, None)
            return self.scope.returns[callee]
        bound = self.scope.find(func.value)
        if bound is None and func.value in BUILTINS:
            return self._builtin_call(node, func.value)
        return self._object_call(node, func.value, bound or UNKNOWN)

    def _method_call(self, node: cst.Call, func: cst.Attribute) -> Type:
        label = func.attr.value
        opened = self.open_site("?", label)
        receiver = self.infer(func.value)
        if receiver.name in ("module", "function"):
            owner, _, prefix = receiver.args[0].name.partition(".")
            label = f"{prefix}.{label}" if prefix else label
            self.rename_site(opened, label)
            given = self._arguments(node, f"{owner}.{label}", UNKNOWN)
            self.close_site(opened, Type(owner), None)
            return self._function_result(owner, label, given)
        given = self._arguments(node, "", receiver)
        self.close_site(opened, receiver, func.value)
        return method_result(receiver, label, given.positional)

    def _function_result(self, module: str, name: str, given: Arguments) -> Type:
        if name == "chain.from_iterable":
            inner = element(given.positional[0]) if given.positional else UNKNOWN
            return function_result(module, "chain", [inner], {})
        found = constructed(name, given.positional, given.keywords)
        if found.args or module == "collections":
            return found
        return function_result(
            module, name, given.positional, given.keywords, applied=given.applied
        )

    def _builtin_call(self, node: cst.Call, name: str) -> Type:
        opened = self.open_site("?", f"{name}()")
        uses = [
            self.open_site("sorted", f"{arg.keyword.value}=", is_call=False)
            for arg in node.args
            if name == "sorted" and arg.keyword is not None
        ]
        given = self._arguments(node, name, UNKNOWN)
        for use in reversed(uses):
            self.close_site(use, Type("sorted"), None)
        place = 1 if name in _SUBJECT_SECOND else 0
        subject = given.positional[place] if place < len(given.positional) else UNKNOWN
        plain = [arg for arg in node.args if arg.keyword is None]
        starred = any(arg.star for arg in node.args)
        holder = plain[place].value if place < len(plain) and not starred else None
        self.close_site(opened, subject, holder)
        result = builtin_result(name, given.positional, given.applied)
        default = given.keywords.get("default")
        return result if default is None else join(result, default)

    def _object_call(self, node: cst.Call, name: str, bound: Type) -> Type:
        """A call of a class, of an imported function, or of something unknown."""
        if bound.name == "function":
            module, _, function = bound.args[0].name.partition(".")
            opened = self.open_site("?", function)
            given = self._arguments(node, f"{module}.{function}", UNKNOWN)
            self.close_site(opened, Type(module), None)
            if function == "namedtuple":
                return class_of(Type(function, (Type(_literal_text(node)),)))
            return self._function_result(module, function, given)
        opened = self.open_site("?", f"{name}()")
        given = self._arguments(node, "", UNKNOWN)
        self.close_site(opened, UNKNOWN, None)
        if bound.name != "class":
            return UNKNOWN
        instance = bound.args[0]
        made = constructed(instance.name, given.positional, given.keywords)
        return instance if instance.args else made

    def _arguments(self, node: cst.Call, function: str, receiver: Type) -> Arguments:
        given = Arguments()
        late: list[tuple[int | str, cst.BaseExpression]] = []
        for arg in node.args:
            if arg.keyword is not None:
                title = arg.keyword.value
                if title in _NAMES_OF_FUNCTIONS or isinstance(arg.value, cst.Lambda):
                    late.append((title, arg.value))
                else:
                    given.keywords[title] = self.infer(arg.value)
                continue
            place = len(given.positional)
            if isinstance(arg.value, cst.Lambda) or self._takes_function(function, place):
                late.append((place, arg.value))
                given.positional.append(UNKNOWN)
                continue
            type_ = self.infer(arg.value)
            given.positional.append(UNKNOWN if arg.star else type_)
        for where, value in late:
            types = self._parameters(function, where, given, receiver)
            result = self.apply(value, types)
            if isinstance(where, int) or where == "func" or function in APPLYING:
                given.applied = result
        return given

    @staticmethod
    def _takes_function(function: str, place: int) -> bool:
        if place == 0:
            return function in _WITH_FUNCTION_FIRST
        return place == 1 and function in _WITH_FUNCTION_SECOND

    @staticmethod
    def _parameters(
        function: str, where: int | str, given: Arguments, receiver: Type
    ) -> Sequence[Type]:
        """Types of what the function among the arguments is called with."""
        args = given.positional
        if receiver.name == "list" and where == "key":
            return [element(receiver)]
        if function == "functools.reduce" and len(args) > 1:
            each = element(args[1])
            return [args[2] if len(args) > 2 else each, each]
        if function == "itertools.starmap" and len(args) > 1:
            return element(args[1]).args
        if function == "itertools.accumulate" and args:
            return [element(args[0])] * 2
        if function in _WITH_FUNCTION_FIRST and where == 0:
            return [element(arg) for arg in args[1:]]
        if args and (where == "key" or function in _WITH_FUNCTION_SECOND):
            return [element(args[0])]
        return []

    def apply(self, node: cst.BaseExpression, types: Sequence[Type]) -> Type:
        """What the function that ``node`` names returns for arguments of ``types``."""
        if isinstance(node, cst.Lambda):
            return self.lambda_result(node, types)
        if isinstance(node, cst.Name):
            callee = self.scope.find_function(node.value)
            if callee is not None:
                return self.scope.returns[callee]
            if self.scope.find(node.value) is None and node.value in BUILTINS:
                return builtin_result(node.value, types)
        if isinstance(node, cst.Attribute):
            owner = self.infer(node.value)
            if owner.name == "class" and types and owner.args[0].name == types[0].name:
                return method_result(types[0], node.attr.value, types[1:])
            if owner.name == "module":
                return function_result(owner.args[0].name, node.attr.value, types, {})
            return UNKNOWN
        self.infer(node)
        return UNKNOWN
