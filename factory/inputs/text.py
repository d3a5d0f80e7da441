"""Input family ``text``: str and bytes.

Characters are dropped, doubled, swapped, inserted and replaced by others of the same class (a
digit by a digit, a small letter by a small letter), so that ``"2024-01-31"`` stays date-like;
whole texts are cut, reversed, repeated, change case or meet a literal of the program. Example:
``"abc"`` becomes ``"abbc"``, ``"aBc"``, ``"ab"``, ``"acb"``. Other scripts appear rarely.

Source: own.
"""

from __future__ import annotations

import string
from collections.abc import Callable

from factory.draw import Strategy, strategies, texts
from factory.inputs.base import Inner, InputFamily, Scene
from factory.inputs.shapes import Atom, Shape, Value

_CLASSES = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
_ALPHABET = string.ascii_letters + string.digits + " .,-_!?"
_RARE = "éñüßΩж中"
_MAX_GROWTH = 12


def strategy(shape: Shape, _inner: Inner) -> Strategy | None:
    """Return a strategy for short texts of letters, digits and common signs."""
    assert isinstance(shape, Atom)
    drawn = texts(_ALPHABET, 10)
    if shape.name == "bytes":
        return drawn.map(lambda text: text.encode("ascii"))
    return strategies.one_of(drawn, texts(string.ascii_lowercase, 6))


def vary(value: Value, _shape: Shape, scene: Scene) -> Value:
    """Return a text near ``value``; bytes change as their Latin-1 characters do."""
    if type(value) is bytes:
        changed = _vary_text(value.decode("latin-1"), scene)
        return changed.encode("latin-1", "ignore")
    return _vary_text(value, scene)


def conform(value: Value, _shape: Shape, scene: Scene) -> Value:
    """Spell a pool text mostly with the characters seen."""
    alphabet = scene.near.alphabet
    if not alphabet or scene.rng.random() < 0.2:
        return value
    if type(value) is bytes:
        return bytes(ord(alphabet[each % len(alphabet)]) % 256 for each in value)
    return "".join(alphabet[ord(each) % len(alphabet)] for each in value)


def _vary_text(text: str, scene: Scene) -> str:
    if not text:
        return _some_character(scene) * scene.rng.choice((1, 1, 2, 3))
    if text in scene.near.texts and scene.rng.random() < 0.6:  # a word the program knows
        return scene.rng.choice(scene.near.texts)
    if len(text) == 1 and scene.rng.random() < 0.7:  # often one character is what is meant
        return _some_character(scene) if scene.rng.random() < 0.5 else _like(text, scene)
    return scene.rng.choice(_OPERATIONS)(text, scene)


def _like(character: str, scene: Scene) -> str:
    for members in _CLASSES:
        if character in members:
            return scene.rng.choice(members)
    return _some_character(scene)


def _some_character(scene: Scene) -> str:
    roll = scene.rng.random()
    if roll < 0.03:
        return scene.rng.choice(_RARE)
    if roll < 0.75 and scene.near.alphabet:
        return scene.rng.choice(scene.near.alphabet)
    return scene.rng.choice(_ALPHABET)


def _replace(text: str, scene: Scene) -> str:
    place = scene.rng.randrange(len(text))
    return text[:place] + _like(text[place], scene) + text[place + 1 :]


def _insert(text: str, scene: Scene) -> str:
    place = scene.rng.randint(0, len(text))
    near = text[min(place, len(text) - 1)]
    added = _like(near, scene) if scene.rng.random() < 0.5 else _some_character(scene)
    return text[:place] + added + text[place:]


def _drop(text: str, scene: Scene) -> str:
    place = scene.rng.randrange(len(text))
    return text[:place] + text[place + 1 :]


def _double(text: str, scene: Scene) -> str:
    start = scene.rng.randrange(len(text))
    part = text[start : start + scene.rng.choice((1, 1, 2, 3))]
    return text[:start] + part + text[start:]


def _swap(text: str, scene: Scene) -> str:
    first, second = scene.rng.randrange(len(text)), scene.rng.randrange(len(text))
    characters = list(text)
    characters[first], characters[second] = characters[second], characters[first]
    return "".join(characters)


def _change_case(text: str, scene: Scene) -> str:
    change = scene.rng.choice((str.upper, str.lower, str.swapcase, str.title))
    if scene.rng.random() < 0.5:
        return change(text)
    place = scene.rng.randrange(len(text))
    return text[:place] + text[place].swapcase() + text[place + 1 :]


def _cut(text: str, scene: Scene) -> str:
    place = scene.rng.randint(0, len(text))
    return scene.rng.choice((text[:place], text[place:]))


def _repeat(text: str, scene: Scene) -> str:
    if len(text) <= _MAX_GROWTH:
        return text + text
    return text + text[: scene.rng.randint(1, _MAX_GROWTH)]


def _reverse(text: str, _scene: Scene) -> str:
    return text[::-1]


def _meet_literal(text: str, scene: Scene) -> str:
    if not scene.near.texts:
        return _insert(text, scene)
    literal = scene.rng.choice(scene.near.texts)
    place = scene.rng.randint(0, len(text))
    if scene.rng.random() < 0.1:
        return literal
    return text[:place] + literal + text[place:]


def _redraw(text: str, scene: Scene) -> str:
    drawn = scene.fresh(Atom("str"), scene)
    return str(drawn) if scene.rng.random() < 0.9 else ""


def _replace_several(text: str, scene: Scene) -> str:
    return _replace(_replace(_replace(text, scene), scene), scene)


Operation = Callable[[str, Scene], str]
_OPERATIONS: tuple[Operation, ...] = (
    *([_replace] * 5),
    *([_insert] * 3),
    *([_drop] * 3),
    *([_double] * 2),
    *([_swap] * 2),
    *([_change_case] * 2),
    *([_meet_literal] * 3),
    *([_redraw] * 2),
    _cut,
    _repeat,
    _reverse,
    _replace_several,
)


FAMILY = InputFamily(
    name="text", tags=("str", "bytes"), strategy=strategy, vary=vary, conform=conform
)
