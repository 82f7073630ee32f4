"""The data of the order writer on a report's drawing (templates/game/writer).

It holds the orders that the reader may give, from where to where, with their cost, and why others are
refused. A game fills these tables in by its own checks (``Hooks.choices``); the scripts add them up and
decide nothing.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeAlias

from msgspec import field
from msgspec.json import encode

from gm.core.values import Record
from gm.core.yaml.models import load_data
from gm.game.values import MapView
from gm.resources import resources
from gm.text.layout import yaml_text

Scene: TypeAlias = Any  # gm.game.base.hooks.Scene, which has these tables made
JsonOrder: TypeAlias = dict[str, Any]  # An order of the page's, or a part of one
STYLE = "game/css/writer.css"
ASSUME = "assume"
SCRIPTS = (
    *("game/dom.js", "game/drafts.js", "game/stamp.js"),
    *("game/writer/draft.js", "game/writer/board.js", "game/writer/sheet.js"),
    "game/writer/writer.js",
)


class Why(Record, frozen=True, omit_defaults=True):
    """Why an order cannot be given.

    The script fills in ``{start}``, ``{end}``, ``{near}``, and ``{left}`` and ``{wanted}`` of a pool.
    """

    says: str
    clause: str = ""


class Option(Record, frozen=True, omit_defaults=True):
    """One of the values of a field.

    ``value``: its text in the order (``#``: with a number in that place; empty: the field is left out);
    ``title``: its name on the page; ``first`` and ``each``: what the first and each further one costs of the
    order's pool.
    """

    value: str
    title: str
    first: int = 0
    each: int = 0
    one: bool = False  # Only one at a time: no number is written
    gives: int = 0  # What each gives to the pool of the verb's ``gives``


class Field(Record, frozen=True, omit_defaults=True):
    """What can be chosen about an order: an option, an earlier order of the verb ``earlier``, or a number."""

    name: str
    title: str
    options: tuple[Option, ...] = ()
    least: int = 1
    most: int = 9_999
    start: str | None = None  # The option that is taken at first; none: the first one
    earlier: str = ""
    more: bool = False  # Whether it is one of the conditions, which are opened when they are wanted
    noun: str = ""  # What its number counts: "army|armies"


class Verb(Record, frozen=True, omit_defaults=True):
    """A kind of order.

    ``way``: it goes from a place to another; ``start`` false: it belongs to no place. It is written as
    ``line``, whose parts in brackets are left out if a field in them is empty, or as a mapping of
    ``entries``. ``pool``: the resource that it uses, by the number in the field ``count`` and the price of
    the option of ``item``; ``gives``: the pool that it adds to. ``once``: a place has one such order.
    ``mode``: the only mode of the writer in which it is given. ``sure``: a question; the order is given when
    its button is pressed again.
    """

    name: str
    title: str
    section: str
    way: bool = False
    start: bool = True
    line: str = ""
    entries: tuple[tuple[str, Any], ...] = ()
    fields: tuple[Field, ...] = ()
    pool: str = ""
    count: str = ""
    item: str = ""
    gives: str = ""
    once: bool = False
    most: int = 0  # So many can be given, if there is a limit, else ``many`` is said
    many: Why | None = None
    after: str = ""  # A verb whose ends are places to start from as well; of all others ``closed`` is said
    closed: Why | None = None
    home: Why | None = None  # It ends in a place of that kind, too; of all others this is said
    units: bool = False  # Whether single units are chosen; ``none``: what is said where none is
    none: Why | None = None
    alone: Why | None = None  # What is said when a place has another option that is ``one`` already
    mode: str = ""
    sure: str = ""
    by: str = ""  # Who is expected to give it


class Way(Record, frozen=True, omit_defaults=True):
    """An end of an order: a label and details, or why it cannot be the end."""

    kind: str = ""
    also: str = ""
    why: Why | None = None


class Here(Record, frozen=True, omit_defaults=True):
    """A place of an order: the options of its fields there, or why nothing can be ordered."""

    options: Mapping[str, tuple[Option, ...]] = {}
    why: Why | None = None


Ends: TypeAlias = Mapping[str, Way] | Here  # The ends of a place, or why there is none


class Pool(Record, frozen=True, omit_defaults=True):
    """A resource that orders use up; the panel shows the rest of it."""

    title: str
    has: int
    why: Why
    shown: bool = True


class Unit(Record, frozen=True, omit_defaults=True):
    """A unit that can be chosen; one that is ``fixed`` cannot move."""

    id: str
    title: str
    fixed: bool = False


class Choices(Record, frozen=True, omit_defaults=True):
    """All that the reader can order.

    ``sections``: the words of the file and how their orders are written below them; deeper ones have slashes
    before them, and ``-`` for an entry of a list. ``modes``: what can be written besides the coming turn's
    own orders, by the titles of buttons; ``beyond``: why a verb does not go to any other place; ``direct``:
    the verb that a click on a place gives at once; ``single``: one order is all, and played at once.
    """

    sections: Mapping[str, Literal["list", "map", "flat"]]
    verbs: tuple[Verb, ...]
    own: tuple[str, ...]
    empty: str
    ways: Mapping[str, Mapping[str, Ends]] = {}
    at: Mapping[str, Mapping[str, Here]] = {}
    beyond: Mapping[str, Why] = {}
    pools: Mapping[str, Pool] = {}
    units: Mapping[str, tuple[Unit, ...]] = {}
    facts: Mapping[str, tuple[str, ...]] = {}  # What the panel tells of places
    names: Mapping[str, str] = {}  # What places are called, if not by their codes
    words: Mapping[str, str] = field(default_factory=dict)
    modes: Mapping[str, str] = {}
    direct: str = ""
    single: bool = False


@cache
def order_phrases(game: str) -> Mapping[str, str]:
    """Return the phrases of a game's orders, by kind, for writer, hints and the table's forecast.

    A plug-in may have none: its orders are shown as they are written in the file.
    """
    path = next(iter(resources("templates", game, "orders.yaml")), None)
    phrases: dict[str, str] = load_data(path)[0] if path is not None else {}
    return phrases


def refusal(scene: Scene, reason: str, **figures: Any) -> Why:
    """Return one of the game's reasons as a sentence of its reports."""
    clause, says = scene.formatter.reason(reason, figures)
    return Why(says, clause)


def numbers(title: str, name: str = "count", **more: Any) -> Field:
    """Return a field that takes only a number."""
    return Field(name, title, (), **more)


def options(words: Iterable[tuple[str, str]]) -> tuple[Option, ...]:
    """Return the options of a choice, from pairs of value and title."""
    return tuple(Option(*word) for word in words)


def drawn(
    verb: str, start: str = "", end: str = "", chosen: Sequence[str] | None = None, **fields: Any
) -> JsonOrder:
    """Return an order as the writer stores those that are drawn by hand (draft.js).

    A field is a number, the value of an option, or an option with its number; ``chosen``: units, all if
    empty.
    """
    values = {name: _chosen(field) for name, field in fields.items()}
    return {"verb": verb, "start": start, "end": end, "units": chosen, "values": values}


def _chosen(value: int | str | tuple[str, int]) -> JsonOrder:
    """Return a choice of units as data: a number, a selector, or a selector with a number."""
    if isinstance(value, int):
        return {"pick": "#", "number": value}
    if isinstance(value, str):
        return {"pick": value, "number": 1}
    pick, number = value
    return {"pick": pick, "number": number}


def assumed(verbs: Iterable[Verb], code: str, name: str) -> tuple[Verb, ...]:
    """Return the verbs for orders that are assumed of another player, in a forecast and in no turn."""
    return tuple(
        verb.evolve(
            name=f"{verb.name} {code}",
            title=f"{name}: {verb.title}",
            section=f"{ASSUME}/{code.lower()}/{verb.section}",
            mode=ASSUME,
            by=name,
        )
        for verb in verbs
    )


class Legal(Record):
    """Orders that a party may give now: by verb and place, the targets (``ways``) or choices (``at``)."""

    verbs: tuple[Verb, ...]
    ways: Mapping[str, Mapping[str, Ends]] = {}
    at: Mapping[str, Mapping[str, Here]] = {}

    def expected(self, code: str, name: str) -> "Legal":
        """Return the same orders as ones that are assumed of another player."""
        ways = {f"{verb} {code}": ends for verb, ends in self.ways.items()}
        at = {f"{verb} {code}": here for verb, here in self.at.items()}
        return Legal(assumed(self.verbs, code, name), ways, at)


def together(parts: Iterable[Legal]) -> Legal:
    """Return the legal orders of several parts as one."""
    verbs = list[Verb]()
    ways = dict[str, Mapping[str, Ends]]()
    at = dict[str, Mapping[str, Here]]()
    for part in parts:
        verbs += part.verbs
        ways |= part.ways
        at |= part.at
    return Legal(tuple(verbs), ways, at)


def listed(verbs: Iterable[Verb]) -> dict[str, Literal["list"]]:
    """Return the sections of verbs whose orders are written as lists."""
    return dict.fromkeys((verb.section for verb in verbs), "list")


def writer_data(scene: Scene, choices: Choices) -> dict[str, Any]:
    """Return the tables with the head of the file and the drawing's places, as JSON."""
    spec = scene.spec
    result = scene.result
    code = scene.code
    picture = spec.module("report").Picture(scene.table, scene.after, MapView(party=code), scene.translate)
    head = {
        "game": yaml_text(result.game),
        "turn": spec.quoted(scene.after),
        "player": yaml_text(code.lower()),
        "key": yaml_text(result.keys.get(code, "")),
    }
    return {
        **json.loads(encode(choices)),
        "phrases": {kind: scene.translate(words) for kind, words in order_phrases(spec.key).items()},
        "head": "".join(f"{name}: {value}\n" for name, value in head.items()),
        "file": f"{code}.yaml",
        "gap": picture.gap,
        "places": {place: (round(x, 1), round(y, 1)) for place, (x, y) in picture.places.items()},
        "near": dict(scene.table.board.graph.adjacent),
    }
