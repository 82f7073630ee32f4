"""The data of the order writer on a report's drawing (templates/game/writer).

They are tables of the orders that the reader may give, from where to where, of their cost, and why other
orders are refused. A game makes them by its own checks (``Hooks.choices``); the scripts decide nothing.
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

Scene: TypeAlias = Any  # a gm.game.base.hooks.Scene: that module imports this one
JsonOrder: TypeAlias = dict[str, Any]  # An order as the page stores it, or a part of one
STYLE = "game/css/writer.css"
ASSUME = "assume"
SCRIPTS = (
    *("game/dom.js", "game/drafts.js", "game/stamp.js"),
    *("game/writer/draft.js", "game/writer/board.js", "game/writer/sheet.js"),
    "game/writer/writer.js",
)


class Why(Record, frozen=True, omit_defaults=True):
    """Why an order cannot be given.

    In the sentence the script fills in ``{start}``, ``{end}``, ``{near}``, and ``{left}`` and
    ``{wanted}`` of a pool.
    """

    says: str
    clause: str = ""


class Option(Record, frozen=True, omit_defaults=True):
    """One of the values of a field."""

    value: str  # Its text in the order, with ``#`` for the chosen number; empty: the field is left out
    title: str  # Its name on the page
    first: int = 0  # What the first one takes from the order's pool
    each: int = 0  # What each further one takes
    one: bool = False  # Only one at a time: no number is written
    gives: int = 0  # What each gives to the pool of the verb's ``gives``


class Field(Record, frozen=True, omit_defaults=True):
    """What can be chosen about an order: an option, an earlier order, or a number."""

    name: str
    title: str
    options: tuple[Option, ...] = ()  # Empty: it is an earlier order or a number
    least: int = 1  # The least number
    most: int = 9_999  # The greatest number
    start: str | None = None  # The value of the option that is preselected; none: the first one
    earlier: str = ""  # The verb of the earlier orders of which one can be chosen; empty: none
    more: bool = False  # Whether it is one of the conditions, which are hidden until they are opened
    noun: str = ""  # What its number counts: "army|armies"


class Verb(Record, frozen=True, omit_defaults=True):
    """A kind of order."""

    name: str
    title: str
    section: str  # Where it is in the file: a key of ``Choices.sections``
    way: bool = False  # Whether it goes from a place to another
    start: bool = True  # Whether it belongs to a place
    line: str = ""  # How it is written; a part in brackets is left out if a field in it is empty
    entries: tuple[tuple[str, Any], ...] = ()  # How it is written without a ``line``: as a mapping
    fields: tuple[Field, ...] = ()
    pool: str = ""  # The name of the resource that it uses up
    count: str = ""  # The name of the field that says how many are bought from the pool
    item: str = ""  # The name of the field whose option has the price
    gives: str = ""  # The name of the pool to which it adds
    once: bool = False  # Whether a place has only one such order
    most: int = 0  # So many can be given; for one more ``many`` is said; 0: no limit
    many: Why | None = None
    after: str = ""  # A verb at whose ends it may start as well; for other places ``closed`` is said
    closed: Why | None = None
    home: Why | None = None  # It ends in a place of the same kind, too; for others this is said
    units: bool = False  # Whether single units are chosen; ``none``: what is said where none is
    none: Why | None = None
    alone: Why | None = None  # What is said when a place has another option that is ``one`` already
    mode: str = ""  # The only mode of the writer in which it is given; empty: the coming turn's own orders
    sure: str = ""  # A question; the order is given when its button is pressed again
    by: str = ""  # The name of the other party that is expected to give it


class Way(Record, frozen=True, omit_defaults=True):
    """A possible end of an order, or why a place cannot be its end."""

    kind: str = ""  # A label
    also: str = ""  # Details
    why: Why | None = None


class Here(Record, frozen=True, omit_defaults=True):
    """A place of an order: the options there, by name of the field, or why it cannot be given there."""

    options: Mapping[str, tuple[Option, ...]] = {}
    why: Why | None = None


Ends: TypeAlias = Mapping[str, Way] | Here  # Of orders that start at a place, by place; or why there are none


class Pool(Record, frozen=True, omit_defaults=True):
    """A resource that orders use up."""

    title: str
    has: int  # How much of it there is
    why: Why  # What is said when there is not enough
    shown: bool = True  # Whether the panel shows what is left of it


class Unit(Record, frozen=True, omit_defaults=True):
    """A unit that can be chosen; one that is ``fixed`` cannot move."""

    id: str
    title: str
    fixed: bool = False


class Choices(Record, frozen=True, omit_defaults=True):
    """All that the reader can order."""

    # How the orders below each word of the file are written. A deeper word has those above it before it, with
    # slashes between them, and ``-`` for an entry of a list
    sections: Mapping[str, Literal["list", "map", "flat"]]
    verbs: tuple[Verb, ...]
    own: tuple[str, ...]  # The reader's places
    empty: str  # The lines of a file without orders
    ways: Mapping[str, Mapping[str, Ends]] = {}  # By verb and place of the start
    at: Mapping[str, Mapping[str, Here]] = {}  # Of verbs without an end, by verb and place
    beyond: Mapping[str, Why] = {}  # By verb: why it goes to no place that is not among its ends
    pools: Mapping[str, Pool] = {}  # By name
    units: Mapping[str, tuple[Unit, ...]] = {}  # By place
    facts: Mapping[str, tuple[str, ...]] = {}  # By place: what the panel tells of it
    names: Mapping[str, str] = {}  # What places are called, if not by their codes
    words: Mapping[str, str] = field(default_factory=dict)  # Texts of the scripts that a game words itself
    modes: Mapping[str, str] = {}  # By mode besides that of the coming turn's own orders: its button's title
    direct: str = ""  # The verb of the order that a click on a place gives at once
    single: bool = False  # Whether there is only one order, which is played at once


@cache
def order_phrases(game: str) -> Mapping[str, str]:
    """Return the phrases for a game's orders, by kind, for the writer, hints and the table's forecast.

    Without phrases, as in a plug-in, orders are shown as they are written in the file.
    """
    path = next(resources("templates", game, "orders.yaml"), None)
    phrases: dict[str, str] = load_data(path)[0] if path is not None else {}
    return phrases


def refusal(scene: Scene, reason: str, **figures: Any) -> Why:
    """Return one of the game's reasons, with these figures, as its reports word it."""
    clause, says = scene.formatter.reason(reason, figures)
    return Why(says, clause)


