"""Themed word lists: names and literals of one program come from one theme."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """The vocabulary of one setting."""

    noun: str
    plural: str
    role: str
    """Who or what owns one of them: keys of ``role_by_noun``."""
    verbs: tuple[str, ...]
    """Begin function names."""
    numbers: tuple[str, ...]
    """Plural nouns of quantities."""
    limits: tuple[str, ...]
    """Names of single numbers."""
    texts: tuple[str, ...]
    """Names of single strings."""
    tables: tuple[str, ...]
    """Names of mappings from a word to a number."""
    words: tuple[str, ...]
    """String values, of mixed lengths."""


def _theme(
    nouns: str, verbs: str, numbers: str, limits: str, texts: str, tables: str, words: str
) -> Theme:
    noun, plural, role = nouns.split()
    return Theme(
        noun,
        plural,
        role,
        tuple(verbs.split()),
        tuple(numbers.split()),
        tuple(limits.split()),
        tuple(texts.split()),
        tuple(tables.split()),
        tuple(words.split()),
    )


THEMES: tuple[Theme, ...] = (
    _theme(
        "loaf loaves baker",
        "bake price stack slice label",
        "prices weights",
        "budget oven_size batch",
        "label recipe note",
        "stock orders",
        "rye spelt brioche baguette ciabatta naan focaccia pita sourdough oat bagel challah",
    ),
    _theme(
        "plant plants gardener",
        "water prune sow sort grow",
        "heights depths",
        "sunlight spacing season",
        "bed tag species",
        "seeds harvest",
        "fern mint basil tulip orchid sage thyme lavender moss daisy rosemary ivy",
    ),
    _theme(
        "train trains driver",
        "route dispatch couple board signal",
        "delays distances",
        "platform capacity speed",
        "line station code",
        "departures seats",
        "express local freight shuttle night coastal tram sprinter metro alpine cargo regional",
    ),
    _theme(
        "book books author",
        "shelve lend index sort catalogue",
        "pages years",
        "limit shelf edition",
        "title chapter genre",
        "copies loans",
        "atlas novel essay poem diary manual fable thriller saga lexicon memoir comic",
    ),
    _theme(
        "star stars observer",
        "chart rank observe map trace",
        "distances magnitudes",
        "exposure threshold night",
        "sector name catalog",
        "brightness counts",
        "vega rigel altair deneb sirius mizar spica algol castor pollux mira antares",
    ),
    _theme(
        "song songs singer",
        "mix rank queue trim play",
        "beats lengths",
        "tempo volume track",
        "lyric title key",
        "plays votes",
        "ballad waltz march tango hymn blues polka reggae samba fugue lullaby anthem",
    ),
    _theme(
        "parcel parcels courier",
        "ship weigh sort route pack",
        "weights fees",
        "capacity zone deadline",
        "address label code",
        "rates deliveries",
        "box crate tube envelope pallet sack drum carton bundle case barrel packet",
    ),
    _theme(
        "bird birds ringer",
        "spot count ring track log",
        "wingspans sightings",
        "altitude day range_km",
        "habitat call species",
        "sightings nests",
        "wren robin heron finch osprey swift kestrel gull owl plover starling kite",
    ),
    _theme(
        "player players coach",
        "score rank draft train pair",
        "points heights",
        "season round_number quota",
        "team badge position",
        "goals fouls",
        "nina omar lee priya jonas mei tobias ada karim elena sven yuki",
    ),
    _theme(
        "ticket tickets agent",
        "assign close triage route merge",
        "ages priorities",
        "backlog severity shift",
        "subject queue status",
        "open_tickets hours",
        "login billing outage refund crash printer network password invoice export sync email",
    ),
    _theme(
        "river rivers surveyor",
        "measure dam map sound bridge",
        "depths widths",
        "flow level rainfall",
        "region basin name",
        "lengths gauges",
        "danube loire tagus volga elbe rhine ebro po seine oder tiber thames",
    ),
    _theme(
        "gem gems jeweller",
        "cut polish grade appraise set",
        "carats prices",
        "clarity margin offer",
        "colour shape origin",
        "values grades",
        "ruby opal jade topaz garnet emerald pearl onyx sapphire amber agate beryl",
    ),
    _theme(
        "spice spices cook",
        "grind blend season taste measure",
        "grams scores",
        "heat servings pinch",
        "dish flavour jar",
        "pantry amounts",
        "cumin saffron clove anise pepper sumac nutmeg dill ginger turmeric cardamom chili",
    ),
    _theme(
        "planet planets probe",
        "orbit scan survey land probe",
        "radii moons",
        "fuel orbit window",
        "mission signal name",
        "masses visits",
        "mercury venus earth mars jupiter saturn uranus neptune ceres pluto eris haumea",
    ),
    _theme(
        "fish fishes keeper",
        "feed net tag breed sort",
        "lengths ages",
        "tank_size temperature feed",
        "pond strain tag",
        "catches stock",
        "trout carp eel perch salmon guppy tetra cod bream sturgeon pike minnow",
    ),
    _theme(
        "task tasks owner",
        "plan rank split finish estimate",
        "hours costs",
        "deadline effort sprint",
        "summary status project",
        "estimates backlog",
        "design build review deploy test refactor document profile fix triage release audit",
    ),
    _theme(
        "coin coins collector",
        "sort mint weigh trade grade",
        "years weights",
        "budget bid lot",
        "mark country motto",
        "values hoard",
        "penny florin ducat crown guinea thaler denar peso shilling franc kopek dime",
    ),
    _theme(
        "ship ships captain",
        "dock load steer berth charter",
        "tonnages speeds",
        "draft berth crew",
        "port flag route",
        "cargo crews",
        "argo beagle victory aurora mayflower calypso vasa endeavour nautilus kon tiki hood",
    ),
    _theme(
        "tile tiles player",
        "place match flip draw shuffle",
        "scores ranks",
        "rack_size turn bonus",
        "word row pattern",
        "bag tallies",
        "oak bamboo dragon wind lotus circle willow plum autumn north pearl crane",
    ),
    _theme(
        "sensor sensors technician",
        "poll calibrate log smooth check",
        "readings offsets",
        "threshold interval gain",
        "unit channel message",
        "alarms baselines",
        "humidity light noise pressure motion smoke radar ozone vibration wind tilt gas",
    ),
    _theme(
        "film films critic",
        "rate screen cut award schedule",
        "minutes ratings",
        "runtime screen seats",
        "tagline studio scene",
        "reviews tickets",
        "western noir musical comedy drama horror mystery epic satire romance docu short",
    ),
    _theme(
        "fruit fruits grower",
        "pick crate ripen weigh press",
        "weights prices",
        "ripeness crate_size quota",
        "variety orchard label",
        "harvest baskets",
        "apple fig pear mango cherry lime papaya plum apricot kiwi grape quince",
    ),
    _theme(
        "city cities mayor",
        "visit zone plan connect rank",
        "populations distances",
        "radius budget stops",
        "district motto country",
        "visitors trams",
        "oslo lima quito paris cairo hanoi turin porto dakar minsk sofia riga",
    ),
    _theme(
        "robot robots operator",
        "charge program move repair assign",
        "charges steps",
        "battery speed payload",
        "command firmware mode",
        "errors cycles",
        "rover arm drone welder picker lifter scout mower painter sorter crawler gripper",
    ),
)
