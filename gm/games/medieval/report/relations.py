"""The standing of all realms, the same for everybody.

It shows wars, alliances, passage and the race to victory (W1, F3, V1), with this turn's changes; and the news
around one realm's land. All of it is public (W8).
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from gm.core.values import PUBLIC
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
"""A cell of the matrix, as the realm of the row stands to that of the column.

Both: allied, and lets it pass."""
MARCHES = 2  # how far is near
ARMIES = 8  # armies that are named at most
_FIRST = ("war", "neutral", "allied")
_ALLIANCES = 6  # of more the smallest are left out


def matrix(view: TurnView) -> dict[str, Any]:
    """Return the table of relations, and the changes of war, peace and alliances in sentences.

    ``realms``: (code, name) of all in the game; ``rows``: of each, a (letter, changed) for each other one.
    """
    result = view.result
    after = view.result.after
    before = letters(result.before)
    now = letters(after)
    living = [code for code, realm in after.realms.items() if not realm.defeated]
    events = (event for event in result.events if isinstance(event, RELATIONS) and event.audience == PUBLIC)

    def row(a: str) -> list[tuple[str, bool]]:
        return [(now.get((a, b), ""), now.get((a, b)) != before.get((a, b))) for b in living]

    return {
        "realms": [(code, after.realms[code].name) for code in living],
        "rows": [row(code) for code in living],
        "changes": [view.formatter.format_event(event) for event in events],
    }


def letters(world: World) -> dict[tuple[str, str], str]:
    """Return the letter of each two realms with a relation other than neutral."""
    letter_of: dict[tuple[str, str], str] = {}
    for pairs, letter in ((world.alliances, ALLIED), (world.wars, WAR)):
        for a, b in pairs:
            letter_of |= {(a, b): letter, (b, a): letter}
    for code, realm in world.realms.items():
        for other in realm.passage:
            # an enemy is let through no land: war ends the right (F1)
            letter_of[code, other] = {ALLIED: BOTH, WAR: WAR}.get(letter_of.get((code, other), ""), PASSAGE)
    return letter_of


class Contender(NamedTuple):
    """A realm, or realms all allied with each other.

    ``cities``: the number that they own, ``change``: since last turn, ``need``: the number that they lack,
    ``turns``: for how many in a row they had enough.
    """

    realms: tuple[str, ...]
    cities: int
    change: int
    need: int
    turns: int


def _contending(world: World, cities: CityCount) -> Iterator[frozenset[str]]:
    """Yield each realm that is in the game, and the largest alliances by their ``cities``."""
    living = frozenset(code for code, realm in world.realms.items() if not realm.defeated)
    yield from (frozenset([code]) for code in living)
    allied = (alliance for alliance in largest_alliances(living, world.alliances) if len(alliance) > 1)
    yield from sorted(allied, key=cities.count)[-_ALLIANCES:]


def race(before: World, after: World, rules: Rules, atlas: Atlas) -> dict[str, Any]:
    """Return every realm and the largest alliances by cities (V1): ``rows``, ``total`` and ``goal``."""
    victory = rules.victory
    then = _cities_of(before, atlas)
    now = _cities_of(after, atlas)
    goal = -(-victory.cities_percent * now.total // 100)
    rows = []
    for together in _contending(after, now):
        cities = now.count(together)
        names = tuple(sorted(together))
        turns = after.victory_turns.get("+".join(names), 0)
        rows.append(Contender(names, cities, cities - then.count(together), max(0, goal - cities), turns))
    points = scores(after, atlas, rules) if victory.last_turn is not None else ()
    rows.sort(key=lambda row: (-row.cities, -len(row.realms), row.realms))
    return {"rows": rows, "total": now.total, "goal": goal, "scores": dict(points)}


def _cities_of(world: World, atlas: Atlas) -> CityCount:
    owner_of = {name: land.owner for name, land in world.provinces.items()}
    return count_cities(owner_of, world.alliances, atlas)


class Army(NamedTuple):
    """Armies of another realm at a ``place``, a number of ``marches`` from the reader's land.

    ``came``: some of them were not there before the turn.
    """

    place: str
    marches: int
    realm: str
    relation: str
    armies: int
    combat: int
    came: bool


class Surroundings:
    """The news around realms' land; ``units`` are all of the world after the turn."""

    def __init__(self, view: TurnView, units: Iterable[UnitRow]) -> None:
        """Collect the armies of each realm by place; independent ones are left out."""
        self._view = view
        self._armies = dict[tuple[str, str], list[UnitRow]]()
        for row in units:
            if row.kind == "army" and not row.empty and row.realm != INDEPENDENTS:
                self._armies.setdefault((row.place, row.realm), []).append(row)

    def of(self, realm: str) -> dict[str, Any]:
        """Return others' neighbouring land that ``changed`` hands, and the ``armies`` of others nearby.

        Enemies come first, then the nearest; ``more``: how many of these are left out.
        """
        lands = {land.name for land in self._view.result.after.owned_by(realm)}
        graph = self._view.result.atlas.graph
        beside = set(chain.from_iterable(map(graph.neighbours, lands))) - lands
        changed = [
            change for change in self._view.owners_changed if change[0] in beside and change[1] != realm
        ]
        armies = sorted(
            self._near(realm, lands), key=lambda a: (_FIRST.index(a.relation), a.marches, -a.combat)
        )
        return {"changed": changed, "armies": armies[:ARMIES], "more": len(armies[ARMIES:])}

    def _near(self, realm: str, lands: set[str]) -> Iterator[Army]:
        """Yield the armies of other realms that can march to the realm's land, by place and realm."""
        before = self._view.result.before
        after = self._view.result.after
        away = _marches_to(lands, self._view.result.atlas)
        for (place, code), units in self._armies.items():
            if code != realm and place in away:
                was = (before.units.get(row.key) for row in units)
                came = any(unit is None or unit.place != place for unit in was)
                combat = sum(x.combat for x in units)
                yield Army(
                    place, away[place], code, after.relation(realm, code).value, len(units), combat, came
                )


def _marches_to(lands: set[str], atlas: Atlas) -> dict[str, int]:
    """Return the number of marches to these lands, by the place where an army is."""
    away = dict.fromkeys(lands, 0)
    ring = lands
    seas = set(atlas.seas)
    for marches in range(1, MARCHES + 1):
        reached = set(chain.from_iterable(map(atlas.graph.open_neighbours, ring))) - away.keys()
        ring = reached - seas
        # who is aboard lands from a sea at the coast, and from no other
        away |= dict.fromkeys(reached if marches == 1 else ring, marches)
    return away