def numbers(title: str, name: str = "count", **more: Any) -> Field:
    """Return a field in which the reader gives a number. ``more``: further attributes of :class:`Field`."""
    return Field(name, title, **more)


def options(words: Iterable[tuple[str, str]]) -> tuple[Option, ...]:
    """Return the options of a choice, from pairs of value and title."""
    return tuple(Option(*word) for word in words)


def drawn(
    verb: str, start: str = "", end: str = "", chosen: Sequence[str] | None = None, **fields: Any
) -> JsonOrder:
    """Return an order as the writer stores those that a player has drawn (draft.js).

    Each of the ``fields`` is a number, the value of an option, or (value of an option, number);
    ``chosen``: the ids of units, None for all.
    """
    values = {name: _field_data(content) for name, content in fields.items()}
    return {"verb": verb, "start": start, "end": end, "units": chosen, "values": values}


def _field_data(content: int | str | tuple[str, int]) -> JsonOrder:
    """Return a field's content as the writer stores it: the picked option's value, and a number.

    ``content``: a number, the value of an option, or both.
    """
    if isinstance(content, int):
        return {"pick": "#", "number": content}
    if isinstance(content, str):
        return {"pick": content, "number": 1}  # the writer's number for an option that is taken once
    option, number = content
    return {"pick": option, "number": number}


def assumed(verbs: Iterable[Verb], code: str, name: str) -> tuple[Verb, ...]:
    """Return verbs for orders that the reader assumes of another party, for the forecast.

    ``code`` and ``name``: the other party's.
    """
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
    """Orders that a party may give now, in the form of :class:`Choices`."""

    verbs: tuple[Verb, ...]
    ways: Mapping[str, Mapping[str, Ends]] = {}
    at: Mapping[str, Mapping[str, Here]] = {}

    def expected(self, code: str, name: str) -> "Legal":
        """Return the same orders as ones that the reader assumes of the party with this code and name."""
        # their verbs are named so by :func:`assumed`
        ways = {f"{verb} {code}": ends for verb, ends in self.ways.items()}
        at = {f"{verb} {code}": here for verb, here in self.at.items()}
        return Legal(assumed(self.verbs, code, name), ways, at)


def together(parts: Iterable[Legal]) -> Legal:
    """Return several tables of legal orders as one."""
    verbs = list[Verb]()
    ways = dict[str, Mapping[str, Ends]]()
    at = dict[str, Mapping[str, Here]]()
    for part in parts:
        verbs += part.verbs
        ways |= part.ways
        at |= part.at
    return Legal(tuple(verbs), ways, at)


def listed(verbs: Iterable[Verb]) -> dict[str, Literal["list"]]:
    """Return the sections of these verbs, whose orders are written as lists, for ``Choices.sections``."""
    return dict.fromkeys((verb.section for verb in verbs), "list")


def writer_data(scene: Scene, choices: Choices) -> dict[str, Any]:
    """Return the data of the writer's scripts.

    They are the tables of ``choices``, the orders' phrases, the file's name and head, and the drawing's
    places with their neighbours.
    """
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
