"""The end of the turn: who has won, whose player is missing, which season it is (L20, V1, V3, W9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.core.events import GM, Event
from gm.core.pipeline import step
from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules, season_of
from gm.games.medieval.events.final import GameScored, PlayerMissing, SeasonEnded, VictoryNear, VictoryWon
from gm.games.medieval.state import Controller, Pair, Realm, World, pair
from gm.games.medieval.steps.turn import Outcome, Turn

Together = frozenset[str]
"""A realm, or realms all allied with each other."""


@record
class Standing(Record):
    """Who owned how many cities and who was allied with whom at one moment."""

    cities: Mapping[str, int]
    alliances: frozenset[Pair]
    total: int

    def count(self, together: Together) -> int:
        return sum(self.cities.get(realm, 0) for realm in together)

    def suffices(self, together: Together, rules: Rules) -> bool:
        """V1: all allied with each other, and with cities enough."""
        enough = self.total and 100 * self.count(together) >= rules.victory.cities_percent * self.total
        return bool(enough) and all(pair(a, b) in self.alliances for a in together for b in together if a < b)


def standing(owners: Mapping[str, str], alliances: frozenset[Pair], atlas: Atlas) -> Standing:
    """The standing where these realms own these provinces."""
    cities: dict[str, int] = {}
    towns = [name for name in atlas.provinces if atlas.city(name)]
    for name in towns:
        cities[owners[name]] = cities.get(owners[name], 0) + 1
    return Standing(cities, alliances, len(towns))


def largest_alliances(realms: frozenset[str], alliances: frozenset[Pair]) -> list[Together]:
    """All sets of realms that are all allied with each other and could take in no one else (Bron and Kerbosch)."""
    friends: dict[str, set[str]] = {realm: set() for realm in realms}
    for a, b in alliances:
        if a in friends and b in friends:
            friends[a].add(b)
            friends[b].add(a)

    def search(chosen: Together, open_to: set[str], seen: set[str]) -> Iterator[Together]:
        if not open_to and not seen:
            yield chosen
            return
        pivot = max(sorted(open_to | seen), key=lambda realm: len(friends[realm] & open_to))
        for realm in sorted(open_to - friends[pivot]):
            yield from search(chosen | {realm}, open_to & friends[realm], seen & friends[realm])
            open_to = open_to - {realm}
            seen = seen | {realm}

    return sorted(search(frozenset(), set(realms), set()), key=sorted)


def victory_turns(world: World, now: Standing, before: Standing | None, rules: Rules) -> dict[Together, int]:
    """V1: each set of realms that suffices now, and for how many turns running it has.

    Looked at are the largest alliances and what remains in them of the sets that sufficed before; ``before`` tells of a
    set never counted whether it sufficed a turn ago.
    """
    living = frozenset(code for code, realm in world.realms.items() if not realm.defeated)
    counted = {frozenset(key.split("+")): turns for key, turns in world.victory_turns.items()}
    found: dict[Together, int] = {}
    for largest in largest_alliances(living, now.alliances):
        for together in (largest, *sorted((known & largest for known in counted), key=sorted)):
            if together and now.suffices(together, rules):
                earlier = counted.get(together, int(before is not None and before.suffices(together, rules)))
                found[together] = earlier + 1
    return found


@step("Victory Check, Missed Turns, Season", "L20", "V1", "V3", "W9")
def victory_checked(turn: Turn) -> Outcome:
    """Who has won, who has not written, and the end of the season.

    Writes: victory_turns, winners, missed turns.
    Emits: VictoryNear, VictoryWon, GameScored, PlayerMissing, SeasonEnded.
    """
    world, events = _missed_turns(turn)
    if not world.winners:
        world, ended = _victory(turn, world)
        events += ended
    season, year = season_of(turn.number, turn.rules)
    next_season, next_year = season_of(turn.number + 1, turn.rules)
    events.append(SeasonEnded(season=season, year=year, next_season=next_season, next_year=next_year))
    return Outcome(world, tuple(events))


def _victory(turn: Turn, world: World) -> tuple[World, list[Event]]:
    rules = turn.rules
    now = standing({name: land.owner for name, land in world.provinces.items()}, world.alliances, turn.board)
    before = None
    if turn.number > 1:
        marks = world.progress.provinces
        owners = {name: mark.owner_at_start for name, mark in marks.items()}
        before = standing(owners, world.progress.alliances, turn.board)
    found = victory_turns(world, now, before, rules)
    events: list[Event] = []
    winners: Together = frozenset()
    for together, turns in found.items():
        if turns >= rules.victory.turns:
            winners |= together
            events.append(VictoryWon(realms=tuple(sorted(together))))
        else:
            events.append(
                VictoryNear(
                    realms=tuple(sorted(together)),
                    cities=now.count(together),
                    total=now.total,
                    turns=turns,
                    needed=rules.victory.turns,
                )
            )
    if not winners and rules.victory.last_turn is not None and turn.number >= rules.victory.last_turn:
        ranked = scores(world, turn.board, rules)
        winners = frozenset(code for code, score in ranked if score == ranked[0][1])
        events += (GameScored(scores=ranked), VictoryWon(realms=tuple(sorted(winners))))
    kept = {"+".join(sorted(together)): turns for together, turns in found.items()}
    return world.evolve(victory_turns=kept, winners=tuple(sorted(winners))), events


def scores(world: World, atlas: Atlas, rules: Rules) -> tuple[tuple[str, int], ...]:
    """V1, a fixed last turn: points for provinces and cities, best first, equals by code."""
    points = {code: 0 for code, realm in world.realms.items() if not realm.defeated}
    for name, land in world.provinces.items():
        if land.owner in points:
            points[land.owner] += rules.victory.score_province
            points[land.owner] += rules.victory.score_city if atlas.city(name) else 0
    return tuple(sorted(points.items(), key=lambda each: (-each[1], each[0])))


def _missed_turns(turn: Turn) -> tuple[World, list[Event]]:
    """V3: count turns without a file; the first turn's, or too many running, are flagged to the GM."""
    world = turn.state
    events: list[Event] = []
    changed: list[Realm] = []
    for code, realm in world.realms.items():
        if realm.defeated or realm.controller is not Controller.PLAYER:
            continue
        missed = 0 if code in turn.orders else realm.missed_turns + 1
        if missed != realm.missed_turns:
            changed.append(realm.evolve(missed_turns=missed))
        if missed and (turn.number == 1 or missed >= turn.rules.missed_turns_flagged):
            events.append(PlayerMissing(audience=GM, realm=code, turns=missed))
    return world.with_realms(*changed), events
