"""Units are formed, arranged and dismissed (F5, F6, F9, F10), or split off (L8.2, L12, M5, M7, W5)."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, Decimal
from operator import add, sub

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
    """Return why a unit cannot form another (F5, F6); None if it can.

    ``maker``: None if the realm has no such unit; ``taken``: the new unit's number is or was used this turn.
    """
    if maker is None:
        return refuse("unit-not-yours", unit=order.unit)
    kind = order.new_id[:1]
    digits = order.new_id[1:]
    # 0, which no unit has, if it is no id of an army or fleet
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
    """Form new armies where their makers are, which are armies and garrisons; aboard if these are aboard."""
    _form_all(work, UnitKind.ARMY)


@step("New Fleets Formed", "F6", "W5")
def new_fleets_formed(work: Workspace) -> None:
    """Form new fleets where their makers are: fleets, and garrisons with a city and a harbour."""
    _form_all(work, UnitKind.FLEET)


def _form_all(work: Workspace, kind: UnitKind) -> None:
    """Form units of a kind as ordered, in file order.

    An order to a unit that is formed later in the file is carried out after that.
    """
    # ids of neither kind are refused with the armies, so that each order is settled once
    orders_left = [
        (realm, order)
        for realm, order in work.orders_to_units(FormUnit)
        if (order.new_id[:1] == UnitKind.FLEET.value) is (kind is UnitKind.FLEET)
    ]
    while orders_left:
        waiting: list[tuple[str, FormUnit]] = []  # orders to units that are not there yet
        for realm, order in orders_left:
            if work.own(realm, order.unit) is None:
                waiting.append((realm, order))
            else:
                _form(work, realm, order, kind)
        if waiting == orders_left:
            for realm, order in waiting:
                work.settle(realm, order, refuse("unit-not-yours", unit=order.unit))
            return
        orders_left = waiting


def _form(work: Workspace, realm: str, order: FormUnit, kind: UnitKind) -> None:
    """Carry out one order to form a unit."""
    maker = work.own(realm, order.unit)
    key = unit_key(realm, order.new_id)
    is_taken = work.get(key) is not None or key in work.world.progress.units
    refusal = why_not_form(work, maker, order, taken=is_taken)
    if refusal is not None or maker is None:
        work.settle(realm, order, refusal)
        return
    name, name_refusal = fitting_name(order.name, work.rules)
    aboard = maker.aboard if kind is UnitKind.ARMY else None
    unit = work.made_unit(realm, kind, int(order.new_id[1:]), maker.place, aboard=aboard, name=name)
    work.put(unit)
    work.set_progress(unit)  # from now on its number is used, whatever becomes of it
    # with a refused name the order is done in part: the unit is formed all the same
    work.settle(realm, order, name_refusal, reduced=True)
    work.emit(UnitFormed(realm=realm, unit=unit.key, maker=maker.key, place=unit.place, name=name or ""))


def reassigned(have: Ranks, ordered: Mapping[int, int]) -> tuple[Ranks, int]:
    """Return the ranks after an order, and by how many troops it names more than there are (F9).

    ``ordered``: by rank, how many shall stand in it. Each of these ranks gets its number, first from troops
    in it, then from the front-most others; other troops stay where they are. If the order names too many, it
    is cut from the last rank on.
    """
    counts = [ordered.get(rank, 0) for rank in range(1, len(have) + 1)]
    too_many = max(0, sum(counts) - sum(have))
    excess = too_many
    for index in reversed(range(len(counts))):
        cut = min(counts[index], excess)
        counts[index] -= cut
        excess -= cut
    others = [max(0, here - count) for here, count in zip(have, counts, strict=True)]  # beyond its number
    to_move = sum(max(0, count - here) for here, count in zip(have, counts, strict=True))
    for index, here in enumerate(others):
        moved = min(here, to_move)
        others[index] -= moved
        to_move -= moved
    return as_ranks(map(add, counts, others)), too_many


def why_not_rank(unit: Unit, order: SetRanks, rules: Rules) -> Refusal | None:
    """Return why ranks cannot be set (F9); None if they can.

    They can if the order names existing ranks and no negative counts, and the unit has such troops.
    """
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
        refusal = None
        if too_many:
            named_count = sum(order.counts.values())
            refusal = refuse("ranks-cut", named=named_count, has=named_count - too_many, troop=order.troop)
        # ``reduced``: with a refusal it is done in part, without one in full
        work.settle(unit.realm, order, refusal, reduced=True)


def salvage(troop: TroopType, *, at_sea: bool, rules: Rules) -> Decimal:
    """Return the gold for disbanding one troop (F10).

    It is a share of the cost, rounded down to 1/100, of siege machines and of ships that are not at sea; 0 of
    others.
    """
    if troop.kind is not TroopClass.SIEGE and (not troop.ship or at_sea):
        return Decimal(0)
    return (troop.cost / rules.economy.salvage_divisor).quantize(CENT, ROUND_DOWN)


@step("Troops Disbanded or Salvaged", "F10")
def troops_disbanded(work: Workspace) -> None:
    """Disband troops, ships and commanders before upkeep; salvage brings gold.

    Reads: units after F9. Writes: units, treasuries. Emits: TroopsDismissed, CommanderDismissed,
    TroopsChanged, CommandersChanged, TreasuryChanged, OrderSettled.
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
    """Carry out one order to disband troops, as many as the unit has; their salvage value is paid."""
    realm = unit.realm
    troop = order.troop
    has = unit.count(order.troop)
    count = min(order.count, has)
    if count <= 0:
        work.settle(realm, order, refuse("disband-no-troops", troop=troop, unit=unit.id))
        return
    work.put(unit.take(troop, count)[0])
    refusal = None
    if has < order.count:
        refusal = refuse("troops-fewer", ordered=order.count, has=has, troop=troop)
    # ``reduced``: with a refusal it is done in part, without one in full
    work.settle(realm, order, refusal, reduced=True)
    work.emit(TroopsDismissed(realm=realm, unit=unit.key, place=unit.place, troops={troop: count}))
    work.lose(unit, "disbanded", {troop: count})
    gold_each = salvage(work.rules.troops[troop], at_sea=work.board.is_sea(unit.place), rules=work.rules)
    work.pay(realm, gold_each * count, "salvage", unit.place)


