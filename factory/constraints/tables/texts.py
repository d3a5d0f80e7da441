"""Forms of ``str`` and ``bytes``."""

from __future__ import annotations

from factory.constraints.tables.common import FORMATTED, INDEXED, ITERATED, ORDER, SHOWN, SIZED

_PLAIN = """
capitalize :: _.capitalize()
count :: _.count(ITEM)
endswith :: _.endswith(ITEM)
find :: _.find(ITEM)
find :: _.find(ITEM, SMALL)
index :: (_ + ITEM1).index(ITEM1)
isalnum :: _.isalnum()
isalpha :: _.isalpha()
isalpha :: _[:N].isalpha()
isascii :: _.isascii()
isdigit :: _.isdigit()
islower :: _.islower()
isspace :: _[N:].isspace()
istitle :: _.istitle()
isupper :: _.isupper()
lower :: _.lower()
lstrip :: _.lstrip(LETTERS)
removeprefix :: _.removeprefix(_[:SMALL])
removesuffix :: _.removesuffix(ITEM)
partition :: _.partition(ITEM)
replace :: _.replace(ITEM, ITEM)
rfind :: _.rfind(ITEM)
rindex :: (ITEM1 + _).rindex(ITEM1)
rpartition :: _.rpartition(ITEM)
rsplit :: _.rsplit(ITEM, 1)
rsplit :: _.rsplit(ITEM)
rstrip :: _.rstrip(LETTERS)
split :: _.split(ITEM)
split :: _.split(ITEM, 1)
startswith :: _.startswith(ITEM)
startswith :: _.startswith(SELF)
strip :: _.strip(LETTERS)
swapcase :: _.swapcase()
title :: _.title()
upper :: _.upper()
zfill :: _.zfill(WIDTH)
+ :: _ + SELF
+ :: ITEM + _
* :: _ * TWO
"""
STR = f"""{_PLAIN}{ORDER}{SHOWN}{FORMATTED}{ITERATED}{SIZED}{INDEXED}
casefold :: _.casefold()
center :: _.center(WIDTH, FILL)
center :: _.center(WIDTH)
encode :: _.encode()
expandtabs :: _.replace(' ', '\\t').expandtabs(N)
expandtabs :: (_ + '\\t' + STR).expandtabs(WIDTH)
format :: '{{}}: {{}}'.format(STR, INT)
format :: '{{}}-{{}}-{{}}'.format(WORD, STR, INT)
format_map :: '{{a}} by {{b}}'.format_map({{'a': STR, 'b': INT}})
isdecimal :: _.isdecimal()
isidentifier :: _.isidentifier()
isnumeric :: _.isnumeric()
isprintable :: _.isprintable()
join :: SEP.join(NAMES)
join :: SEP.join([WORD, STR])
ljust :: _.ljust(WIDTH, FILL)
maketrans :: OTHER.translate(str.maketrans({{CH: STR}}))
rjust :: _.rjust(WIDTH, FILL)
splitlines :: _.replace(ITEM, '\\n').splitlines()
splitlines :: _.replace(' ', '\\n').splitlines()
translate :: _.translate(str.maketrans(CH, CH))
translate :: _.translate({{ord(CH): STR}})
% :: '%s: %d' % (STR, INT)
% :: '%s/%s' % (STR, WORD)
int() :: int(str(len(_)) + DIGIT)
float() :: float(str(len(_)) + '.5')
complex() :: complex(str(len(_)) + 'j')
bytes() :: bytes(_, 'utf-8')
bytearray() :: len(bytearray(_, 'utf-8'))
ord() :: ord(_full[0])
map() :: list(map(ord, _))
map() :: list(map(str.upper, _))
filter() :: list(filter(str.isalpha, _))
reversed() :: ''.join(reversed(_))
reversed() :: list(reversed(_))
"""
BYTES = f"""{_PLAIN}{ORDER}{SHOWN}{ITERATED}{SIZED}{INDEXED}
center :: _.center(WIDTH)
decode :: _.decode('utf-8', 'replace')
decode :: _.decode('latin-1')
expandtabs :: _.replace(b' ', b'\\t').expandtabs(N)
fromhex :: bytes.fromhex(STR.encode().hex())
hex :: _.hex()
join :: ITEM.join([_, SELF])
ljust :: _.ljust(WIDTH)
maketrans :: OCTETS.translate(bytes.maketrans(ITEM, BYTES[:1].ljust(1)))
rjust :: _.rjust(WIDTH)
splitlines :: _.replace(ITEM, b'\\n').splitlines()
translate :: _.translate(None, LETTERS)
translate :: _.translate(bytes.maketrans(ITEM, ITEM))
% :: b'%s: %d' % (_, INT)
bytes() :: bytes(_)
bytearray() :: len(bytearray(_))
int() :: int(_.hex()[:N] or '0', 16) + int(b'1' + str(len(_)).encode())
float() :: float(str(len(_)).encode() + b'.5')
ord() :: ord(_full[:1])
reversed() :: list(reversed(_))
sum() :: sum(_)
"""
IMPOSSIBLE = {
    "str": {
        "sum()": "it adds numbers only: TypeError on text",
        "dict()": "letters are no pairs: ValueError",
    },
    "bytes": {"dict()": "its numbers are no pairs: TypeError"},
}
