"""Forms of ``int``, ``float``, ``complex`` and ``bool``; results stay small."""

from __future__ import annotations

from factory.constraints.tables.common import EQUALITY, FORMATTED, ORDER, SHOWN

_ATTRIBUTES = """
.real :: _.real + N
.imag :: N - _.imag
"""
_ARITHMETIC = """
+ :: _ + SELF
- :: _ - SELF
- :: _ - N
* :: _ * N
/ :: _ / N
** :: _ ** 2
-x :: -_
+x :: +_
abs() :: abs(_)
complex() :: complex(_, N)
"""
_REAL = f"""{_ATTRIBUTES}{_ARITHMETIC}{ORDER}{SHOWN}{FORMATTED}
as_integer_ratio :: _.as_integer_ratio()
conjugate :: _.conjugate()
% :: _ % N
% :: SELF % (abs(_) + N)
// :: _ // N
divmod() :: divmod(_, N)
float() :: float(_)
int() :: int(_)
max() :: max(_, SELF)
max() :: max(_, N)
min() :: min(_, SELF)
min() :: min(_, N)
pow() :: pow(_, 2)
round() :: round(_)
"""
_WHOLE = f"""{_REAL}
bit_count :: _.bit_count()
bit_length :: _.bit_length()
.numerator :: _.numerator
.denominator :: _.denominator + N
& :: _ & SELF
& :: _ & N
| :: _ | SELF
| :: _ | N
^ :: _ ^ SELF
^ :: _ ^ N
<< :: _ << SMALL
>> :: _ >> SMALL
bin() :: bin(_)
hex() :: hex(_)
oct() :: oct(_)
"""
INT = f"""{_WHOLE}
from_bytes :: int.from_bytes(BYTES[:2], 'big')
from_bytes :: int.from_bytes(STR.encode()[:N], 'little') % 1000
to_bytes :: (_ & 255).to_bytes(2, 'big')
to_bytes :: (abs(_) % 999).to_bytes(2, 'little')
~x :: ~_
** :: int(_ ** 2)
** :: int(SELF ** (_ % 3))
pow() :: pow(_, 2, PRIME)
pow() :: pow(_, 3, PRIME)
bytes() :: len(bytes(_ % N))
bytearray() :: len(bytearray(_ % N))
chr() :: chr(_ % 26 + 97)
range() :: list(range(_ % WIDTH))
range() :: sum(range(_ % WIDTH))
range() :: len(range(_, WIDTH))
round() :: round(_, -1)
"""
BOOL = f"""{_WHOLE}
to_bytes :: _.to_bytes(1, 'big')
from_bytes :: bool.from_bytes(STR.encode()[:1], 'big')
& :: _ & (INT > N)
| :: _ | (INT > N)
** :: int(_ ** TWO)
.real :: _.real
pow() :: pow(_, TWO, PRIME)
bytes() :: len(bytes(_))
bytearray() :: len(bytearray(_))
chr() :: ord(chr(_))
range() :: len(range(_, WIDTH))
not x :: not _
format() :: format(_, 'd')
"""
FLOAT = f"""{_REAL}
fromhex :: float.fromhex(hex(INT))
hex :: _.hex()
is_integer :: _.is_integer()
is_integer :: (_ * TWO).is_integer()
round() :: round(_, 1)
int() :: int(_ * N)
"""
COMPLEX = f"""{_ATTRIBUTES}{_ARITHMETIC}{EQUALITY}{SHOWN}
conjugate :: _.conjugate()
complex() :: complex(_)
format() :: format(_, '.1f')
pow() :: pow(_, 2)
"""
_NEW_INT = "new in Python 3.12"
IMPOSSIBLE = {
    "int": {"is_integer": _NEW_INT},
    "bool": {
        "is_integer": _NEW_INT,
        "~x": "deprecated on bool since Python 3.12",
    },
    "float": {"from_number": "new in Python 3.14"},
    "complex": {
        **dict.fromkeys(("<", "<=", ">", ">="), "complex numbers have no order: TypeError"),
        "from_number": "new in Python 3.14",
    },
}
