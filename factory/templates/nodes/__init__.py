"""Small constructors of libcst nodes that carry their static type and place parentheses.

An :class:`Expr` is used once: libcst trees must not share nodes.
"""

from __future__ import annotations

from factory.templates.nodes.displays import (
    dict_display,
    dictcomp,
    fstring,
    list_display,
    listcomp,
    set_display,
    tuple_display,
)
from factory.templates.nodes.expr import (
    Expr,
    binary,
    both,
    call,
    choose,
    compare,
    is_call,
    item,
    literal,
    method,
    minus,
    name,
    part,
    same,
)
from factory.templates.nodes.statements import (
    assign,
    assign_item,
    assign_many,
    augment,
    evaluate,
    for_,
    function,
    if_,
    module_text,
    return_,
    while_,
)

__all__ = [
    "Expr",
    "assign",
    "assign_item",
    "assign_many",
    "augment",
    "binary",
    "both",
    "call",
    "choose",
    "compare",
    "dict_display",
    "dictcomp",
    "evaluate",
    "for_",
    "fstring",
    "function",
    "if_",
    "is_call",
    "item",
    "list_display",
    "listcomp",
    "literal",
    "method",
    "minus",
    "module_text",
    "name",
    "part",
    "return_",
    "same",
    "set_display",
    "tuple_display",
    "while_",
]
