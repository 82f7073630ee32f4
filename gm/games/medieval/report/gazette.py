"""The gazette: the talk of a turn in five to eight headlines, the weightiest first, made of owners before and after it
and of public events (W8). Sentences and weights are in ``templates/medieval/headlines.yaml``."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from gm.core.values import PUBLIC, Record, Value
from gm.core.yaml.models import load_value
from gm.games.medieval.events import GameConceded, GameDrawn, final, first
from gm.games.medieval.report.changed import Piece, TurnView
from gm.games.medieval.state import INDEPENDENTS
from gm.resources import resource
from gm.text.pages import capitalised


class Kind(Value):
    says: str
    weight: int
    each: int = 0


class Paper(Value):
    """headlines.yaml."""

    least: int
    most: int
    enough: int
    again: int
    length: int
    kinds: Mapping[str, Kind]


paper = cache(partial(load_value, resource("templates", "medieval", "headlines.yaml"), Paper))
"""The kinds of headlines and how they are chosen. Raises ``SourceError`` for a file that does not fit."""


class Headline(Record):
    """A headline in pieces, those with an anchor linked; ``page`` is the page of the battle that it tells of."""

    kind: str
    pieces: tuple[Piece, ...]
    page: str = ""

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


class _Story(NamedTuple):
    """What could be a headline. ``size`` counts what gives it weight; it is linked as a whole to ``anchor``, or by the
    names of its provinces, which stand for ``{places}``."""

    kind: str
    size: int
    figures: Mapping[str, Any]
    anchor: str = ""
    places: tuple[str, ...] = ()
    page: str = ""


def gazette(view: TurnView) -> tuple[Headline, ...]:
    """The headlines of a turn, the weightiest first; none before the first turn."""
    known, seen = paper(), Counter[str]()
    weighed: list[tuple[int, _Story]] = []
    for story in sorted(_stories(view) if view.result.turn else (), key=lambda each: -each.size):
        kind = known.kinds[story.kind]
        weighed.append((kind.weight + kind.each * story.size - known.again * seen[story.kind], story))
        seen[story.kind] += 1
    weighed.sort(key=lambda each: -each[0])
    kept = weighed[: known.least] + [each for each in weighed[known.least : known.most] if each[0] >= known.enough]
    return tuple(Headline(story.kind, tuple(_pieces(view, story)), story.page) for _, story in kept)


def _pieces(view: TurnView, story: _Story) -> Iterator[Piece]:
    values = {name: view.speaker.words(value, name) for name, value in story.figures.items()}
    # no text of a player has such a character: what stands between two of them is the number of a place
    values["places"] = view.speaker.listed(f"\0{number}\0" for number in range(len(story.places)))
    text = capitalised(view.speaker.phrase(paper().kinds[story.kind].says, **values))
    for index, part in enumerate(text.split("\0")):
        if index % 2:
            name = story.places[int(part)]
            city = view.result.atlas.city(name)
            text = f"{city.name} ({name})" if city and city.name != name else name
            yield Piece(text, view.place_anchor(name))
        elif part:
            yield Piece(part, story.anchor)


def _stories(view: TurnView) -> Iterator[_Story]:
    before, atlas = view.result.before, view.result.atlas
    cities = Counter(land.owner for name, land in before.provinces.items() if atlas.city(name))
    for kind in (GameDrawn, GameConceded, final.VictoryWon, final.VictoryNear, final.RealmDefeated):
        for each in view.seen(PUBLIC, kind):
            yield _Story(each.kind, 0, {name: getattr(each, name) for name in each.__struct_fields__}, "race")
    yield from _of_relations(view, cities)
    yield from _of_land(view, cities)
    for said in view.seen(PUBLIC, final.Proclaimed):
        text, length = " ".join(said.text.split()), paper().length
        text = text if len(text) <= length else f"{text[: length - 1].rstrip()}…"
        yield _Story(said.kind, cities[said.realm], {"realm": said.realm, "text": text}, "proclamations")
    fought = [(sum(unit.heads for unit in each.report.units), each) for each in view.battles]
    if fought:
        heads, entry = max(fought, key=lambda each: each[0])
        report = entry.report
        told = {"place": " – ".join(filter(None, (report.place, report.other_place))), "heads": heads}
        told |= {"fallen": sum(end.lost for end in report.ends), "realms": report.realms, "result": entry.result}
        yield _Story("battle", heads, told, entry.anchor, page=entry.page)


RELATIONS = (first.WarDeclared, final.AllianceCancelled, final.PeaceMade, final.AllianceFormed)


def _of_relations(view: TurnView, cities: Counter[str]) -> Iterator[_Story]:
    """What realms said to each other: one story for all that one of them said of a kind; each pair once."""
    for kind in RELATIONS:
        said: dict[str, list[str]] = {}
        for each in view.seen(PUBLIC, kind):
            if each.realm not in said.get(each.other, ()):
                said.setdefault(each.realm, []).append(each.other)
        for realm, others in said.items():
            size = sum(cities[code] for code in (realm, *others))
            yield _Story(kind.__name__, size, {"realm": realm, "others": others}, "relations")


def _of_land(view: TurnView, cities: Counter[str]) -> Iterator[_Story]:
    """Who has land that was another's before the turn: capitals one by one, cities and other provinces together."""
    given = {each.province: each.realm for each in view.seen(PUBLIC, final.ProvinceGiven)}
    found: dict[tuple[str, str, str], dict[str, str]] = {}
    for name, former, owner in view.owners_changed:
        place = view.result.atlas.locations[name]
        key = ("cities" if place.city else "lands", owner, "")
        if name in given:
            key = ("gift", given[name], owner)
        elif owner == INDEPENDENTS:
            key = ("ceded", former, "")
        elif place.capital_of == former:
            key = ("capital", owner, former)
        found.setdefault(key, {})[name] = former
    for (kind, realm, other), names in found.items():
        told = {"realm": realm, "other": other, "former": tuple(dict.fromkeys(names.values()))}
        size = cities[other] if kind == "capital" else len(names) + sum(each != INDEPENDENTS for each in names.values())
        yield _Story(kind, size, told, places=tuple(names))
