"""Realms that end, outgrow their limits or lose their player: palace coup, limits, defeat (F0, L18, L19)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gm.core.events import GM, Event
from gm.core.pipeline import step
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import AnnexationEnded, CommanderLeft, RealmDefeated
from gm.games.medieval.events.first import PalaceCoup, RealmStandsStill
from gm.games.medieval.events.ledger import CommandersChanged
from gm.games.medieval.orders.model import CedeProvince, GiveProvince, Transfer
from gm.games.medieval.state import INDEPENDENTS, Commander, Controller, Unit, UnitKind
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.unit import free_name
from gm.games.medieval.steps.storage import leave_vanishing_fleet
from gm.games.medieval.steps.transfers import receiver_of, same_location_transfers
from gm.games.medieval.steps.turn import Outcome, Plans, Turn, refuse, settled
from gm.games.medieval.steps.units import new_armies_formed, new_fleets_formed, troops_disbanded
from gm.games.medieval.steps.workspace import Ledger

# -- F0 ----------------------------------------------------------------------------------------------------------------


def is_palace_coup(turn: Turn, realm: str) -> bool:
    """F0: the realm's file lets go every province that it owns and gets rid of every troop.

    What each unit has counts: the orders of First Events are tried by the steps that carry them out, and whatever is
    then ordered to other realms is taken as gone. To have no troops is no coup: all land may then be given away.
    """
    world, sheet = turn.state, turn.orders[realm]
    lands = {province.name for province in world.owned_by(realm)}
    gone = {order.province for order in sheet.headquarters if isinstance(order, (GiveProvince, CedeProvince))}
    if not lands or not lands <= gone or not any(unit.troops for unit in world.of_realm(realm)):
        return False
    alone = replace(turn, orders={realm: sheet})
    for each in (new_armies_formed, new_fleets_formed, same_location_transfers, troops_disbanded):
        alone = replace(alone, state=each(alone).state)
    return not any(unit.troops for unit in _after_later_transfers(alone, realm))


def _after_later_transfers(turn: Turn, realm: str) -> Iterator[Unit]:
    """The realm's units, had all their transfers that still wait come to pass."""
    draft, plans = Draft(turn.state), Plans(turn)
    units = turn.state.of_realm(realm)
    for unit in units:
        for _, entry in plans.left(unit):
            if not isinstance(entry, Transfer):
                continue
            receiver = receiver_of(draft, unit, entry.receiver)
            # another realm's unit is written with its realm, one's own without
            abroad = entry.receiver.partition("/")[0] in turn.state.realms.keys() - {realm}
            for troop, count in entry.troops.items() if abroad or receiver is not None else ():
                giver = draft.unit(unit.key)
                giver, ranks = giver.take(troop, min(count, giver.count(troop)))
                draft.put(giver)
                if receiver is not None and not abroad:
                    draft.put(draft.unit(receiver.key).add(troop, ranks))
    return (draft.unit(unit.key) for unit in units)


@step("Palace Coup", "F0", "O1", "V3")
def palace_coup(turn: Turn) -> Outcome:
    """A file that would end its realm is void, and the realm counts as without a player.

    Realms without orders stand still. Reads: orders. Writes: progress.void, controllers.
    Emits: PalaceCoup, RealmStandsStill, OrderSettled.
    """
    world = turn.state
    events: list[Event] = []
    void: list[str] = []
    for code, realm in world.realms.items():
        sheet = turn.orders.get(code)
        if realm.defeated:
            # its file is read by nobody else
            events += (settled(code, order, refuse("realm-is-out")) for order in sheet.all_orders()) if sheet else ()
        elif sheet is None:
            events.append(RealmStandsStill(audience=GM, realm=code, controller=realm.controller.value))
        elif is_palace_coup(turn, code):
            void.append(code)
            events.append(PalaceCoup(audience=GM, realm=code))
            events += (settled(code, order, refuse("palace-coup")) for order in sheet.all_orders())
    if not void:
        return Outcome(world, tuple(events))
    world = world.with_realms(*(world.realms[code].evolve(controller=Controller.NOBODY) for code in void))
    return Outcome(world.evolve(progress=world.progress.evolve(void=frozenset(void))), tuple(events))


# -- L18 ---------------------------------------------------------------------------------------------------------------


def skill(who: Commander) -> int:
    """L18: what a commander is worth: the sum of his tactics."""
    return who.infantry + who.cavalry + who.siege + who.naval


@step("Realm Limits Checked", "L18", "V2")
def realm_limits_checked(turn: Turn) -> Outcome:
    """What a realm has beyond the limits of its player's status leaves it.

    The annexed provinces of least base revenue are released, the least skilled commanders leave; equals in the order of
    W12. Writes: annexations, units. Emits: AnnexationEnded, CommandersChanged.
    """
    draft = Draft(turn.state)
    annexed: dict[str, list[str]] = {}
    for name, land in turn.state.provinces.items():
        if land.annexed_to is not None:
            annexed.setdefault(land.annexed_to, []).append(name)
    events: list[Event] = []
    for code, realm in turn.state.realms.items():
        limits = turn.rules.statuses[realm.status]
        names = annexed.get(code, [])
        surplus = max(0, len(names) - limits.annexed_provinces)
        for name in sorted(names, key=lambda each: turn.board.locations[each].revenue)[:surplus]:
            draft.put_province(draft.province(name).evolve(annexed_to=None, turns_away=0))
            events.append(AnnexationEnded(realm=code, province=name, cause="released"))
        events += _commanders_leave(draft, code, limits.commanders)
    return Outcome(draft.finish(), tuple(events))


