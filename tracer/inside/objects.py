"""Reading live objects past everything their classes can override.

Types, names, base types and fields are taken from C slots of the built-in types: no
``__getattribute__``, ``__class__``, property or metaclass method of the program is ever called.
The built-in names are bound at import: the program may replace them in ``builtins`` later.

Source: own.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - see the module's docstring
    AttributeError,
    KeyError,
    RuntimeError,
    TypeError,
    bool,
    bytearray,
    bytes,
    complex,
    dict,
    enumerate,
    float,
    frozenset,
    int,
    len,
    list,
    reversed,
    set,
    slice,
    sorted,
    str,
    tuple,
    type,
)
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

_qualname_of = type.__dict__["__qualname__"].__get__
_module_of = type.__dict__["__module__"].__get__
_class_dict_of = type.__dict__["__dict__"].__get__
mro_of = type.__dict__["__mro__"].__get__
"""The classes an object's class inherits from, itself first."""
factory_of = defaultdict.__dict__["default_factory"].__get__
maxlen_of = deque.__dict__["maxlen"].__get__

FACTORIES: tuple[Any, ...] = (
    *(bool, bytearray, bytes, complex, dict, float, frozenset, int, list, set, str, tuple),
)
"""The ``default_factory`` types under which a ``defaultdict`` is faithful."""
CONTENT_BASES: tuple[Any, ...] = (
    *(OrderedDict, Counter, defaultdict, dict, list, tuple, set, frozenset, deque),
    *(str, int, float, complex, bytes, bytearray),
)
"""Types whose content an instance of a subclass shows, most specific first."""
_CALLABLES = frozenset(
    (
        *(FunctionType, BuiltinFunctionType, MethodType, MethodWrapperType),
        *(MethodDescriptorType, WrapperDescriptorType, ClassMethodDescriptorType),
    )
)
"""Functions, builtins and methods; none of these types can be subclassed."""


def is_hidden(value: object) -> bool:
    """Whether ``value`` is a function, builtin, method, class or module.

    A variable is invisible while it holds one.
    """
    cls = type(value)
    if type(cls) is type and cls in _CALLABLES:  # looking up another cls would call its metaclass
        return True
    for base in mro_of(cls):
        if base is type or base is ModuleType:
            return True
    return False


def first_of(kinds: tuple[Any, ...], mro: tuple[Any, ...]) -> Any:
    """The first of ``kinds`` that is in ``mro``, compared by identity; else ``None``."""
    for kind in kinds:
        for base in mro:
            if base is kind:
                return kind
    return None


def qualified_name(cls: type) -> str:
    """``__qualname__`` without ``<locals>.``, as text that UTF-8 can hold."""
    name = str.replace(str.__str__(_qualname_of(cls)), "<locals>.", "")
    return bytes.decode(str.encode(name, "utf-8", "backslashreplace"), "utf-8")


def module_name(cls: type) -> str | None:
    """``__module__`` of a class; ``None`` when the program removed or replaced it."""
    try:
        module = _module_of(cls)
    except AttributeError:
        return None
    return module if type(module) is str else None


def exact_scalar(value: Any, base: type) -> Any:
    """The built-in content of an instance of a subclass of a scalar type."""
    if base is str:
        return str.__str__(value)
    if base is int:
        return int.__int__(value)
    if base is float:
        return float.__float__(value)
    if base is complex:
        return complex.__complex__(value)
    if base is bytes:
        return bytes.__bytes__(value)
    return bytearray.__getitem__(value, slice(None))


def ordered_items(value: Any) -> Iterable[tuple[Any, Any]]:
    """Items of an ``OrderedDict`` in its own order.

    Its iterator hashes the keys; where that could run code of the program the order of insertion
    stands in (such a value is not faithful in any case).
    """
    items = list(dict.items(value))
    for key, _ in items:
        if not _is_plain_key(key):
            return items
    table = dict(items)
    try:
        return [(key, table[key]) for key in OrderedDict.__iter__(value)]
    except (KeyError, RuntimeError):
        return items


def _is_plain_key(key: Any) -> bool:
    cls = type(key)
    if cls is tuple:
        for part in key:
            if not _is_plain_key(part):
                return False
        return True
    return cls is str or cls is int or cls is float or cls is bool or cls is bytes or key is None


def instance_dict(value: object, mro: tuple[type, ...]) -> Any:
    """The ``__dict__`` of an instance, read past any attribute of that name; or an empty dict."""
    for base in mro:
        slot = _class_dict_of(base).get("__dict__")
        if type(slot) is GetSetDescriptorType:
            try:
                found = GetSetDescriptorType.__get__(slot, value)
            except (AttributeError, TypeError):
                continue
            if first_of((dict,), mro_of(type(found))) is not None:
                return found
    return {}


def fields(value: object, mro: tuple[type, ...]) -> list[tuple[str, Any]]:
    """Fields of an instance: its ``__dict__`` in order, then set slots, base first, no dunders."""
    found = [
        (str.__str__(name), held)
        for name, held in dict.items(instance_dict(value, mro))
        if first_of((str,), mro_of(type(name))) is not None
    ]
    for base in reversed(mro):
        names = _class_dict_of(base)
        if "__slots__" not in names:
            continue
        for name in _slot_names(names):
            try:
                found.append((name, MemberDescriptorType.__get__(names[name], value)))
            except (AttributeError, TypeError):
                continue
    return [
        (name, held)
        for name, held in found
        if not (str.startswith(name, "__") and str.endswith(name, "__"))
    ]


def _slot_names(names: Any) -> list[str]:
    """Names of the slots that one class added, in the order in which it declares them."""
    found = [name for name, slot in names.items() if type(slot) is MemberDescriptorType]
    declared = names["__slots__"]
    if type(declared) is not tuple and type(declared) is not list and type(declared) is not dict:
        return found
    order: dict[str, int] = {}
    for position, own in enumerate(declared):
        if type(own) is str:
            order[own] = position

    def position_of(name: str) -> int:
        if name in order:
            return order[name]
        for own, position in order.items():  # a private name was mangled: __x is _Class__x
            if str.startswith(own, "__") and str.endswith(name, own):
                return position
        return len(order)

    return sorted(found, key=position_of)
