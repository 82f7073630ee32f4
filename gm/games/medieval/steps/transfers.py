"""Transfers of troops between units in one place (F8, M1), and cargo for which a fleet has no room (M7)."""

from collections.abc import Iterable
from typing import Any

from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.events import movement
from gm.games.medieval.orders.model import Pillage, Transfer
from gm.games.medieval.state import Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import ships, storage, weight
from gm.games.medieval.steps.administration import settle_leaders
from gm.games.medieval.steps.handovers import Handover
from gm.games.medieval.steps.loading import mark_landed
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.turn import Plans, Workspace, step
from gm.games.medieval.steps.units import set_apart

# reasons of a refusal for which a transfer may wait (O6)
ABSENT = frozenset({"no-such-receiver", "receiver-elsewhere"})


@step("Same Location Transfers Occur", "F8", "F7", "O6", "P6")
def same_location_transfers(work: Workspace) -> None:
    """Carry out transfers at the head of plans, before any movement, if the receiver is in the same place.

    Reads: plans, units. Writes: units, their move-points used. Emits: TroopsTransferred, TroopsChanged,
    CommandersChanged, outcomes, also of orders to choose a leader whom a transfer has brought.
    """
    _transfers(work, all_wait=True)


@step("Transfers Happen", "M1", "F7", "O6", "P6")
def transfers_happen(work: Workspace) -> None:
    """Carry out transfers at the head of plans, in every phase.

    A transfer may wait for its receiver only if nothing but transfers and pillage come after it in the plan.
    """
    _transfers(work, all_wait=False)


def _transfers(work: Workspace, *, all_wait: bool) -> None:
    """Carry out the transfers at the head of plans and settle them, unless they wait.

    ``all_wait``: every transfer without its receiver waits, whatever comes after it in the plan.
    """
    handovers: list[Handover] = []
    fates: list[tuple[Unit, int, Refusal | Handover]] = []  # (giver, index of the entry, what came of it)
    for unit in work.acting(Transfer, aboard=True):
        waits = may_wait(work.plans, unit)
        for index, entry in work.at_head(unit, Transfer):
            receiver = receiver_of(work, unit, entry.receiver)
            refusal = why_not_transfer(work.world, unit, receiver, entry.receiver)
            if refusal is None and receiver is not None:
                handovers.append(Handover(work, unit, entry, receiver))
                fates.append((unit, index, handovers[-1]))
            elif refusal is not None and not (refusal.reason in ABSENT and (all_wait or waits[index])):
                fates.append((unit, index, refusal))
    _hand_over(handovers)
    for unit, index, fate in fates:
        if isinstance(fate, Handover):
            work.plans.settle(unit, index, fate.why_incomplete(), reduced=fate.moved)
        else:
            work.plans.settle(unit, index, fate)
    settle_leaders(work, work.plans.events)


def _hand_over(handovers: list[Handover]) -> None:
    """Transfer what each giver has, in their order; then, again and again, what is left, until nothing moves.

    So units can pass on what they receive, whatever their numbers.
    """
    while handovers:
        results = [handover.go() for handover in handovers]
        handovers = [handover for handover in handovers if not handover.complete] if any(results) else []


def may_wait(plans: Plans, unit: Unit) -> dict[int, bool]:
    """Return whether only transfers and pillage come after each entry left of a plan, by its index (O6)."""
    may_wait_at = dict[int, bool]()
    only_these = True  # of all entries after the present one
    for index, entry in reversed(plans.left(unit)):
        may_wait_at[index] = only_these
        only_these = only_these and isinstance(entry, Transfer | Pillage)
    return may_wait_at


def receiver_of(draft: Draft, giver: Unit, reference: str) -> Unit | None:
    """Return the unit that a transfer names as its receiver; None if there is none.

    ``reference``: an id or the province of a garrison, of the giver's realm, or of another as in ``AQU/A3``.
    """
    realm, _, name = reference.rpartition("/")
    return draft.own(realm or giver.realm, name)


