"""Realms that give themselves up, exceed limits, are defeated, lose their player or win (F0, L18-L20, V1).

Also the end of a season (V3, W9).
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from gm.core.values import GM, Record, grouped
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules, season_of
from gm.games.medieval.events import final, first
from gm.games.medieval.orders.model import CedeProvince, GiveProvince, Transfer
from gm.games.medieval.state import (
    INDEPENDENTS,
    Commander,
    Controller,
    Pair,
    Unit,
    UnitKind,
    World,
    pair,
)
from gm.games.medieval.state.unit import free_name
from gm.games.medieval.steps.outcomes import refuse
from gm.games.medieval.steps.transfers import leave_vanishing_fleet, receiver_of, same_location_transfers
from gm.games.medieval.steps.turn import Turn, Workspace, step
from gm.games.medieval.steps.units import new_armies_formed, new_fleets_formed, troops_disbanded


def is_palace_coup(work: Workspace, realm: str) -> bool:
    """Return whether a realm's orders give up every province and every troop that it has (F0).

    To know that, the steps that may take troops away are tried with this realm's orders alone; troops that
    later transfers give to other realms count as gone. A realm without troops may give all its land away.
    """
    world = work.world
    sheet = work.turn.orders[realm]
    lands = {province.name for province in world.owned_by(realm)}
    given_up = {
        order.province for order in sheet.headquarters if isinstance(order, (GiveProvince, CedeProvince))
    }
    if not lands or not lands <= given_up or not any(unit.troops for unit in world.of_realm(realm)):
        return False
    turn_alone = work.turn.evolve(orders={realm: sheet})
    for carry_out in (new_armies_formed, new_fleets_formed, same_location_transfers, troops_disbanded):
        turn_alone = turn_alone.evolve(state=carry_out(turn_alone).state)
    return not any(unit.troops for unit in _after_later_transfers(turn_alone, realm))


def _after_later_transfers(turn: Turn, realm: str) -> Iterator[Unit]:
    """Return the realm's units as if all transfers that are left in their plans were carried out."""
    work = Workspace(turn)
    units = turn.state.of_realm(realm)
    for unit in units:
        for _, entry in work.plans.left(unit):
            if not isinstance(entry, Transfer):
                continue
            receiver = receiver_of(work, unit, entry.receiver)
            # a unit of another realm is written ``AQU/A3``; it takes the troops, even if there is none now
            is_foreign = entry.receiver.partition("/")[0] in turn.state.realms.keys() - {realm}
            if is_foreign or receiver is not None:
                for troop, count in entry.troops.items():
                    giver = work.unit(unit.key)
                    giver, ranks = giver.take(troop, min(count, giver.count(troop)))
                    work.put(giver)
                    if receiver is not None:
                        work.put(work.unit(receiver.key).add(troop, ranks))
    return (work.unit(unit.key) for unit in units)


@step("Palace Coup", "F0", "O1", "V3")
def palace_coup(work: Workspace) -> None:
    """Make all orders of a realm fail if they would give up all that it has: it has no player then (F0).

    All orders of defeated realms fail, too. Realms in the game without orders are reported to the GM.

    Reads: orders. Writes: progress.void, controllers. Emits: PalaceCoup, RealmStandsStill, OrderSettled.
    """
    void: list[str] = []
    for code, realm in work.world.realms.items():
        sheet = work.turn.orders.get(code)
        why = None
        if realm.defeated:
            why = refuse("realm-is-out")  # other steps do not read its orders
        elif sheet is None:
            work.emit(first.RealmStandsStill(audience=GM, realm=code, controller=realm.controller.value))
        elif is_palace_coup(work, code):
            why = refuse("palace-coup")
            void.append(code)
            work.note(void=frozenset(void))
            work.put_realm(realm.evolve(controller=Controller.NOBODY))
            work.emit(first.PalaceCoup(audience=GM, realm=code))
        if sheet and why:  # all its orders fail
            for order in sheet.all_orders():
                work.settle(code, order, why)


@step("Realm Limits Checked", "L18", "V2")
def realm_limits_checked(work: Workspace) -> None:
    """Release annexed provinces and commanders beyond the limits of a ruler's status.

    The provinces of least revenue and the least skilled commanders go.
    """
    provinces = work.world.provinces
    annexed = grouped(provinces, lambda name: provinces[name].annexed_to)
    for code, realm in work.world.realms.items():
        limits = work.rules.statuses[realm.status]
        names = sorted(annexed.get(code, []), key=lambda name: work.board.locations[name].revenue)
        for name in names[: max(0, len(names) - limits.annexed_provinces)]:
            work.put_province(work.province(name).evolve(annexed_to=None, turns_away=0))
            work.emit(final.AnnexationEnded(realm=code, province=name, cause="released"))
        serving = [
            (commander, unit.key) for unit in work.world.of_realm(code) for commander in unit.commanders
        ]
        serving.sort(key=lambda pair: _total_skill(pair[0]))
        for commander, key in serving[: max(0, len(serving) - limits.commanders)]:
            unit, _ = work.unit(key).without_commander(commander.name)
            work.put(unit)
            work.emit(final.CommanderLeft(realm=code, unit=key, commander=commander.name))
            work.lose(unit, "dismissed", who=[commander.name])


