"""What can be read from a live object without running any code of the program."""

from __future__ import annotations

import collections
import types
from typing import Any

ATOMS = (int, float, complex, bool, str, bytes, type(None), range, type(Ellipsis))
UNSEEN = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
    types.ModuleType,
    type,
)
CONTENT = (
    collections.Counter,
    collections.OrderedDict,
    collections.defaultdict,
    collections.deque,
    *(list, tuple, dict, set, frozenset, str, bytes, bytearray, int, float, complex),
)
mro = type.__dict__["__mro__"].__get__
module_of = type.__dict__["__module__"].__get__
qualname = type.__dict__["__qualname__"].__get__
class_dict = type.__dict__["__dict__"].__get__


def is_program_class(cls: type) -> bool:
    """Whether the class was made by the program's module."""
    module = module_of(cls)
    return type(module) is str and module == "program"


def type_text(cls: type) -> str:
    """`int`, `Stack`, `collections.deque`."""
    name = str(qualname(cls)).replace("<locals>.", "")
    module = module_of(cls)
    return name if module in ("builtins", "program") else f"{module}.{name}"


def is_unseen(value: object) -> bool:
    """Functions, builtins, methods, classes and modules are no variables."""
    return any(base in UNSEEN for base in mro(type(value)))


def hex_digits(value: int) -> int:
    """Digits of the hexadecimal text, without sign and prefix."""
    return max(1, (value.bit_length() + 3) // 4)


def instance_dict(value: object) -> dict[str, object]:
    """The raw `__dict__`, or an empty one."""
    for base in mro(type(value)):
        getter = class_dict(base).get("__dict__")
        if isinstance(getter, types.GetSetDescriptorType):
            found = getter.__get__(value)
            return found if isinstance(found, dict) else {}
    return {}


def instance_fields(value: object) -> list[tuple[str, object]]:
    """`__dict__` in order, then set slots of the bases first; no dunders."""
    fields = [(k, v) for k, v in dict.items(instance_dict(value)) if type(k) is str]
    for base in reversed(mro(type(value))):
        slots = class_dict(base).get("__slots__", ())
        if type(slots) not in (str, tuple, list):
            members = types.MemberDescriptorType
            slots = tuple(k for k, v in class_dict(base).items() if isinstance(v, members))
        for slot in (slots,) if type(slots) is str else slots:
            private = slot.startswith("__") and not slot.endswith("__")
            name = f"_{qualname(base).rpartition('.')[2].lstrip('_')}{slot}" if private else slot
            member = class_dict(base).get(name)
            if isinstance(member, types.MemberDescriptorType):
                try:
                    fields.append((name, member.__get__(value)))
                except AttributeError:
                    continue
    return [(k, v) for k, v in fields if not (k.startswith("__") and k.endswith("__"))]


def content_base(value: object) -> type | None:
    """The builtin container or number that a program class derives from."""
    return next((b for b in mro(type(value)) if b in CONTENT), None)


def factory_of(value: Any) -> Any:
    """The raw `default_factory`."""
    member: Any = collections.defaultdict.__dict__["default_factory"]
    return member.__get__(value)


def known_factory(value: Any) -> bool:
    """Whether a defaultdict has no factory or a builtin class as one."""
    factory = factory_of(value)
    return factory is None or (type(factory) is type and module_of(factory) == "builtins")


def length(value: object) -> int:
    """`n` of `too_large(n)`."""
    kind = type(value) if type(value) in CONTENT else content_base(value)
    if kind is int:
        return hex_digits(int.__index__(value))  # type: ignore[arg-type]
    if kind is None or kind in (float, complex):
        return len(instance_fields(value))
    return int(kind.__len__(value))  # type: ignore[attr-defined]


def reads_back(value: Any, path: tuple[int, ...]) -> bool:
    """Whether only types with a literal are met, and no cycle."""
    kind = type(value)
    if kind in ATOMS or kind is bytearray:
        return True
    if kind not in CONTENT or id(value) in path:
        return False
    inner = (*path, id(value))
    if issubclass(kind, dict):
        if kind is collections.defaultdict and not known_factory(value):
            return False
        return all(reads_back(k, inner) and reads_back(v, inner) for k, v in value.items())
    return all(reads_back(i, inner) for i in value)
