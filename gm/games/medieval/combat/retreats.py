"""Units retreat at the end of a round (B9-B9.3)."""

from __future__ import annotations

from gm.games.medieval.combat.battle import BORDER, Battle, Field, has_ships, write_losses
from gm.games.medieval.combat.contingents import Contingent, ContingentStatus
from gm.games.medieval.combat.report import Retreat
from gm.games.medieval.combat.summary import counts, names
from gm.games.medieval.events.battle import UnitRetreated
from gm.games.medieval.state import Unit, unit_key
from gm.games.medieval.state.strength import enemy_troops_at


def units_retreat(battle: Battle) -> tuple[Retreat, ...]:
    """Those who want to and can go, in the order of W12; followers after the units that they follow (B9)."""
    if not any(wants_to(battle, each) or each.unit.follow for each in battle.contingents if each.fights):
        return ()
    found: list[Retreat] = []
    for contingent in battle.contingents:
        if contingent.fights and leads_itself(battle, contingent) and wants_to(battle, contingent):
            found += _retreat(battle, contingent)
    waiting = [each for each in battle.contingents if each.fights and not leads_itself(battle, each)]
    while going := [each for each in waiting if _followed(battle, each).state is ContingentStatus.RETREATED]:
        waiting = [each for each in waiting if each not in going]
        for contingent in going:
            if contingent.fights and _somebody_stands(contingent):
                found += _retreat(battle, contingent)
    return tuple(found)


def invaders_retreat(battle: Battle) -> tuple[Retreat, ...]:
    """After a drawn battle those who came to fight it go back if they can (B10)."""
    found: list[Retreat] = []
    for contingent in battle.contingents:
        if contingent.fights and contingent.invader and _somebody_stands(contingent):
            found += _retreat(battle, contingent)
    return tuple(found)


def leads_itself(battle: Battle, contingent: Contingent) -> bool:
    """Whether a unit follows none that entered this battle: only then its own retreat level counts (B9)."""
    follow = contingent.unit.follow
    return follow is None or unit_key(contingent.realm, follow) not in battle.by_key


def _followed(battle: Battle, contingent: Contingent) -> Contingent:
    return battle.by_key[unit_key(contingent.realm, str(contingent.unit.follow))]


def wants_to(battle: Battle, contingent: Contingent) -> bool:
    """Whether every troop in ranks 1..retreat level is marked, or none was there, and somebody behind is to go (B9).
    Who is behind counts even if he has been marked himself, unless the rules say otherwise. A fleet looks at its own
    ships only (B9.3)."""
    level = contingent.unit.retreat_level
    if not contingent.at_sea and contingent.front_rank:
        return contingent.front_rank > level
    counted = [band for band in contingent.bands if band.ship or not contingent.at_sea]
    if any(band.standing and band.rank <= level for band in counted):
        return False
    marked_too = battle.field.rules.battle.marked_retreat
    return any(band.rank > level and (band.standing or (marked_too and band.marked)) for band in counted)


def _somebody_stands(contingent: Contingent) -> bool:
    return any(band.standing for band in contingent.bands if band.ship or not contingent.at_sea)


def _retreat(battle: Battle, contingent: Contingent) -> list[Retreat]:
    """Let a unit go, with those aboard; nothing happens when it has nowhere to go: it stays and fights (B9.1)."""
    to = _refuge(battle, contingent) if battle.can_retreat(contingent) else None
    if to is None:
        return []
    if not _somebody_stands(contingent):
        # all who turn to flee are marked: it is out of the battle, destroyed where it stood (B9)
        gone = contingent.remove_casualties()
        battle.destroy(contingent)
        battle.marines_stand_down(contingent)
        return [Retreat(unit=contingent.key, to="", casualties=counts(gone), fallen_commanders=names(gone))]
    field = battle.field
    found = [_leave(battle, each, to) for each in (contingent, *battle.aboard(contingent)) if each.fights]
    for unit in field.at(battle.place):
        if unit.aboard == contingent.key:  # it was not in the battle (B9.3)
            field.put(unit.evolve(place=to))
            if not unit.empty:
                field.mark(unit.key, retreated=True, spent=True)
    return found


def _leave(battle: Battle, contingent: Contingent, to: str) -> Retreat:
    """One unit out of the battle: its casualties so far leave it, and it does nothing more this turn (B9.2)."""
    gone = contingent.remove_casualties()
    contingent.state = ContingentStatus.RETREATED
    field = battle.field
    unit = write_losses(field, contingent)
    where = unit.place
    field.put(unit.evolve(place=to))
    field.mark(contingent.key, retreated=True, spent=True)
    if battle.kind == BORDER:
        # its march has failed: what it did before is forgotten, and it may yet be attacked where it stands (M11)
        field.mark(contingent.key, came_from=None, marched_phase=0)
        where = battle.name
    field.emit(UnitRetreated(realm=contingent.realm, unit=contingent.key, place=where, to=to))
    return Retreat(unit=contingent.key, to=to, casualties=counts(gone), fallen_commanders=names(gone))


def _refuge(battle: Battle, contingent: Contingent) -> str | None:
    """Where a unit retreats to: with the unit it follows, back where it came from, or drawn; none when nowhere."""
    field, unit = battle.field, battle.field.unit(contingent.key)
    if battle.kind == BORDER:
        return field.done(unit.key).came_from
    came_from = None if field.done(unit.key).landed else field.done(unit.key).came_from
    first = None
    if not leads_itself(battle, contingent):
        first = field.unit(_followed(battle, contingent).key).place
    for places in _refuges(field, unit):
        if first in places:
            return first
        if came_from in places:
            return came_from
        if places:
            return places[0] if len(places) == 1 else battle.dice("retreat").choice(places)
    return None


def _refuges(field: Field, unit: Unit) -> list[list[str]]:
    """The places open to a retreating unit as things now stand (W13), the better first: seas with enemies come last,
    and not for a fleet that retreated before this turn, so that flight ends."""
    safe: list[str] = []
    risky: list[str] = []
    for place in field.board.open_neighbours(unit.place, sea=None if unit.is_fleet else False):
        if field.board.is_sea(place):
            hostile = (ship.realm for ship in field.at(place) if has_ships(ship))
            enemies = any(field.world.hostile(unit.realm, realm, place) for realm in hostile)
            (risky if enemies else safe).append(place)
        elif field.world.has_permission(unit.realm, place):
            enemies = enemy_troops_at(field.world, field.rules, unit.realm, place, field.at(place))
            if field.world.provinces[place].harbour if unit.is_fleet else not enemies:
                safe.append(place)
    return [safe] if field.done(unit.key).retreated else [safe, risky]