def _total_skill(commander: Commander) -> int:
    return commander.infantry + commander.cavalry + commander.siege + commander.naval


@step("Defeated Realms Removed", "L19", "W1")
def defeated_realms_removed(work: Workspace) -> None:
    """Remove each realm without province and troop.

    Its commanders ashore become independent, its wars, alliances and rights end, and the rest is lost.
    """
    world = work.world
    owners = {province.owner for province in world.provinces.values()}
    defeated = [
        code
        for code, realm in world.realms.items()
        if not realm.defeated and code not in owners and not any(unit.troops for unit in world.of_realm(code))
    ]
    independent_names = {
        commander.name for unit in world.of_realm(INDEPENDENTS) for commander in unit.commanders
    }
    for code in defeated:
        work.emit(final.RealmDefeated(realm=code))
        _turn_independent(work, code, independent_names)
        work.pay(code, -work.balance(code), "defeated")
    _end_relations(work, frozenset(defeated))
    for code in defeated:
        work.put_realm(work.realm(code).evolve(defeated=True, passage=frozenset()))
    wars = frozenset(war for war in world.wars if not set(war) & set(defeated))
    alliances = frozenset(alliance for alliance in world.alliances if not set(alliance) & set(defeated))
    work.change(wars=wars, alliances=alliances)


def _turn_independent(work: Workspace, realm: str, names: set[str]) -> None:
    """Remove a realm's units; commanders ashore become independent armies while there are numbers for them.

    ``names``: those of the independents' commanders. One whose name is among them gets a number (W6), and
    each new name is added.
    """
    for unit in work.world.of_realm(realm):
        if work.get(unit.key) is None:
            continue  # it was aboard a fleet of the realm, and was lost with it in this loop
        if unit.is_fleet:
            leave_vanishing_fleet(work, unit)  # armies of other realms aboard leave it
        work.remove(unit.key)
        if not unit.commanders:
            continue
        number = work.free_number(INDEPENDENTS, UnitKind.ARMY)
        # at sea, or without a number for an army
        are_lost = unit.place not in work.world.provinces or number > work.rules.units.number_limit
        cause = "lost" if are_lost else "independent"
        work.lose(unit, cause, who=unit.commander_names)
        if are_lost:
            continue
        commanders = []
        for commander in unit.commanders:
            name = free_name(commander.name, names)
            commanders.append(commander.evolve(name=name))
            names.add(name)
        army = work.made_unit(INDEPENDENTS, UnitKind.ARMY, number, unit.place)
        work.put(army.evolve(commanders=tuple(commanders)))
        work.gain(army, cause, who=[commander.name for commander in commanders])


def _end_relations(work: Workspace, defeated: frozenset[str]) -> None:
    """End the annexations, rights and permissions of defeated realms, and what others refuse from them."""
    for name, land in work.world.provinces.items():
        permissions = land.permissions - defeated
        if land.annexed_to in defeated:
            work.put_province(land.evolve(annexed_to=None, turns_away=0, permissions=permissions))
            work.emit(final.AnnexationEnded(realm=str(land.annexed_to), province=name, cause="defeated"))
        elif permissions != land.permissions:
            work.put_province(land.evolve(permissions=permissions))
    for realm in map(work.realm, work.world.realms):
        work.put_realm(realm.evolve(passage=realm.passage - defeated, refuses=realm.refuses - defeated))


Together = frozenset[str]  # codes of realms that may win together: one, or several


class CityCount(Record):
    """The cities and alliances of all realms at one moment."""

    cities: Mapping[str, int]  # by owner: how many
    alliances: frozenset[Pair]
    total: int  # how many cities are on the map

    def count(self, together: Together) -> int:
        """Return how many cities these realms have."""
        return sum(self.cities.get(realm, 0) for realm in together)

    def suffices(self, together: Together, rules: Rules) -> bool:
        """Return whether these realms are all allied with each other and have enough cities (V1)."""
        enough = self.total and 100 * self.count(together) >= rules.victory.cities_percent * self.total
        return bool(enough) and all(pair(a, b) in self.alliances for a in together for b in together if a < b)


def count_cities(owners: Mapping[str, str], alliances: frozenset[Pair], atlas: Atlas) -> CityCount:
    """Return how many cities each realm has, with the alliances. ``owners``: of provinces, by name."""
    return CityCount(Counter([owners[name] for name in atlas.cities]), alliances, len(atlas.cities))


