"""Forms of library modules and of the classes that they bring."""

from __future__ import annotations

from factory.constraints.tables.common import CLASS_ALONE

MATH = """
acos :: math.acos(1 / (N + abs(FLOAT)))
acosh :: math.acosh(1 + abs(FLOAT))
asin :: math.asin(1 / (N + abs(FLOAT)))
asinh :: math.asinh(FLOAT)
atan :: math.atan(FLOAT)
atan2 :: math.atan2(FLOAT, N)
atanh :: math.atanh(1 / (N + abs(FLOAT)))
cbrt :: math.cbrt(FLOAT)
ceil :: math.ceil(FLOAT)
ceil :: math.ceil(FLOAT / N)
comb :: math.comb(abs(INT) % WIDTH + TWO, TWO)
copysign :: math.copysign(N, FLOAT)
cos :: math.cos(FLOAT)
cosh :: math.cosh(math.cos(FLOAT))
degrees :: math.degrees(FLOAT)
dist :: math.dist((FLOAT, N), (N, FLOAT))
erf :: math.erf(FLOAT)
erfc :: math.erfc(FLOAT)
exp :: math.exp(-abs(FLOAT))
exp2 :: math.exp2(-abs(FLOAT))
expm1 :: math.expm1(-abs(FLOAT))
fabs :: math.fabs(FLOAT)
factorial :: math.factorial(abs(INT) % N)
floor :: math.floor(FLOAT)
floor :: math.floor(FLOAT / N)
fmod :: math.fmod(FLOAT, N)
frexp :: math.frexp(FLOAT)
fsum :: math.fsum([FLOAT, N, FLOAT])
gamma :: math.gamma(1 + abs(FLOAT) % N)
gcd :: math.gcd(INT, INT)
gcd :: math.gcd(INT, WIDTH)
hypot :: math.hypot(FLOAT, N)
isclose :: math.isclose(FLOAT, N)
isfinite :: math.isfinite(FLOAT)
isinf :: math.isinf(FLOAT)
isnan :: math.isnan(FLOAT)
isqrt :: math.isqrt(abs(INT))
lcm :: math.lcm(INT % WIDTH, N)
ldexp :: math.ldexp(FLOAT, TWO)
lgamma :: math.lgamma(1 + abs(FLOAT))
log :: math.log(1 + abs(FLOAT))
log :: math.log(N + abs(FLOAT), TWO)
log10 :: math.log10(1 + abs(FLOAT))
log1p :: math.log1p(abs(FLOAT))
log2 :: math.log2(1 + abs(FLOAT))
modf :: math.modf(FLOAT)
nextafter :: math.nextafter(FLOAT, N)
perm :: math.perm(abs(INT) % WIDTH + TWO, TWO)
pow :: math.pow(FLOAT, TWO)
prod :: math.prod(NUMS[:N])
prod :: math.prod(NUMS[:TWO])
radians :: math.radians(FLOAT)
remainder :: math.remainder(FLOAT, N)
sin :: math.sin(FLOAT)
sinh :: math.sinh(math.sin(FLOAT))
sqrt :: math.sqrt(abs(FLOAT))
tan :: math.tan(FLOAT)
tanh :: math.tanh(FLOAT)
trunc :: math.trunc(FLOAT)
trunc :: math.trunc(FLOAT * N)
ulp :: math.ulp(FLOAT)
.pi :: =math.pi * FLOAT
.e :: =math.e * FLOAT
.tau :: =math.tau * FLOAT
.inf :: =min(math.inf, FLOAT)
"""
ITERTOOLS = """
accumulate :: list(itertools.accumulate(NUMS))
accumulate :: list(itertools.accumulate(NUMS, max))
chain :: list(itertools.chain(NUMS, [INT]))
chain :: list(itertools.chain(NAMES, [WORD]))
combinations :: list(itertools.combinations(NUMS[:N], TWO))
combinations_with_replacement :: list(itertools.combinations_with_replacement(NAMES[:THREE], TWO))
compress :: list(itertools.compress(NAMES, NUMS))
compress :: list(itertools.compress(NUMS, [True, False, True, INT > N]))
count :: list(itertools.islice(itertools.count(INT, N), N))
count :: list(zip(itertools.count(INT), NUMBERS))
cycle :: list(itertools.islice(itertools.cycle([INT, *NUMS]), N))
dropwhile :: list(itertools.dropwhile(lambda each: each < WIDTH, NUMS))
filterfalse :: list(itertools.filterfalse(lambda each: each % TWO, NUMS))
filterfalse :: list(itertools.filterfalse(str.istitle, NAMES))
groupby :: [key for key, _group in itertools.groupby(NUMS)]
groupby :: [key for key, _group in itertools.groupby(NAMES, key=len)]
islice :: list(itertools.islice(NUMS, N))
islice :: list(itertools.islice(NAMES, 1, None))
pairwise :: list(itertools.pairwise(NUMS))
pairwise :: list(itertools.pairwise(STR))
permutations :: list(itertools.permutations(NUMS[:THREE], TWO))
product :: list(itertools.product(NAMES[:TWO], NUMS[:TWO]))
product :: list(itertools.product(NUMS[:TWO], [N, INT]))
repeat :: list(itertools.repeat(STR, TWO))
repeat :: list(itertools.repeat(INT, N))
starmap :: list(itertools.starmap(max, zip(NUMS, [N, INT])))
starmap :: list(itertools.starmap(pow, [(INT, TWO), (N, TWO)]))
takewhile :: list(itertools.takewhile(lambda each: each < WIDTH, NUMS))
tee :: list(itertools.tee(NUMS, TWO)[0])
zip_longest :: list(itertools.zip_longest(NUMS, [N, INT], fillvalue=0))
"""
FUNCTOOLS = """
reduce :: functools.reduce(max, NUMS, N)
reduce :: functools.reduce(lambda total, each: total + each, NUMS, INT)
reduce :: functools.reduce(lambda text, each: text + each[:TWO], NAMES, WORD)
partial :: int(functools.partial(max, INT)(N))
partial :: int(functools.partial(pow, INT)(TWO))
cache :: int(functools.cache(functools.partial(max, INT))(N))
cache :: int(functools.cache(functools.partial(pow, INT))(TWO))
lru_cache :: int(functools.lru_cache(functools.partial(min, INT))(WIDTH))
lru_cache :: int(functools.lru_cache(functools.partial(max, INT))(N))
cmp_to_key :: =sorted(NUMS, key=functools.cmp_to_key(lambda left, right: right - left))
cmp_to_key :: =sorted(NAMES, key=functools.cmp_to_key(lambda left, right: len(left) - len(right)))
singledispatch :: int(functools.singledispatch(functools.partial(max, INT))(N))
singledispatch :: int(functools.singledispatch(functools.partial(pow, INT))(TWO))
update_wrapper :: int(functools.update_wrapper(functools.partial(max, INT), abs)(N))
update_wrapper :: int(functools.update_wrapper(functools.partial(pow, INT), abs)(TWO))
"""
RE = """
compile :: re.compile(re.escape(STR[:1])).split(OTHER)
compile :: re.compile('[' + re.escape(STR) + 'x]').sub(FILL, OTHER)
escape :: re.escape(STR)
findall :: re.findall('[a-m]+', STR)
findall :: re.findall('[aeiou].', STR)
finditer :: [each.start() for each in re.finditer('[aeiou]', STR)]
fullmatch :: bool(re.fullmatch('[a-z ]+', STR))
match :: bool(re.match('[a-m]', STR))
search :: bool(re.search(CH, STR))
split :: re.split('[aeiou]', STR)
split :: re.split('[ ,_-]+', STR)
sub :: re.sub('[aeiou]', FILL, STR)
sub :: re.sub('[^a-z]', '', STR)
subn :: re.subn('[aeiou]', FILL, STR)
"""
PATTERN = """
findall :: _.findall(STR)
finditer :: [each.end() for each in _.finditer(STR)]
fullmatch :: bool(_.fullmatch(STR))
match :: bool(_.match(STR))
search :: bool(_.search(STR))
split :: _.split(STR)
sub :: _.sub(FILL, STR)
subn :: _.subn(FILL, STR)
.pattern :: re.compile(re.escape(STR)).pattern
"""
MATCH = """
end :: _.end(1)
expand :: _.expand('\\\\2\\\\1')
group :: _.group(1)
group :: _.group(2)
groups :: _.groups()
groupdict :: sorted(_.groupdict().values())
span :: _.span(1)
start :: _.start(2)
.string :: _.string
.endpos :: _.endpos
.regs :: _.regs[-1][0]
[] :: _[1]
[] :: _[0]
"""
STRING = """
capwords :: string.capwords(STR)
capwords :: string.capwords(STR, CH)
Template :: string.Template(STR + ' $size').safe_substitute(size=N)
Formatter :: =string.Formatter().format('{}: {}', STR, INT)
.ascii_letters :: =STR.strip(string.ascii_letters)
.ascii_lowercase :: =len(STR.strip(string.ascii_lowercase))
.ascii_uppercase :: =STR.lstrip(string.ascii_uppercase)
.digits :: =len(STR.strip(string.digits))
.hexdigits :: =len(set(STR) & set(string.hexdigits))
.octdigits :: =STR.rstrip(string.octdigits)
.printable :: =string.printable.find(STR[:1])
.printable :: =len(STR.strip(string.printable)) + len(STR)
.punctuation :: =STR.translate(str.maketrans('', '', string.punctuation))
.whitespace :: =STR.translate(str.maketrans('', '', string.whitespace))
"""
TEMPLATE = """
substitute :: Template('$name x$size').substitute(name=STR, size=INT)
safe_substitute :: Template('$name of $owner').safe_substitute(name=STR)
safe_substitute :: Template(STR + ' $size').safe_substitute(size=INT)
get_identifiers :: Template('$a' + str(abs(INT))).get_identifiers()
is_valid :: Template(STR + '$').is_valid()
is_valid :: Template('$' + STR).is_valid()
.template :: Template(STR + ' $size').template
"""
NAMEDTUPLE = """
_replace :: str(_._replace(size=INT))
_asdict :: str(_._asdict())
_make :: str(RECORD._make([STR, INT]))
count :: _.count(INT)
index :: RECORD(STR, N1).index(N1)
"""
DATACLASSES = """
asdict :: str(asdict(INSTANCE))
astuple :: str(astuple(INSTANCE))
replace :: replace(INSTANCE, size=INT).size
replace :: replace(INSTANCE, name=STR).name
make_dataclass :: str(make_dataclass('Pair', [('left', str, STR)])())
"""
_CONSTANT = "a constant of the program's text, not a call"
_DECORATOR = "it decorates a definition, which takes no value and runs before the call"
_PLUMBING = "plumbing of the module, not a function of values"
_OF_PATTERN = "it depends on the pattern alone, never on a value"
IMPOSSIBLE = {
    "math": {
        "nan": "a result that is never equal to itself",
        "sumprod": "new in Python 3.12",
        "fma": "new in Python 3.13",
    },
    "itertools": {"batched": "new in Python 3.12"},
    "functools": {
        **dict.fromkeys(
            "cached_property partialmethod singledispatchmethod total_ordering wraps".split(),
            _DECORATOR,
        ),
        "WRAPPER_ASSIGNMENTS": _CONSTANT,
        "WRAPPER_UPDATES": _CONSTANT,
        "Placeholder": "new in Python 3.14",
    },
    "re": {
        **dict.fromkeys(
            "A I L M S X U T ASCII IGNORECASE LOCALE MULTILINE DOTALL VERBOSE UNICODE TEMPLATE "
            "DEBUG NOFLAG RegexFlag".split(),
            _CONSTANT,
        ),
        **dict.fromkeys("error PatternError Pattern Match".split(), "a class, made by other calls"),
        "template": "gone in Python 3.13",
        "purge": "it only clears a cache",
    },
    "Pattern": {
        **dict.fromkeys(("flags", "groups", "groupindex"), _OF_PATTERN),
        "scanner": "it is not documented",
    },
    "Match": {
        **dict.fromkeys(("lastgroup", "lastindex", "re", "pos"), _OF_PATTERN),
    },
    "string": {},
    "Template": {
        **dict.fromkeys(
            ("braceidpattern", "delimiter", "flags", "idpattern", "pattern"), CLASS_ALONE
        ),
    },
    "namedtuple": {
        "_fields": CLASS_ALONE,
        "_field_defaults": CLASS_ALONE,
    },
    "dataclasses": {
        "dataclass": _DECORATOR,
        "field": _DECORATOR,
        **dict.fromkeys(("fields", "is_dataclass"), CLASS_ALONE),
        **dict.fromkeys(
            ("Field", "FrozenInstanceError", "InitVar", "KW_ONLY", "MISSING"), _PLUMBING
        ),
    },
}