def set_apart(
    work: Workspace,
    source: Unit,
    kind: UnitKind,
    troops: Mapping[str, Ranks],
    commanders: Sequence[Commander] = (),
    *,
    aboard: str | None = None,
) -> Unit | None:
    """Move ``troops`` and ``commanders`` of ``source`` into a new unit of its realm there; return that unit.

    Without a free number the part joins the realm's lowest-numbered unit of that kind there; if there is none
    the part is lost, and None is returned (L8.2). The unit that got the part then counts as having used at
    least as many move-points as ``source`` (P6). The leader of ``source`` leads it if they come along and it
    has none yet.
    """
    remaining = {
        name: as_ranks(map(sub, ranks, troops.get(name, NO_RANKS))) for name, ranks in source.troops.items()
    }
    moved = {commander.name for commander in commanders}
    staying = tuple(commander for commander in source.commanders if commander.name not in moved)
    leader_left = None if source.leader in moved else source.leader
    work.put(source.with_troops(remaining).evolve(commanders=staying, leader=leader_left))
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
    leader = source.leader if unit.leader is None and source.leader in moved else unit.leader
    unit = unit.evolve(commanders=(*unit.commanders, *commanders), leader=leader)
    progress_of_source = work.done(source)
    progress = work.done(unit)
    work.put(unit)
    work.set_progress(
        unit,
        used=max(progress_of_source.used, progress.used),
        spent=progress_of_source.spent or progress.spent,
    )
    return unit


def new_unit(
    work: Workspace, realm: str, kind: UnitKind, place: str, *, aboard: str | None = None
) -> Unit | None:
    """Return a new, empty unit, which is not stored yet.

    Without a free number, return the realm's first unit of that kind there, with the same ``aboard``, as it
    is; None if it has none (L8.2).
    """
    number = work.free_number(realm, kind)
    if number > work.rules.units.number_limit:
        own_units = (
            unit
            for unit in work.at(place)
            if unit.realm == realm and unit.kind is kind and unit.aboard == aboard
        )
        return next(own_units, None)
    return work.made_unit(realm, kind, number, place, aboard=aboard)


def needs_garrison(province: Province, board: Atlas) -> bool:
    """Return whether a province has a garrison: with a city or a fortification, ruined or not (W5)."""
    return board.city(province.name) is not None or province.fortification > 0


def holds_ships(province: Province, board: Atlas) -> bool:
    """Return whether a province's garrison may have ships: with city and harbour (W5)."""
    return board.city(province.name) is not None and province.harbour


def settle_garrison(work: Workspace, province: str) -> Unit | None:
    """Make an empty garrison in a province that should have one; remove one that it should not (L8.2, W5).

    Return the present garrison; None if there is none. A garrison of a former owner is removed too. Raises
    ``ValueError`` if one that is to be removed has troops or commanders: :func:`turn_out` comes first.
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
        work.set_progress(garrison)  # from now on its number is used, whatever becomes of it
    return garrison


def turn_out(work: Workspace, garrison: Unit, *, soldiers: bool = True, ships: bool = True) -> None:
    """Move a garrison's soldiers and commanders into a new army, its ships into a new fleet (L8.2, L12).

    ``soldiers`` and ``ships``: whether these go; commanders go with the soldiers. The garrison stays, even if
    it is empty then.
    """
    rows = work.rules.troops
    if soldiers:
        army = {name: ranks for name, ranks in garrison.troops.items() if not rows[name].ship}
        _turn_out_part(work, garrison, UnitKind.ARMY, army, garrison.commanders)
    if ships:
        fleet = {name: ranks for name, ranks in garrison.troops.items() if rows[name].ship}
        _turn_out_part(work, garrison, UnitKind.FLEET, fleet, ())


def _turn_out_part(
    work: Workspace,
    garrison: Unit,
    kind: UnitKind,
    troops: Mapping[str, Ranks],
    commanders: tuple[Commander, ...],
) -> None:
    """Move a part of a garrison into a new unit, if there is anything in it, and emit that."""
    if not troops and not commanders:
        return
    # looked up again: another part of it may have been moved just now
    unit = set_apart(work, work.unit(garrison.key), kind, troops, commanders)
    if unit is not None:
        work.emit(
            GarrisonTurnedOut(
                realm=garrison.realm,
                garrison=garrison.key,
                unit=unit.key,
                place=garrison.place,
                troops={name: sum(ranks) for name, ranks in troops.items()},
                commanders=tuple(commander.name for commander in commanders),
            )
        )
