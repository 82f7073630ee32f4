"""The relations of all realms, the race to victory, and what has happened around one realm's land.

Relations are wars, alliances and passage (W1, F3); the race counts cities (V1). All of it is public (W8).
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from gm.core.values import PUBLIC, grouped
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.herald import RELATIONS
from gm.games.medieval.report.turn_result import TurnView
from gm.games.medieval.report.views import UnitRow
from gm.games.medieval.state import INDEPENDENTS, World
from gm.games.medieval.steps.realms import CityCount, count_cities, largest_alliances, scores

WAR = "W"
ALLIED = "A"
PASSAGE = "P"
BOTH = "B"
"""The letters in the table of relations: what the realm of the row is to that of the column.

BOTH: allied, and lets it pass."""
MARCHES = 2  # armies not more than this number of marches away are near
ARMIES = 8  # how many rows of armies are shown at most
_RELATION_ORDER = ("war", "neutral", "allied")
_ALLIANCES = 6  # how many alliances the race has at most: the largest


def matrix(view: TurnView) -> dict[str, Any]:
    """Return the values of the table of relations, and its changes in sentences.

    ``realms``: (code, name) of all that are not defeated; ``rows``: for each of them a list of (letter,
    whether it changed), one for each realm of ``realms``, itself too.
    """
    result = view.result
    after = view.result.after
    before = letters(result.before)
    now = letters(after)
    living = [code for code, realm in after.realms.items() if not realm.defeated]
    events = (event for event in result.events if isinstance(event, RELATIONS) and event.audience == PUBLIC)

    def row(code: str) -> list[tuple[str, bool]]:
        """Return (letter, whether it changed) for a realm's relation to each living one."""
        pairs = [(code, other) for other in living]
        return [(now.get(pair, ""), now.get(pair) != before.get(pair)) for pair in pairs]

    return {
        "realms": [(code, after.realms[code].name) for code in living],
        "rows": [row(code) for code in living],
        "changes": [view.formatter.format_event(event) for event in events],
    }


def letters(world: World) -> dict[tuple[str, str], str]:
    """Return the letters of the table of relations, by (code of the row, code of the column)."""
    letter_of: dict[tuple[str, str], str] = {}
    for pairs, letter in ((world.alliances, ALLIED), (world.wars, WAR)):
        for a, b in pairs:
            letter_of |= {(a, b): letter, (b, a): letter}
    for code, realm in world.realms.items():
        for other in realm.passage:
            # in war the right of passage has ended (F1)
            with_passage = {ALLIED: BOTH, WAR: WAR}
            letter_of[code, other] = with_passage.get(letter_of.get((code, other), ""), PASSAGE)
    return letter_of


class Contender(NamedTuple):
    """A realm, or realms all allied with each other, in the race to victory."""

    realms: tuple[str, ...]  # their codes, sorted
    cities: int  # the number that they own
    change: int  # of that number in the turn
    need: int  # how many cities they lack for victory
    turns: int  # for how many turns in a row they have had enough


def _contending(world: World, cities: CityCount) -> Iterator[frozenset[str]]:
    """Yield the codes of each realm that is not defeated, and of each of the largest alliances.

    These are the ``_ALLIANCES`` with the most cities.
    """
    living = frozenset(code for code, realm in world.realms.items() if not realm.defeated)
    yield from (frozenset([code]) for code in living)
    allied = (alliance for alliance in largest_alliances(living, world.alliances) if len(alliance) > 1)
    yield from sorted(allied, key=cities.count)[-_ALLIANCES:]