def why_not_transfer(world: World, giver: Unit, receiver: Unit | None, reference: str) -> Refusal | None:
    """Return why a transfer is impossible (M1); None if it is possible.

    There must be a receiver, another unit than the giver, in the same place, and its realm must accept gifts
    and not be at war. Reasons in ``ABSENT`` may be gone later; others are final.
    """
    if receiver is None:
        return refuse("no-such-receiver", receiver=reference)
    if receiver.key == giver.key:
        return refuse("receiver-is-giver")
    if receiver.realm != giver.realm:
        if world.at_war(giver.realm, receiver.realm):
            return refuse("receiver-at-war", realm=receiver.realm)
        if not world.accepts_gifts(receiver.realm, giver.realm):
            return refuse("receiver-refuses-gifts", realm=receiver.realm)
    is_here = receiver.place == giver.place
    return None if is_here else refuse("receiver-elsewhere", receiver=receiver.key, place=receiver.place)


@step("Fleet Storage Checked", "M7", "M1")
def fleet_storage_checked(work: Workspace) -> None:
    """Let overloaded fleets lose the surplus: ashore where that is allowed, to other fleets, or overboard.

    Reads: fleets, armies aboard. Writes: armies. Emits: CargoMoved, CargoPutAshore, CargoOverboard,
    TroopsChanged.
    """
    laden = {unit.aboard for unit in work.world.units.values() if unit.aboard}
    for key in work.world.units:
        if key in laden:
            settle_cargo(work, work.unit(key))


def settle_cargo(work: Workspace, fleet: Unit) -> None:
    """Reduce the cargo of ``fleet`` to its room (M7).

    What is too much goes ashore where its realm has permission. Elsewhere it goes to other fleets of the
    fleet's realm there, and what has no room in them is lost. Commanders weigh nothing, but leave a fleet
    without ships.
    """
    for army, troops in surplus(
        work.rules, work.cargo(fleet), too_much=-cargo_room(work, fleet), host=fleet.realm
    ):
        if fleet.place in work.world.provinces and work.world.has_permission(army.realm, fleet.place):
            _move_cargo(work, fleet, army, troops)
            continue
        troops_left = dict(troops)
        for other in _own_fleets_there(work, fleet):
            fitting = _fitting(work.rules, troops_left, cargo_room(work, other))
            if fitting:
                troops_left = {
                    name: count - fitting.get(name, 0)
                    for name, count in troops_left.items()
                    if count > fitting.get(name, 0)
                }
                _move_cargo(work, fleet, work.unit(army.key), fitting, other)
        if troops_left:
            _throw_overboard(work, fleet, army, troops_left)
    if not ships(fleet, work.rules):
        _abandon_fleet(work, fleet)


def _throw_overboard(work: Workspace, fleet: Unit, army: Unit, troops: dict[str, int]) -> None:
    """Lose troops, by type, of an army aboard a fleet."""
    remaining = work.unit(army.key)
    for name, count in troops.items():
        remaining, _ = remaining.take(name, count)
    work.put(remaining)
    work.emit(
        movement.CargoOverboard(
            realm=army.realm, army=army.key, fleet=fleet.key, place=fleet.place, troops=troops
        )
    )
    work.lose(army, "overboard", troops)


def leave_vanishing_fleet(work: Workspace, fleet: Unit) -> None:
    """Move all cargo off a fleet without ships that is about to be removed, as at M7; remove the armies left.

    Commanders for whom M7 has no place are lost.
    """
    settle_cargo(work, fleet)
    # these armies have no troops any more: without ships there is no room for them
    for army in work.cargo(fleet):
        work.remove(army.key)
        names = army.commander_names
        if names:
            work.emit(
                movement.TroopsLeftWithoutUnit(
                    realm=army.realm, place=army.place, troops={}, commanders=names
                )
            )
            work.lose(army, "lost", who=names)