def largest_alliances(realms: frozenset[str], alliances: frozenset[Pair]) -> list[Together]:
    """Return each set of realms that are all allied with each other, and to which no other could be added.

    A realm without allies is such a set. Sets are in the order of their sorted codes.
    """
    import networkx as nx

    allied: nx.Graph[str] = nx.Graph(pair for pair in alliances if realms.issuperset(pair))
    allied.add_nodes_from(realms)
    return sorted(map(frozenset, nx.find_cliques(allied)), key=sorted)


def victory_turns(
    world: World, now: CityCount, before: CityCount | None, rules: Rules
) -> dict[Together, int]:
    """Return for how many turns in a row each set of realms with enough cities now has had them (V1).

    This turn is one of them. The sets are each largest alliance, and each set that was counted a turn ago,
    reduced to its realms that are still together in one largest alliance. ``before``: cities and alliances a
    turn ago, None in turn 1: a set that was not counted, but had enough cities then, starts at 2.
    """
    living = frozenset(code for code, realm in world.realms.items() if not realm.defeated)
    turns_so_far = {frozenset(key.split("+")): turns for key, turns in world.victory_turns.items()}
    turns_of: dict[Together, int] = {}
    for largest in largest_alliances(living, now.alliances):
        parts = sorted((earlier_set & largest for earlier_set in turns_so_far), key=sorted)
        for together in (largest, *parts):
            if not together or not now.suffices(together, rules):
                continue
            # a set that was not counted a turn ago may have had enough cities then
            had_enough = before is not None and before.suffices(together, rules)
            turns_of[together] = turns_so_far.get(together, int(had_enough)) + 1
    return turns_of


@step("Victory Check, Missed Turns, Season", "L20", "V1", "V3", "W9")
def victory_checked(work: Workspace) -> None:
    """Find winners and missing players, and end the season."""
    number = work.turn.number
    for code, realm in work.world.realms.items():
        if realm.defeated or realm.controller is not Controller.PLAYER:
            continue
        # V3: a missing file is flagged to the GM in turn 1, and when too many turns in a row had none
        missed = 0 if code in work.turn.orders else realm.missed_turns + 1
        if missed != realm.missed_turns:
            work.put_realm(realm.evolve(missed_turns=missed))
        if missed and (number == 1 or missed >= work.rules.missed_turns_flagged):
            work.emit(final.PlayerMissing(audience=GM, realm=code, turns=missed))
    if not work.world.winners:
        _count_victory(work)
    season, year = season_of(number, work.rules)
    next_season, next_year = season_of(number + 1, work.rules)
    work.emit(final.SeasonEnded(season=season, year=year, next_season=next_season, next_year=next_year))


def _count_victory(work: Workspace) -> None:
    """Count the turns of each set of realms with enough cities, and find the winners (V1).

    If no set had enough for long enough, the realms with the highest score win after the last turn, if the
    goal has one.
    """
    world = work.world
    goal = work.rules.victory
    number = work.turn.number
    now = _cities_now(work)
    before = _cities_before(work) if number > 1 else None
    turns_of = victory_turns(world, now, before, work.rules)
    winners: Together = frozenset()
    for together, turns in turns_of.items():
        realms = tuple(sorted(together))
        if turns >= goal.turns:
            winners |= together
            work.emit(final.VictoryWon(realms=realms))
        else:
            near = final.VictoryNear(
                realms=realms, cities=now.count(together), total=now.total, turns=turns, needed=goal.turns
            )
            work.emit(near)
    if not winners and goal.last_turn is not None and number >= goal.last_turn:
        ranked = scores(world, work.board, work.rules)
        winners = frozenset(code for code, score in ranked if score == ranked[0][1])
        work.emit(final.GameScored(scores=ranked), final.VictoryWon(realms=tuple(sorted(winners))))
    turns_by_code = {"+".join(sorted(together)): turns for together, turns in turns_of.items()}
    work.change(victory_turns=turns_by_code, winners=tuple(sorted(winners)))


def _cities_now(work: Workspace) -> CityCount:
    """Return the cities and alliances at this moment."""
    owners = {name: land.owner for name, land in work.world.provinces.items()}
    return count_cities(owners, work.world.alliances, work.board)


def _cities_before(work: Workspace) -> CityCount:
    """Return the cities and alliances at the turn's start."""
    progress = work.world.progress
    owners = {name: done.owner_at_start for name, done in progress.provinces.items()}
    return count_cities(owners, progress.alliances, work.board)


def scores(world: World, atlas: Atlas, rules: Rules) -> tuple[tuple[str, int], ...]:
    """Return (realm code, points for provinces and cities) of each realm that is not defeated (V1).

    The best is first, equals by code.
    """
    points = {code: 0 for code, realm in world.realms.items() if not realm.defeated}
    for name, land in world.provinces.items():
        if land.owner in points:
            points[land.owner] += rules.victory.score_province
            if atlas.city(name):
                points[land.owner] += rules.victory.score_city
    return tuple(sorted(points.items(), key=lambda entry: (-entry[1], entry[0])))
