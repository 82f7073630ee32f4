"""Units are formed, arranged and dismissed (F5, F6, F9, F10), or split off (L8.2, L12, M5, M7, W5)."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, Decimal
from operator import add, sub
from typing import Any

from gm.core.values import CENT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules, TroopClass, TroopType
from gm.games.medieval.events.first import CommanderDismissed, TroopsDismissed, UnitFormed
from gm.games.medieval.events.movement import GarrisonTurnedOut, TroopsLeftWithoutUnit
from gm.games.medieval.orders.model import Disband, DisbandCommander, FormUnit, SetRanks
from gm.games.medieval.state import Commander, Province, Ranks, Unit, UnitKind, unit_key
from gm.games.medieval.state.unit import NO_RANKS, as_ranks
from gm.games.medieval.steps.administration import fitting_name
from gm.games.medieval.steps.outcomes import Refusal, refuse, unless
from gm.games.medieval.steps.turn import Workspace, step


def why_not_form(work: Workspace, maker: Unit | None, order: FormUnit, *, taken: bool) -> Refusal | None:
    """Return why a unit cannot form another (F5, F6).

    ``taken``: a unit has or had the new one's number.
    """
    if maker is None:
        return refuse("unit-not-yours", unit=order.unit)
    kind = order.new_id[:1]
    digits = order.new_id[1:]
    number = int(digits) if kind in ("A", "F") and digits.isascii() and digits.isdigit() else 0
    if not 1 <= number <= work.rules.units.number_limit:
        return refuse("number-out-of-range", unit=order.new_id, limit=work.rules.units.number_limit)
    if taken:
        return refuse("number-taken", unit=order.new_id)
    if kind == UnitKind.ARMY.value:
        return refuse("fleet-forms-army", unit=maker.id) if maker.is_fleet else None
    if maker.is_army:
        return refuse("army-forms-fleet", unit=maker.id)
    if maker.is_garrison and not holds_ships(work.world.provinces[maker.place], work.board):
        return refuse("fleet-needs-city-harbour", place=maker.place)
    return None


@step("New Armies Formed", "F5", "W5")
def new_armies_formed(work: Workspace) -> None:
    """Form armies from armies and garrisons in their place, aboard the same fleet if aboard."""
    _formed(work, UnitKind.ARMY)


@step("New Fleets Formed", "F6", "W5")
def new_fleets_formed(work: Workspace) -> None:
    """Form fleets from fleets, and from garrisons with a city and a harbour, in their place."""
    _formed(work, UnitKind.FLEET)


def _formed(work: Workspace, kind: UnitKind) -> None:
    """Form units as ordered, in file order.

    An order to a unit that is formed later in the file follows the forming of it.
    """
    # ids of neither kind are refused with the armies, so that each order is settled once
    orders = work.orders_to_units(FormUnit)
    due = [
        pair for pair in orders if (pair[1].new_id[:1] == UnitKind.FLEET.value) is (kind is UnitKind.FLEET)
    ]
    while due:
        waiting: list[tuple[str, FormUnit]] = []
        for realm, order in due:
            if work.own(realm, order.unit) is None:
                waiting.append((realm, order))
            else:
                _form(work, realm, order, kind)
        if waiting == due:
            for realm, order in waiting:
                work.settle(realm, order, refuse("unit-not-yours", unit=order.unit))
            return
        due = waiting


def _form(work: Workspace, realm: str, order: FormUnit, kind: UnitKind) -> None:
    """Carry out one order to form a unit."""
    maker = work.own(realm, order.unit)
    key = unit_key(realm, order.new_id)
    is_taken = work.get(key) is not None or key in work.world.progress.units
    refusal = why_not_form(work, maker, order, taken=is_taken)
    if refusal is not None or maker is None:
        work.settle(realm, order, refusal)
        return
    name, cut = fitting_name(order.name, work.rules)
    aboard = maker.aboard if kind is UnitKind.ARMY else None
    unit = work.made_unit(realm, kind, int(order.new_id[1:]), maker.place, aboard=aboard, name=name)
    work.put(unit)
    work.set_progress(unit)
    work.settle(realm, order, cut, reduced=True)
    work.emit(UnitFormed(realm=realm, unit=unit.key, maker=maker.key, place=unit.place, name=name or ""))


def reassigned(have: Ranks, ordered: Mapping[int, int]) -> tuple[Ranks, int]:
    """Return the ranks after an order, and the number of troops in it beyond those there are (F9).

    Each named rank gets its count, first from troops in it, then from the front-most others; other troops
    stay where they are. If too many are named, the order is cut from the last rank on.
    """
    counts = [ordered.get(rank, 0) for rank in range(1, len(have) + 1)]
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
    return as_ranks(map(add, counts, staying)), too_many


def why_not_rank(unit: Unit, order: SetRanks, rules: Rules) -> Refusal | None:
    """Return why ranks cannot be set: no such troops, or no such rank (F9)."""
    if any(not 1 <= rank <= rules.units.ranks or count < 0 for rank, count in order.counts.items()):
        return refuse("rank-out-of-range", limit=rules.units.ranks)
    return None if unit.count(order.troop) else refuse("ranks-no-troops", troop=order.troop, unit=unit.id)


@step("Troops Reassigned to Ranks", "F9", "W6")
def troops_reassigned_to_ranks(work: Workspace) -> None:
    """Spread each troop type of a unit over ranks 1-5 as ordered.

    Reads: units after the transfers of F8. Writes: ranks. Emits: OrderSettled.
    """
    for unit, order in work.unit_orders(SetRanks):
        refusal = why_not_rank(unit, order, work.rules)
        if refusal:
            work.settle(unit.realm, order, refusal)
            continue
        ranks, too_many = reassigned(unit.troops[order.troop], order.counts)
        work.put(unit.with_troops({**unit.troops, order.troop: ranks}))
        named_count = sum(order.counts.values())
        cut = (
            refuse("ranks-cut", named=named_count, has=named_count - too_many, troop=order.troop)
            if too_many
            else None
        )
        work.settle(unit.realm, order, cut, reduced=True)


def salvage(troop: TroopType, *, at_sea: bool, rules: Rules) -> Decimal:
    """Return the gold for disbanding one troop (F10).

    For ships (not at sea) and siege machines it is a share of their cost.
    """
    if troop.kind is not TroopClass.SIEGE and (not troop.ship or at_sea):
        return Decimal(0)
    return (troop.cost / rules.economy.salvage_divisor).quantize(CENT, ROUND_DOWN)


@step("Troops Disbanded or Salvaged", "F10")
def troops_disbanded(work: Workspace) -> None:
    """Disband troops, ships and commanders before upkeep; salvage brings gold.

    Reads: units after F9. Writes: units, treasuries. Emits: TroopsDismissed, CommanderDismissed, the ledger,
    OrderSettled.
    """
    orders: Iterator[tuple[Unit, Disband | DisbandCommander]] = work.unit_orders(Disband, DisbandCommander)
    for unit, order in orders:
        if isinstance(order, Disband):
            _disband(work, unit, order)
            continue
        name = order.commander
        is_here = order.commander in unit.commander_names
        if work.settle(
            unit.realm, order, unless(is_here, "commander-not-here", commander=name, unit=unit.id)
        ):
            work.put(unit.without_commander(name)[0])
            work.emit(CommanderDismissed(realm=unit.realm, unit=unit.key, commander=name))
            work.lose(unit, "disbanded", who=[name])


def _disband(work: Workspace, unit: Unit, order: Disband) -> None:
    """Carry out one order to disband troops."""
    realm = unit.realm
    troop = order.troop
    has = unit.count(order.troop)
    gone = {troop: min(order.count, has)}
    if gone[troop] <= 0:
        work.settle(realm, order, refuse("disband-no-troops", troop=troop, unit=unit.id))
        return
    work.put(unit.take(troop, gone[troop])[0])
    cut = refuse("troops-fewer", ordered=order.count, has=has, troop=troop) if has < order.count else None
    work.settle(realm, order, cut, reduced=True)
    work.emit(TroopsDismissed(realm=realm, unit=unit.key, place=unit.place, troops=gone))
    work.lose(unit, "disbanded", gone)
    gold_each = salvage(work.rules.troops[troop], at_sea=work.board.is_sea(unit.place), rules=work.rules)
    work.pay(realm, gold_each * gone[troop], "salvage", unit.place)


def set_apart(
    work: Workspace,
    source: Unit,
    kind: UnitKind,
    troops: Mapping[str, Ranks],
    commanders: Sequence[Commander] = (),
    *,
    aboard: str | None = None,
) -> Unit | None:
    """Move a part of ``source`` into a new unit of its realm there; None when it is lost, which is emitted.

    The new unit has used the same move-points as ``source`` (P6) and keeps its leader if they come along.
    Without a free number the part joins the realm's lowest-numbered unit of that kind there; without one it
    is lost (L8.2).
    """
    remaining = {
        name: as_ranks(map(sub, ranks, troops.get(name, NO_RANKS))) for name, ranks in source.troops.items()
    }
    moved = {commander.name for commander in commanders}
    staying = tuple(commander for commander in source.commanders if commander.name not in moved)
    leader = None if source.leader in moved else source.leader
    work.put(source.with_troops(remaining).evolve(commanders=staying, leader=leader))
    unit = new_unit(work, source.realm, kind, source.place, aboard=aboard)
    if unit is None:
        counts = {name: sum(ranks) for name, ranks in troops.items()}
        names = tuple(commander.name for commander in commanders)
        work.emit(
            TroopsLeftWithoutUnit(realm=source.realm, place=source.place, troops=counts, commanders=names)
        )
        work.lose(source, "lost", counts, names)
        return None
    for name, ranks in troops.items():
        unit = unit.add(name, ranks)
    leads = source.leader if unit.leader is None and source.leader in moved else unit.leader
    unit = unit.evolve(commanders=(*unit.commanders, *commanders), leader=leads)
    before = work.done(source)
    progress = work.done(unit)
    work.put(unit)
    work.set_progress(unit, used=max(before.used, progress.used), spent=before.spent or progress.spent)
    return unit


def new_unit(
    work: Workspace, realm: str, kind: UnitKind, place: str, *, aboard: str | None = None
) -> Unit | None:
    """Return a new empty unit, not yet stored.

    Without a free number it is the realm's lowest-numbered one there, or None without one (L8.2).
    """
    number = work.free_number(realm, kind)
    if number > work.rules.units.number_limit:
        own_units = (u for u in work.at(place) if u.realm == realm and u.kind is kind and u.aboard == aboard)
        return next(own_units, None)
    return work.made_unit(realm, kind, number, place, aboard=aboard)


def needs_garrison(province: Province, board: Atlas) -> bool:
    """Return whether a province has a garrison: with a city or a fortification, ruined or not (W5)."""
    return board.city(province.name) is not None or province.fortification > 0


def holds_ships(province: Province, board: Atlas) -> bool:
    """Return whether a province's garrison may have ships: with city and harbour (W5)."""
    return board.city(province.name) is not None and province.harbour


