"""Writes a use of any target from the forms of the catalogue."""

from __future__ import annotations

from factory.constraints.catalogue import Target
from factory.constraints.types import BOOL, INT, STR, Type
from factory.templates import nodes
from factory.templates.coercion import plain
from factory.templates.nodes import Expr
from factory.templates.nodes.forms import Form, fill, fill_statement, read_form
from factory.templates.targets.holes import Scene, can_carry, filling, fixed
from factory.templates.targets.receivers import MAKERS
from factory.templates.targets.values import need
from factory.templates.writer import Variable, Writer

_ON_RECEIVER = 0.75
"""Share of nests in which the inner call gives the receiver of the outer one."""


def build(w: Writer, target: Target, depth: int) -> Expr:
    """A nest of ``depth`` uses of the target, or the statements that use it once.

    Raises:
        Unwritable: the signature has no room for what the forms need.
    """
    if target.only_changes:
        return _change(w, target)
    expr = _use(w, target, None)
    for _ in range(depth - 1):
        expr = _use(w, target, expr)
    return _enriched(w, plain(expr), target)


def _enriched(w: Writer, expr: Expr, target: Target) -> Expr:
    """``expr``, together with a variable when it takes few values only."""
    if expr.type == BOOL and w.chance(0.8):
        form = w.rng.randrange(3)
        if form == 0:
            return nodes.choose(expr, w.get(INT), w.number(0, 3))
        if form == 1:
            return nodes.binary(w.get(INT), "+", nodes.call("int", expr))
        return nodes.choose(expr, w.get(STR), w.word())
    if expr.type == INT and target.type == "bool" and w.chance(0.8):
        return nodes.binary(w.get(INT), w.rng.choice("+-"), expr)
    return expr


def _scene(w: Writer, target: Target, form: Form) -> Scene:
    element = w.element_type()
    if target.type in ("str", "bytes"):
        element = STR
    elif target.type == "range" or {"_ints", "_small"} & set(form.names):
        element = INT
    elif {"KEY", "KEY1"} & set(form.names):
        element = STR
    return Scene(w, target.type, element)


def _use(w: Writer, target: Target, inner: Expr | None) -> Expr:
    """One use of the target; ``inner`` stands in one of its holes."""
    form = read_form(w.rng.choice(target.forms).removeprefix("="))
    scene = _scene(w, target, form)
    carrier = _carrier(scene, form) if inner is not None else None
    need(w, form)
    fillings = {
        hole: filling(scene, hole, inner if hole == carrier else None) for hole in form.names
    }
    on, other = fillings.get("_"), fillings.get("SELF")
    if on is not None and other is not None and nodes.same(on, other):
        fillings["SELF"] = fixed(scene)
    return fill(form, fillings)


def _carrier(scene: Scene, form: Form) -> str:
    holes = [hole for hole in form.names if can_carry(scene, hole)]
    on = [hole for hole in holes if hole.startswith("_")]
    others = [hole for hole in holes if not hole.startswith("_")]
    if on and (not others or scene.w.chance(_ON_RECEIVER)):
        return on[0]
    return scene.w.rng.choice(others)


def _change(w: Writer, target: Target) -> Expr:
    """Emits a change of a container that the function owns; reads it afterwards."""
    steps = w.rng.choice(target.forms).removeprefix("!").split(" ; ")
    forms = [read_form(step) for step in steps]
    names = {hole for form in forms for hole in form.names}
    element = STR if names & {"KEY", "KEY1"} else w.element_type()
    scene = Scene(w, target.type, element)
    owner = _owner(scene)
    fixed = {hole: filling(scene, hole) for hole in sorted(names) if hole[-1].isdigit()}
    for form in forms:
        need(w, form)
        fillings = {
            hole: w.read(owner)
            if hole == "_"
            else fixed[hole]
            if hole in fixed
            else filling(scene, hole)
            for hole in form.names
        }
        w.emit(fill_statement(form, fillings))
    owner.unread = w.in_loop
    read = w.read(owner)
    owner.unread = w.in_loop
    return w.rng.choice((nodes.call("len", read), plain(nodes.name(owner.name, owner.type))))


def _owner(scene: Scene) -> Variable:
    """A container of the row's type that may be changed in place."""
    w = scene.w
    key = scene.element
    pair = (key, INT) if scene.row in ("dict", "defaultdict", "OrderedDict") else (key,)
    found = w.owned(Type(scene.row, pair))
    if found is not None:
        return found
    with w.hoisted():
        made = MAKERS[scene.row](w, scene.element, None, False)
        own = nodes.is_call(made, scene.row)
        if not own and (made.type == Type("dict", pair) or scene.row in ("list", "set")):
            made = nodes.call(scene.row, made)
        return w.bind(made, owned=True)
