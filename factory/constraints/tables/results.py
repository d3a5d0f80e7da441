"""Result types of methods, attributes, functions and constructors.

``self`` is the receiver's own type, ``element`` what iterating over it gives, ``key`` and ``value``
the arguments of a mapping type, ``first`` the type of the first argument. Source: the Python 3.11
library reference.
"""

from __future__ import annotations

from factory.constraints.types import Type, parse_type

Rows = dict[str, str]

_SETS: Rows = {
    "self": "copy difference intersection symmetric_difference union",
    "bool": "isdisjoint issubset issuperset",
}
_PREDICATES = "isalnum isalpha isascii isdigit islower isspace istitle isupper startswith endswith"
_SAME_TEXT = (
    "capitalize center expandtabs join ljust lower lstrip removeprefix removesuffix replace rjust "
    "rstrip strip swapcase title translate upper zfill"
)
_SEARCH = "count find index rfind rindex"
_INT: Rows = {
    "int": "bit_count bit_length conjugate .real .imag .numerator .denominator",
    "bytes": "to_bytes",
    "tuple[int, int]": "as_integer_ratio",
}
_DICT: Rows = {
    "None": "clear update",
    "self": "copy",
    "dict_items": "items",
    "dict_keys": "keys",
    "dict_values": "values",
    "pair": "popitem",
}
_METHODS: dict[str, Rows] = {
    "str": {
        "str": f"{_SAME_TEXT} casefold format format_map",
        "int": _SEARCH,
        "bool": f"{_PREDICATES} isdecimal isidentifier isnumeric isprintable",
        "list[str]": "rsplit split splitlines",
        "tuple[str, str, str]": "partition rpartition",
        "bytes": "encode",
    },
    "bytes": {
        "bytes": _SAME_TEXT,
        "int": _SEARCH,
        "bool": _PREDICATES,
        "list[bytes]": "rsplit split splitlines",
        "tuple[bytes, bytes, bytes]": "partition rpartition",
        "str": "decode hex",
    },
    "int": _INT,
    "bool": _INT,
    "float": {
        "bool": "is_integer",
        "str": "hex",
        "float": "conjugate .real .imag",
        "tuple[int, int]": "as_integer_ratio",
    },
    "complex": {"complex": "conjugate", "float": ".real .imag"},
    "list": {
        "None": "append clear extend insert remove reverse sort",
        "self": "copy",
        "int": "count index",
        "element": "pop",
    },
    "tuple": {"int": "count index"},
    "range": {"int": "count index .start .stop .step"},
    "dict": _DICT,
    "defaultdict": _DICT,
    "OrderedDict": {**_DICT, "None": "clear update move_to_end"},
    "Counter": {
        **_DICT,
        "None": "clear update subtract",
        "iterator[key]": "elements",
        "list[pair]": "most_common",
        "int": "total",
    },
    "set": {
        **_SETS,
        "None": "add clear difference_update discard intersection_update remove "
        "symmetric_difference_update update",
        "element": "pop",
    },
    "frozenset": _SETS,
    "deque": {
        "None": "append appendleft clear extend extendleft insert remove reverse rotate",
        "self": "copy",
        "int": "count index .maxlen",
        "element": "pop popleft",
    },
    "namedtuple": {"self": "_replace", "dict": "_asdict", "int": "count index"},
    "Pattern": {
        "list[str]": "findall split",
        "iterator[Match]": "finditer",
        "Match": "fullmatch match search",
        "str": "sub .pattern",
        "tuple[str, int]": "subn",
        "int": ".flags .groups",
        "dict[str, int]": ".groupindex",
    },
    "Match": {
        "str": "expand group .string .lastgroup",
        "tuple[str, ...]": "groups",
        "dict[str, str]": "groupdict",
        "int": "end start .pos .endpos .lastindex",
        "tuple[int, int]": "span",
        "tuple[tuple[int, int], ...]": ".regs",
        "Pattern": ".re",
    },
    "Template": {
        "str": "safe_substitute substitute .template",
        "bool": "is_valid",
        "list[str]": "get_identifiers",
    },
    "Formatter": {"str": "format vformat format_field"},
}
_CLASS_METHODS: dict[str, Rows] = {
    "str": {"dict": "maketrans"},
    "bytes": {"bytes": "fromhex maketrans"},
    "int": {"int": "from_bytes"},
    "bool": {"bool": "from_bytes"},
    "float": {"float": "fromhex"},
}
_FUNCTIONS: dict[str, Rows] = {
    "math": {
        "float": "acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh degrees dist erf "
        "erfc exp exp2 expm1 fabs fmod fsum gamma hypot ldexp lgamma log log10 log1p log2 "
        "nextafter pow radians remainder sin sinh sqrt tan tanh ulp .e .pi .tau .inf .nan",
        "int": "ceil comb factorial floor gcd isqrt lcm perm trunc",
        "bool": "isclose isfinite isinf isnan",
        "tuple[float, float]": "modf",
        "tuple[float, int]": "frexp",
    },
    "re": {
        "Pattern": "compile",
        "str": "escape sub",
        "list[str]": "findall split",
        "iterator[Match]": "finditer",
        "Match": "fullmatch match search",
        "tuple[str, int]": "subn",
        "None": "purge",
    },
    "string": {
        "str": "capwords .ascii_letters .ascii_lowercase .ascii_uppercase .digits .hexdigits "
        ".octdigits .printable .punctuation .whitespace",
        "Template": "Template",
        "Formatter": "Formatter",
    },
    "dataclasses": {
        "first": "replace",
        "dict": "asdict",
        "tuple": "astuple",
        "bool": "is_dataclass",
    },
}


def _read(table: dict[str, Rows]) -> dict[str, dict[str, Type]]:
    return {
        owner: {
            label: parse_type(result) for result, labels in rows.items() for label in labels.split()
        }
        for owner, rows in table.items()
    }


METHOD_RESULTS = _read(_METHODS)
"""By receiver type and label; attributes have a dot before their name."""
CLASS_METHOD_RESULTS = _read(_CLASS_METHODS)
"""What is called on the class itself: ``int.from_bytes``."""
FUNCTION_RESULTS = _read(_FUNCTIONS)
"""By module and name."""
RUNTIME_NAMES: dict[str, tuple[str, ...]] = {
    "Counter": ("collections.Counter",),
    "deque": ("collections.deque",),
    "defaultdict": ("collections.defaultdict",),
    "OrderedDict": ("collections.OrderedDict",),
    "reversed": (
        "reversed",
        "list_reverseiterator",
        "range_iterator",
        "longrange_iterator",
        "dict_reversekeyiterator",
        "_collections._deque_reverse_iterator",
        "odict_iterator",
    ),
    "Pattern": ("re.Pattern",),
    "Match": ("re.Match",),
    "Template": ("string.Template",),
}
"""Type texts that a trace shows for a static type; its own name where none is given."""