def _abandon_fleet(work: Workspace, fleet: Unit) -> None:
    """Let commanders aboard leave a fleet without ships: ashore in port, else for another own fleet there.

    At sea without such a fleet they stay aboard.
    """
    is_docked = fleet.place in work.world.provinces
    other_fleets = _own_fleets_there(work, fleet)
    for army in work.cargo(fleet):
        if not army.empty and (is_docked or other_fleets):
            _move_cargo(work, fleet, army, army.counts(), None if is_docked else other_fleets[0])


def surplus(
    rules: Rules, armies: Iterable[Unit], too_much: int, host: str
) -> list[tuple[Unit, dict[str, int]]]:
    """Return (army, troops by type) of what must leave a fleet whose cargo is ``too_much`` weight too heavy.

    Troops of other realms than ``host`` go first, then its own, the heaviest first, then the cheapest.
    """

    def order_of_leaving(pair: tuple[Unit, TroopType]) -> tuple[Any, ...]:
        """Return the sort key of the troops of a type in an army: those that leave first have the lowest."""
        army, troop = pair
        return (army.realm == host, -troop.weight, troop.cost, troop.name, army.order)

    aboard = [(army, rules.troops[name]) for army in armies for name in army.troops]
    aboard.sort(key=order_of_leaving)
    surplus_of: dict[str, tuple[Unit, dict[str, int]]] = {}
    for army, troop in aboard:
        if too_much > 0 and troop.weight > 0:
            needed = -(-too_much // troop.weight)  # rounded up
            count = min(army.count(troop.name), needed)
            too_much -= count * troop.weight
            _, leaving = surplus_of.setdefault(army.key, (army, {}))
            leaving[troop.name] = count
    return list(surplus_of.values())


def cargo_room(work: Workspace, fleet: Unit) -> int:
    """Return the weight that a fleet could carry besides its cargo; below 0 if it has too much."""
    return storage(fleet, work.rules) - sum(weight(army, work.rules) for army in work.cargo(fleet))


def _own_fleets_there(work: Workspace, fleet: Unit) -> list[Unit]:
    """Return the other fleets with ships of a fleet's realm at its place."""
    return [
        unit
        for unit in work.at(fleet.place)
        if unit.is_fleet and unit.realm == fleet.realm and unit.key != fleet.key and ships(unit, work.rules)
    ]


def _fitting(rules: Rules, troops: dict[str, int], room: int) -> dict[str, int]:
    """Return as many of these troops, by type, as fit into a room of this weight, in their order."""
    fitting: dict[str, int] = {}
    for name, count in troops.items():
        weight_of_one = rules.troops[name].weight
        number = max(0, min(count, room // weight_of_one))
        if number:
            fitting[name] = number
            room -= number * weight_of_one
    return fitting


def _move_cargo(
    work: Workspace, fleet: Unit, army: Unit, troops: dict[str, int], to: Unit | None = None
) -> None:
    """Move troops, by type, of an army aboard a fleet to the fleet ``to``, or ashore if it is None.

    All troops of the army go with its commanders and stay this army; a part of them becomes a new army.
    """
    aboard = to.key if to else None
    is_whole = troops == army.counts()
    if is_whole:
        work.put(army.evolve(aboard=aboard))
        unit: Unit | None = work.unit(army.key)
    else:
        ranks = {name: army.take(name, count)[1] for name, count in troops.items()}
        unit = set_apart(work, army, UnitKind.ARMY, ranks, aboard=aboard)
    if unit is None:
        return  # the part was lost for lack of a free number
    if to is None:
        mark_landed(work, unit, invasion=work.world.is_enemy_land(army.realm, fleet.place))
    event = movement.CargoMoved if to else movement.CargoPutAshore
    # ``other``: the fleet that takes the troops, or the army that they are ashore
    work.emit(
        event(
            realm=army.realm,
            army=army.key,
            fleet=fleet.key,
            other=(to or unit).key,
            place=fleet.place,
            troops=troops,
            commanders=army.commander_names if is_whole else (),
        )
    )