def settle_garrison(work: Workspace, province: str) -> Unit | None:
    """Make the garrison that the province should have, empty, or remove the one it should not (L8.2, W5).

    Return the present garrison; None if there is none. Raises ``ValueError`` when one with troops in it, or
    another realm's, would have to go: turn it out first.
    """
    land = work.province(province)
    garrison = work.garrison(province)
    needed = needs_garrison(land, work.board)
    if garrison is not None and (not needed or garrison.realm != land.owner):
        if not garrison.empty:
            raise ValueError(f"the garrison {garrison.key} at {province} is not empty")
        work.remove(garrison.key)
        garrison = None
    if needed and garrison is None:
        number = work.free_number(land.owner, UnitKind.GARRISON)
        garrison = work.made_unit(land.owner, UnitKind.GARRISON, number, province)
        work.put(garrison)
        work.set_progress(garrison)
    return garrison


def turn_out(work: Workspace, garrison: Unit, *, soldiers: bool = True, ships: bool = True) -> None:
    """Move a garrison's soldiers and commanders into a new army, its ships into a new fleet (L8.2, L12).

    The garrison stays, empty.
    """
    kinds = {False: UnitKind.ARMY, True: UnitKind.FLEET}
    for ship, kind in kinds.items():
        part = {
            name: ranks for name, ranks in garrison.troops.items() if work.rules.troops[name].ship is ship
        }
        commanders = () if ship else garrison.commanders
        if not (ships if ship else soldiers) or not (part or commanders):
            continue
        unit = set_apart(work, work.unit(garrison.key), kind, part, commanders)
        if unit is not None:
            out: dict[str, Any] = {"troops": {name: sum(ranks) for name, ranks in part.items()}}
            out |= {"commanders": tuple(commander.name for commander in commanders), "place": garrison.place}
            work.emit(GarrisonTurnedOut(realm=garrison.realm, garrison=garrison.key, unit=unit.key, **out))