def _commanders_leave(draft: Draft, realm: str, limit: int) -> Iterator[Event]:
    serving = [(who, unit.key) for unit in draft.start.of_realm(realm) for who in unit.commanders]
    surplus = max(0, len(serving) - limit)
    for who, key in sorted(serving, key=lambda each: skill(each[0]))[:surplus]:
        unit, _gone = draft.unit(key).without_commander(who.name)
        draft.put(unit)
        yield CommanderLeft(realm=realm, unit=key, commander=who.name)
        yield CommandersChanged(realm=realm, unit=key, commander=who.name, count=-1, cause="dismissed")


# -- L19 ---------------------------------------------------------------------------------------------------------------


@step("Defeated Realms Removed", "L19", "W1")
def defeated_realms_removed(turn: Turn) -> Outcome:
    """A realm without province and troop is out; what is left of it turns independent.

    Its commanders ashore become an independent army, those at sea are lost, as is its gold; its word counts no more.
    Writes: realms, units, provinces, relations, treasuries.
    Emits: RealmDefeated, CommandersChanged, AnnexationEnded, TreasuryChanged.
    """
    world = turn.state
    owners = {province.owner for province in world.provinces.values()}
    out = [
        code
        for code, realm in world.realms.items()
        if not realm.defeated and code not in owners and not any(unit.troops for unit in world.of_realm(code))
    ]
    if not out:
        return Outcome(world)
    events: list[Event] = []
    draft, ledger = Draft(world), Ledger(world, events)
    names = {who.name for unit in world.of_realm(INDEPENDENTS) for who in unit.commanders}
    for code in out:
        events.append(RealmDefeated(realm=code))
        events += _turn_independent(draft, code, names, turn.rules)
        ledger.change(code, -ledger.balance(code), "defeated")
    events += _forgotten(draft, frozenset(out))
    world = ledger.world(draft.finish())
    world = world.with_realms(*(world.realms[code].evolve(defeated=True, passage=frozenset()) for code in out))
    wars, alliances = (frozenset(p for p in kind if not set(p) & set(out)) for kind in (world.wars, world.alliances))
    return Outcome(world.evolve(wars=wars, alliances=alliances), tuple(events))


def _turn_independent(draft: Draft, realm: str, names: set[str], rules: Rules) -> Iterator[Event]:
    """The realm's units go; their commanders ashore become independent armies where they are.

    ``names`` are those of the independents' commanders; a namesake among the new ones gets a number (W6).
    """
    for unit in draft.start.of_realm(realm):
        if draft.get(unit.key) is None:
            continue  # it was aboard a fleet that vanished with its realm a moment ago
        if unit.is_fleet:
            yield from leave_vanishing_fleet(draft, rules, unit, 0)  # guests aboard are no part of the realm
        draft.remove(unit.key)
        if not unit.commanders:
            continue
        ashore = unit.place in draft.start.provinces
        number = draft.free_number(INDEPENDENTS, UnitKind.ARMY, rules.units.number_limit) if ashore else None
        cause = "lost" if number is None else "independent"
        for who in unit.commanders:
            yield CommandersChanged(realm=realm, unit=unit.key, commander=who.name, count=-1, cause=cause)
        if number is None:
            continue
        joining = []
        for who in unit.commanders:
            joining.append(who.evolve(name=free_name(who.name, names)))
            names.add(joining[-1].name)
        army = Unit(
            realm=INDEPENDENTS,
            kind=UnitKind.ARMY,
            number=number,
            place=unit.place,
            commanders=tuple(joining),
            retreat_level=rules.units.retreat_level,
        )
        draft.put(army)
        for who in joining:
            yield CommandersChanged(realm=INDEPENDENTS, unit=army.key, commander=who.name, count=1, cause=cause)


def _forgotten(draft: Draft, out: frozenset[str]) -> Iterator[Event]:
    """Annexations to, rights of and refusals of realms that are no more end."""
    for name, land in draft.start.provinces.items():
        if land.annexed_to in out:
            draft.put_province(land.evolve(annexed_to=None, turns_away=0, permissions=land.permissions - out))
            yield AnnexationEnded(realm=str(land.annexed_to), province=name, cause="defeated")
        elif land.permissions & out:
            draft.put_province(land.evolve(permissions=land.permissions - out))
    for realm in draft.start.realms.values():
        if (realm.passage | realm.refuses) & out:
            draft.put_realm(realm.evolve(passage=realm.passage - out, refuses=realm.refuses - out))
