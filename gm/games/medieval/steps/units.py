"""Forming, arranging and dismissing units, before anything moves (F5, F6, F9, F10)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_DOWN, Decimal

from gm.core.events import Event
from gm.core.pipeline import step
from gm.core.values import CENT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules, TroopClass, TroopType
from gm.games.medieval.events.first import CommanderDismissed, TroopsDismissed, UnitFormed
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import (
    Disband,
    DisbandCommander,
    FormUnit,
    SetRanks,
)
from gm.games.medieval.state import Ranks, Unit, UnitKind, World, unit_key
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps.administration import fitting_name
from gm.games.medieval.steps.turn import Outcome, Refusal, Turn, refuse, settled, unit_orders
from gm.games.medieval.steps.workspace import Ledger

# -- F5, F6 ------------------------------------------------------------------------------------------------------------


def why_not_form(
    maker: Unit | None, order: FormUnit, taken: bool, world: World, rules: Rules, atlas: Atlas
) -> Refusal | None:
    """F5, F6: who may form what, and whether the number chosen is free. ``taken``: some unit has or had it."""
    if maker is None:
        return refuse("unit-not-yours", unit=order.unit)
    number = _number(order.new_id)
    if number is None or not 1 <= number <= rules.units.number_limit:
        return refuse("number-out-of-range", unit=order.new_id, limit=rules.units.number_limit)
    if taken:
        return refuse("number-taken", unit=order.new_id)
    if order.new_id[0] == UnitKind.ARMY.value:
        return refuse("fleet-forms-army", unit=maker.id) if maker.is_fleet else None
    if maker.is_army:
        return refuse("army-forms-fleet", unit=maker.id)
    if maker.is_garrison and not (atlas.city(maker.place) and world.provinces[maker.place].harbour):
        return refuse("fleet-needs-city-harbour", place=maker.place)
    return None


def _number(unit_id: str) -> int | None:
    digits = unit_id[1:]
    return int(digits) if unit_id[:1] in ("A", "F") and digits.isascii() and digits.isdigit() else None


@step("New Armies Formed", "F5", "W5")
def new_armies_formed(turn: Turn) -> Outcome:
    """Armies and garrisons form armies in the place where they are, aboard the same fleet if aboard.

    Writes: units. Emits: UnitFormed, OrderSettled.
    """
    return _formed(turn, UnitKind.ARMY)


@step("New Fleets Formed", "F6", "W5")
def new_fleets_formed(turn: Turn) -> Outcome:
    """Fleets, and garrisons with a city and a harbour, form fleets in the place where they are.

    Writes: units. Emits: UnitFormed, OrderSettled.
    """
    return _formed(turn, UnitKind.FLEET)


def _formed(turn: Turn, kind: UnitKind) -> Outcome:
    world, rules = turn.state, turn.rules
    draft, events = Draft(world), list[Event]()
    for realm, order in unit_orders(turn, FormUnit):
        # ids of neither kind are refused with the armies, so that each order is settled once
        if (order.new_id[:1] == UnitKind.FLEET.value) is not (kind is UnitKind.FLEET):
            continue
        maker = draft.own(realm, order.unit)
        key = unit_key(realm, order.new_id)
        taken = draft.get(key) is not None or key in world.progress.units
        refusal = why_not_form(maker, order, taken, world, rules, turn.board)
        if refusal is not None or maker is None:
            events.append(settled(realm, order, refusal))
            continue
        name = fitting_name(order.name, rules)
        unit = Unit(
            realm=realm,
            kind=kind,
            number=int(order.new_id[1:]),
            place=maker.place,
            aboard=maker.aboard if kind is UnitKind.ARMY else None,
            name=name,
            retreat_level=rules.units.retreat_level,
        )
        draft.put(unit)
        draft.mark(unit)
        cut = refuse("name-cut", limit=rules.units.name_length) if name != (order.name or None) else None
        events.append(settled(realm, order, cut, reduced=True))
        events.append(UnitFormed(realm=realm, unit=unit.key, maker=maker.key, place=unit.place, name=name or ""))
    return Outcome(draft.finish(), tuple(events))


# -- F9 ----------------------------------------------------------------------------------------------------------------


def reassigned(have: Ranks, wanted: Mapping[int, int]) -> tuple[Ranks, int]:
    """F9: the ranks after an order, and how many troops it named too many.

    Each rank named gets its count, first from troops that stand there, then from the front-most others; troops that
    nobody named stay where they are. Too many named: the order is cut from the last rank.
    """
    counts = [wanted.get(rank, 0) for rank in range(1, len(have) + 1)]
    excess = too_many = max(0, sum(counts) - sum(have))
    for index in reversed(range(len(counts))):
        cut = min(counts[index], excess)
        counts[index] -= cut
        excess -= cut
    staying = [max(0, here - count) for here, count in zip(have, counts, strict=True)]
    to_move = sum(max(0, count - here) for here, count in zip(have, counts, strict=True))
    for index, here in enumerate(staying):
        moved = min(here, to_move)
        staying[index] -= moved
        to_move -= moved
    new = [count + rest for count, rest in zip(counts, staying, strict=True)]
    return (new[0], new[1], new[2], new[3], new[4]), too_many


def why_not_rank(unit: Unit | None, order: SetRanks, rules: Rules) -> Refusal | None:
    """F9: the unit has such troops, and the ranks exist."""
    if unit is None:
        return refuse("unit-not-yours", unit=order.unit)
    if any(not 1 <= rank <= rules.units.ranks or count < 0 for rank, count in order.counts.items()):
        return refuse("rank-out-of-range", limit=rules.units.ranks)
    return None if unit.count(order.troop) else refuse("ranks-no-troops", troop=order.troop, unit=unit.id)


@step("Troops Reassigned to Ranks", "F9", "W6")
def troops_reassigned_to_ranks(turn: Turn) -> Outcome:
    """Each troop type of a unit is spread over ranks 1-5 as ordered.

    Reads: units after the transfers of F8. Writes: ranks. Emits: OrderSettled.
    """
    draft, events = Draft(turn.state), list[Event]()
    for realm, order in unit_orders(turn, SetRanks):
        unit = draft.own(realm, order.unit)
        refusal = why_not_rank(unit, order, turn.rules)
        if refusal is not None or unit is None:
            events.append(settled(realm, order, refusal))
            continue
        ranks, too_many = reassigned(unit.troops[order.troop], order.counts)
        draft.put(unit.with_troops({**unit.troops, order.troop: ranks}))
        named = sum(order.counts.values())
        cut = refuse("ranks-cut", named=named, has=named - too_many, troop=order.troop) if too_many else None
        events.append(settled(realm, order, cut, reduced=True))
    return Outcome(draft.finish(), tuple(events))


# -- F10 ---------------------------------------------------------------------------------------------------------------


def salvage(troop: TroopType, at_sea: bool, rules: Rules) -> Decimal:
    """F10: what disbanding one troop brings: ships (not at sea) and siege machines a share of their build cost."""
    if troop.kind is not TroopClass.SIEGE and (not troop.ship or at_sea):
        return Decimal(0)
    return (troop.cost / rules.economy.salvage_divisor).quantize(CENT, ROUND_DOWN)


@step("Troops Disbanded or Salvaged", "F10")
def troops_disbanded(turn: Turn) -> Outcome:
    """Troops, ships and commanders are dismissed before upkeep; what can be salvaged brings gold.

    Reads: units after F9. Writes: units, treasuries.
    Emits: TroopsChanged, CommandersChanged, TreasuryChanged, OrderSettled.
    """
    draft, events = Draft(turn.state), list[Event]()
    ledger = Ledger(turn.state, events)
    for realm, order in unit_orders(turn, Disband, DisbandCommander):
        unit = draft.own(realm, order.unit)
        if unit is None:
            events.append(settled(realm, order, refuse("unit-not-yours", unit=order.unit)))
        elif isinstance(order, Disband):
            _disband(turn, draft, ledger, events, unit, order)
        elif isinstance(order, DisbandCommander):
            _dismiss(draft, events, unit, order)
    return Outcome(ledger.world(draft.finish()), tuple(events))


def _disband(turn: Turn, draft: Draft, ledger: Ledger, events: list[Event], unit: Unit, order: Disband) -> None:
    has = unit.count(order.troop)
    count = min(order.count, has)
    if count <= 0:
        events.append(settled(unit.realm, order, refuse("disband-no-troops", troop=order.troop, unit=unit.id)))
        return
    left, _ = unit.take(order.troop, count)
    draft.put(left)
    cut = refuse("troops-fewer", ordered=order.count, has=has, troop=order.troop) if has < order.count else None
    events.append(settled(unit.realm, order, cut, reduced=True))
    events.append(TroopsDismissed(realm=unit.realm, unit=unit.key, place=unit.place, troops={order.troop: count}))
    events.append(TroopsChanged(realm=unit.realm, unit=unit.key, troop=order.troop, count=-count, cause="disbanded"))
    each = salvage(turn.rules.troops[order.troop], turn.board.is_sea(unit.place), turn.rules)
    ledger.change(unit.realm, each * count, "salvage", unit.place)


def _dismiss(draft: Draft, events: list[Event], unit: Unit, order: DisbandCommander) -> None:
    if all(who.name != order.commander for who in unit.commanders):
        refusal = refuse("commander-not-here", commander=order.commander, unit=unit.id)
        events.append(settled(unit.realm, order, refusal))
        return
    left, gone = unit.without_commander(order.commander)
    draft.put(left)
    events.append(settled(unit.realm, order))
    events.append(CommanderDismissed(realm=unit.realm, unit=unit.key, commander=gone.name))
    events.append(CommandersChanged(realm=unit.realm, unit=unit.key, commander=gone.name, count=-1, cause="disbanded"))
