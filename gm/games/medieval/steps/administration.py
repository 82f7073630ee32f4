"""Names, retreat levels, followers, marines, leaders and ambassadors (F7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.first import AmbassadorReceived, CommanderRenamed, UnitRenamed
from gm.games.medieval.orders.model import (
    Follow,
    Rename,
    RenameCommander,
    SendAmbassador,
    SetLeader,
    SetMarines,
    SetRetreatLevel,
    UnitOrder,
)
from gm.games.medieval.state import Unit, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps.diplomacy import why_not_deal_with
from gm.games.medieval.steps.turn import Outcome, Refusal, Turn, headquarters_orders, refuse, settled, sheets


def fitting_name(name: str | None, rules: Rules) -> str | None:
    """``name`` cut to the length that units and commanders may have."""
    return name[: rules.units.name_length] if name else None


def why_not_follow(unit: Unit, leader: Unit | None, order: Follow, draft: Draft) -> Refusal | None:
    """F7: own units only, no garrison follows (it never retreats), and nobody follows in a circle."""
    if unit.is_garrison:
        return refuse("garrison-stays", unit=unit.id)
    if order.leader is None:
        return None
    if leader is None:
        return refuse("unit-not-yours", unit=order.leader)
    ahead: Unit | None = leader
    seen: set[str] = set()
    while ahead is not None and ahead.key not in seen:
        if ahead.key == unit.key:
            return refuse("follow-in-circle", unit=unit.id, leader=leader.id)
        seen.add(ahead.key)
        ahead = draft.own(unit.realm, ahead.follow) if ahead.follow else None
    return None


def why_not_rename_commander(names: Mapping[str, str], order: RenameCommander, rules: Rules) -> Refusal | None:
    """F7: he serves the realm and nobody else there has the new name. ``names`` maps each commander to his unit."""
    if order.name not in names:
        return refuse("commander-unknown", commander=order.name)
    if not order.new_name or len(order.new_name) > rules.units.name_length:
        return refuse("name-too-long", limit=rules.units.name_length)
    return refuse("commander-name-taken", commander=order.new_name) if order.new_name in names else None


UNIT_ACTIONS = (Rename, SetRetreatLevel, Follow, SetMarines, SetLeader)


@step("Administrative Actions", "F7", "W6")
def administrative_actions(turn: Turn) -> Outcome:
    """Names, retreat levels, followers, marines, leaders and ambassadors. They cost no move-points.

    A leader who is not in his unit yet is waited for: :func:`leaders_come` settles the order.
    Writes: units, progress.awaited. Emits: UnitRenamed, CommanderRenamed, AmbassadorReceived, OrderSettled.
    """
    draft, events = Draft(turn.state), list[Event]()
    for realm, ambassador in headquarters_orders(turn, SendAmbassador):
        refusal = why_not_deal_with(turn.state, realm, ambassador.other)
        events.append(settled(realm, ambassador, refusal))
        if refusal is None:
            other, contact = ambassador.other, turn.orders[realm].contact
            events.append(AmbassadorReceived(audience=other, realm=realm, other=other, contact=contact))
    rosters: dict[str, dict[str, str]] = {}
    renamed: dict[tuple[str, str], str] = {}
    for realm, rename in headquarters_orders(turn, RenameCommander):
        names = _roster(rosters, draft, realm)
        refusal = why_not_rename_commander(names, rename, turn.rules)
        events.append(settled(realm, rename, refusal))
        if refusal is None:
            _rename_commander(draft, names, realm, rename)
            renamed[(realm, rename.name)] = rename.new_name
            events.append(CommanderRenamed(realm=realm, commander=rename.name, name=rename.new_name))
    awaited: set[tuple[str, int, str]] = set()
    for realm, index, order in _unit_actions(turn):
        unit = draft.own(realm, order.unit)
        if unit is None:
            events.append(settled(realm, order, refuse("unit-not-yours", unit=order.unit)))
            continue
        if isinstance(order, SetLeader) and order.commander is not None:
            # a leader may be chosen under the name that he had when the orders were written
            name = renamed.get((realm, order.commander), order.commander)
            refusal = None
            if name not in _roster(rosters, draft, realm):
                refusal = refuse("commander-unknown", commander=order.commander)
            else:
                unit = unit.evolve(leader=name)
                if unit.lead_commander is None:
                    draft.put(unit)
                    awaited.add((realm, index, name))
                    continue
        else:
            unit, refusal = _acted(unit, order, draft, turn.rules)
        draft.put(unit)
        events.append(settled(realm, order, refusal, reduced=isinstance(order, Rename)))
        if isinstance(order, Rename):
            events.append(UnitRenamed(realm=realm, unit=unit.key, name=unit.name or ""))
    world = draft.finish()
    if awaited:
        world = world.evolve(progress=world.progress.evolve(awaited=frozenset(awaited)))
    return Outcome(world, tuple(events))


def _unit_actions(turn: Turn) -> Iterator[tuple[str, int, UnitOrder]]:
    """(realm, which of its orders to units, order), realms by code, orders as in the file (W12)."""
    for realm, sheet in sheets(turn):
        for index, order in enumerate(sheet.units):
            if isinstance(order, UNIT_ACTIONS):
                yield realm, index, order


def leaders_come(turn: Turn, world: World, *, last: bool = False) -> Outcome:
    """F7: settle the orders that chose a leader who was elsewhere: done when he is in the unit, ``last``: or failed.

    The world without them among those awaited, and their outcomes.
    """
    events: list[Event] = []
    left = set(world.progress.awaited)
    for realm, index, name in sorted(left):
        order = turn.orders[realm].units[index]
        unit = world.unit(realm, order.unit)
        here = unit is not None and unit.leader == name and unit.lead_commander is not None
        if here or last:
            never = refuse("leader-never-came", commander=name, unit=order.unit)
            events.append(settled(realm, order, None if here else never))
            left.remove((realm, index, name))
    if events:
        world = world.evolve(progress=world.progress.evolve(awaited=frozenset(left)))
    return Outcome(world, tuple(events))


def _acted(unit: Unit, order: object, draft: Draft, rules: Rules) -> tuple[Unit, Refusal | None]:
    """The unit after one administrative action, or as it was with the reason."""
    if isinstance(order, Rename):
        name = fitting_name(order.name, rules)
        cut = refuse("name-cut", limit=rules.units.name_length) if name != (order.name or None) else None
        return unit.evolve(name=name), cut
    if isinstance(order, SetRetreatLevel):
        if not 1 <= order.level <= rules.units.ranks:
            return unit, refuse("retreat-level-out-of-range", level=order.level, limit=rules.units.ranks)
        if unit.is_garrison:
            return unit, refuse("garrison-stays", unit=unit.id)
        return unit.evolve(retreat_level=order.level), None
    if isinstance(order, Follow):
        leader = draft.own(unit.realm, order.leader) if order.leader else None
        refusal = why_not_follow(unit, leader, order, draft)
        return (unit, refusal) if refusal else (unit.evolve(follow=leader.id if leader else None), None)
    if isinstance(order, SetMarines):
        if not unit.is_army:
            return unit, refuse("marines-are-armies", unit=unit.id)
        return unit.evolve(marines=order.answer), None
    return unit.evolve(leader=None), None


def _roster(rosters: dict[str, dict[str, str]], draft: Draft, realm: str) -> dict[str, str]:
    """The realm's commanders by name, with the key of the unit each is in; made once per realm."""
    if realm not in rosters:
        rosters[realm] = {who.name: unit.key for unit in draft.start.of_realm(realm) for who in unit.commanders}
    return rosters[realm]


def _rename_commander(draft: Draft, names: dict[str, str], realm: str, order: RenameCommander) -> None:
    key = names.pop(order.name)
    names[order.new_name] = key
    for unit in [draft.unit(unit.key) for unit in draft.start.of_realm(realm)]:
        commanders = tuple(
            who.evolve(name=order.new_name) if who.name == order.name else who for who in unit.commanders
        )
        leader = order.new_name if unit.leader == order.name else unit.leader
        if unit.leader != leader or commanders != unit.commanders:
            draft.put(unit.evolve(commanders=commanders, leader=leader))