def race(before: World, after: World, rules: Rules, atlas: Atlas) -> dict[str, Any]:
    """Return the values of the race to victory (V1).

    ``rows``: a :class:`Contender` for each realm and the largest alliances, those with most cities first;
    ``total``: the number of cities; ``goal``: how many of them win; ``scores``: points by realm, if the game
    has a last turn.
    """
    victory = rules.victory
    then = _cities_of(before, atlas)
    now = _cities_of(after, atlas)
    goal = -(-victory.cities_percent * now.total // 100)  # rounded up
    rows = []
    for contenders in _contending(after, now):
        cities = now.count(contenders)
        codes = tuple(sorted(contenders))
        turns = after.victory_turns.get("+".join(codes), 0)
        change = cities - then.count(contenders)
        rows.append(Contender(codes, cities, change, max(0, goal - cities), turns))
    points = scores(after, atlas, rules) if victory.last_turn is not None else ()
    rows.sort(key=lambda row: (-row.cities, -len(row.realms), row.realms))
    return {"rows": rows, "total": now.total, "goal": goal, "scores": dict(points)}


def _cities_of(world: World, atlas: Atlas) -> CityCount:
    """Return the count of cities in a world, by realm and alliance."""
    owner_of = {name: land.owner for name, land in world.provinces.items()}
    return count_cities(owner_of, world.alliances, atlas)


class Army(NamedTuple):
    """The armies of another realm at one place near the reader's land."""

    place: str
    marches: int  # from the place to the reader's land
    realm: str  # its code
    relation: str  # of the two realms: war, neutral or allied
    armies: int  # their number
    combat: int  # the sum of their combat values
    came: bool  # whether one of them was not there before the turn


class Surroundings:
    """Finds what has happened around a realm's land."""

    def __init__(self, view: TurnView, units: Iterable[UnitRow]) -> None:
        """Collect the armies of each realm by place, without independent ones.

        ``units``: all of the world after the turn.
        """
        self._view = view
        armies = (row for row in units if row.kind == "army" and not row.empty and row.realm != INDEPENDENTS)
        self._armies = grouped(armies, lambda row: (row.place, row.realm))

    def of(self, realm: str) -> dict[str, Any]:
        """Return the values of the news around a realm's land.

        ``changed``: (province, owner before, owner after) of neighbouring land that others owned before;
        ``armies``: an :class:`Army` for each place and realm nearby, enemies first, then the nearest;
        ``more``: how many of these are left out.
        """
        lands = {land.name for land in self._view.result.after.owned_by(realm)}
        graph = self._view.result.atlas.graph
        neighbours = set(chain.from_iterable(map(graph.neighbours, lands))) - lands
        changed = [
            (name, former, owner)
            for name, former, owner in self._view.owners_changed
            if name in neighbours and former != realm
        ]
        armies = sorted(
            self._near(realm, lands),
            key=lambda army: (_RELATION_ORDER.index(army.relation), army.marches, -army.combat),
        )
        return {"changed": changed, "armies": armies[:ARMIES], "more": len(armies[ARMIES:])}

    def _near(self, realm: str, lands: set[str]) -> Iterator[Army]:
        """Yield the armies of other realms, at most ``MARCHES`` marches away from the realm's ``lands``."""
        before = self._view.result.before
        after = self._view.result.after
        marches_from = _marches_to(lands, self._view.result.atlas)
        for (place, code), rows in self._armies.items():
            if code == realm or place not in marches_from:
                continue
            units_before = (before.units.get(row.key) for row in rows)
            yield Army(
                place=place,
                marches=marches_from[place],
                realm=code,
                relation=after.relation(realm, code).value,
                armies=len(rows),
                combat=sum(row.combat for row in rows),
                came=any(unit is None or unit.place != place for unit in units_before),
            )


def _marches_to(lands: set[str], atlas: Atlas) -> dict[str, int]:
    """Return the number of marches to these lands, at most MARCHES, by the place from which an army comes."""
    marches_from = dict.fromkeys(lands, 0)
    farthest = lands  # the land places from which it takes the most marches so far
    seas = set(atlas.seas)
    for marches in range(1, MARCHES + 1):
        reached = set(chain.from_iterable(map(atlas.graph.open_neighbours, farthest))) - marches_from.keys()
        farthest = reached - seas
        # an army aboard can only land at once, from a sea beside these lands
        marches_from |= dict.fromkeys(reached if marches == 1 else farthest, marches)
    return marches_from
