"""Transfers of troops between units (F8, M1), and surplus cargo (M7).

Giver and receiver are in one place; from a fleet without room troops go to another fleet, ashore or
overboard.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import movement
from gm.games.medieval.orders.model import Pillage, Transfer
from gm.games.medieval.state import Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import ships, storage, weight
from gm.games.medieval.steps.administration import leaders_come
from gm.games.medieval.steps.handovers import Handover
from gm.games.medieval.steps.loading import mark_landed
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.turn import Plans, Workspace, step
from gm.games.medieval.steps.units import set_apart

# the reasons for which a transfer may wait (O6)
ABSENT = frozenset({"no-such-receiver", "receiver-elsewhere"})


@step("Same Location Transfers Occur", "F8", "F7", "O6", "P6")
def same_location_transfers(work: Workspace) -> None:
    """Carry out transfers at the head of plans, before any movement, if the receiver is in the same place.

    Reads: plans, units. Writes: units, their move-points used. Emits: TroopsTransferred, the ledger,
    outcomes, also of the choice of leaders who have now come.
    """
    _transfers(work, all_wait=True)


@step("Transfers Happen", "M1", "F7", "O6", "P6")
def transfers_happen(work: Workspace) -> None:
    """Carry out transfers, in every phase alike.

    A transfer that waits for its receiver may do so before transfers and pillage only.
    """
    _transfers(work, all_wait=False)


def _transfers(work: Workspace, *, all_wait: bool) -> None:
    """Transfer at once what each giver has, givers in the order of W12.

    The rest goes in later passes, until one moves nothing: so unit numbers do not decide whether a unit may
    pass on what it received.
    """
    handovers: list[Handover] = []
    fates: list[tuple[Unit, int, Refusal | Handover]] = []
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
            work.plans.settle(unit, index, fate.short(), reduced=fate.moved)
        else:
            work.plans.settle(unit, index, fate)
    leaders_come(work, work.plans.events)


def _hand_over(handovers: list[Handover]) -> None:
    while handovers:
        results = [handover.go() for handover in handovers]
        handovers = [handover for handover in handovers if not handover.complete] if any(results) else []


def may_wait(plans: Plans, unit: Unit) -> dict[int, bool]:
    """Return, for each entry left by its index, whether only transfers and pillage come after it (O6)."""
    lasting_by_index = dict[int, bool]()
    lasting = True
    for index, entry in reversed(plans.left(unit)):
        lasting_by_index[index] = lasting
        lasting = lasting and isinstance(entry, Transfer | Pillage)
    return lasting_by_index


def receiver_of(draft: Draft, giver: Unit, reference: str) -> Unit | None:
    """Return the unit meant: an own one by id, a garrison by its province, another realm's as ``AQU/A3``.

    None if there is none.
    """
    realm, _, name = reference.rpartition("/")
    return draft.own(realm or giver.realm, name)


def why_not_transfer(world: World, giver: Unit, receiver: Unit | None, reference: str) -> Refusal | None:
    """Return why a transfer is impossible: the receiver exists, is another unit, here, and accepts (M1).

    Reasons in ``ABSENT`` may vanish later, others are final.
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
    """Let overloaded fleets lose the surplus; in port it goes ashore where its realm may be.

    Reads: fleets, armies aboard. Writes: armies. Emits: CargoMoved, CargoPutAshore, CargoOverboard, the
    ledger.
    """
    laden = {unit.aboard for unit in work.world.units.values() if unit.aboard}
    for key in work.world.units:
        if key in laden:
            settle_cargo(work, work.unit(key))


def settle_cargo(work: Workspace, fleet: Unit) -> None:
    """Reduce the cargo of ``fleet`` to its room (M7).

    Commanders weigh nothing, but leave a fleet without ships.
    """
    for army, taken in surplus(work.rules, work.cargo(fleet), -cargo_room(work, fleet), fleet.realm):
        if fleet.place in work.world.provinces and work.world.has_permission(army.realm, fleet.place):
            _moved(work, fleet, army, taken)
            continue
        surplus_left = dict(taken)
        for other in _own_fleets_there(work, fleet):
            fits = dict(_fitting(work.rules, surplus_left, cargo_room(work, other)))
            if fits:
                surplus_left = {
                    name: count - fits.get(name, 0)
                    for name, count in surplus_left.items()
                    if count > fits.get(name, 0)
                }
                _moved(work, fleet, work.unit(army.key), fits, other)
        if surplus_left:
            overboard = work.unit(army.key)
            for name, count in surplus_left.items():
                overboard, _ = overboard.take(name, count)
            work.put(overboard)
            lost: dict[str, Any] = {
                "realm": army.realm,
                "army": army.key,
                "fleet": fleet.key,
                "place": fleet.place,
            }
            work.emit(movement.CargoOverboard(**lost, troops=surplus_left))
            work.lose(army, "overboard", surplus_left)
    if not ships(fleet, work.rules):
        _abandon_fleet(work, fleet)


def leave_vanishing_fleet(work: Workspace, fleet: Unit) -> None:
    """Move all cargo off a fleet that is about to be removed, as at M7.

    Commanders, who stay aboard at M7, are lost with it.
    """
    settle_cargo(work, fleet)
    for army in work.cargo(fleet):
        work.remove(army.key)
        names = army.commander_names
        if names:  # else it was empty already: nobody is lost
            work.emit(
                movement.TroopsLeftWithoutUnit(
                    realm=army.realm, place=army.place, troops={}, commanders=names
                )
            )
            work.lose(army, "lost", who=names)


def _abandon_fleet(work: Workspace, fleet: Unit) -> None:
    """Let commanders without troops leave a fleet without ships: ashore in port, else for a fleet there."""
    ashore = fleet.place in work.world.provinces
    other_fleets = _own_fleets_there(work, fleet)
    for army in work.cargo(fleet):
        if not army.empty and (ashore or other_fleets):
            _moved(work, fleet, army, army.counts(), None if ashore else other_fleets[0])


def surplus(
    rules: Rules, armies: Iterable[Unit], too_much: int, host: str
) -> list[tuple[Unit, dict[str, int]]]:
    """Return the surplus, army by army.

    Troops foreign to ``host`` go first, then own, heaviest first, then cheapest.
    """
    aboard = [(army, rules.troops[name]) for army in armies for name in army.troops]
    aboard.sort(
        key=lambda pair: (pair[0].realm == host, -pair[1].weight, pair[1].cost, pair[1].name, pair[0].order)
    )
    surplus_of: dict[str, tuple[Unit, dict[str, int]]] = {}
    for army, troop in aboard:
        if too_much > 0 and troop.weight > 0:
            count = min(army.count(troop.name), -(-too_much // troop.weight))
            too_much -= count * troop.weight
            surplus_of.setdefault(army.key, (army, {}))[1][troop.name] = count
    return list(surplus_of.values())


def cargo_room(work: Workspace, fleet: Unit) -> int:
    """Return the weight that the fleet could carry besides its cargo; below 0 for a surplus."""
    return storage(fleet, work.rules) - sum(weight(army, work.rules) for army in work.cargo(fleet))


def _own_fleets_there(work: Workspace, fleet: Unit) -> list[Unit]:
    return [
        unit
        for unit in work.at(fleet.place)
        if unit.is_fleet and unit.realm == fleet.realm and unit.key != fleet.key and ships(unit, work.rules)
    ]


def _fitting(rules: Rules, troops: dict[str, int], room: int) -> Iterator[tuple[str, int]]:
    """Yield the troops that fit into ``room``, a weight, type by type with their number."""
    for name, count in troops.items():
        heavy = rules.troops[name].weight
        fitting = max(0, min(count, room // heavy))
        if fitting:
            yield name, fitting
            room -= fitting * heavy


def _moved(work: Workspace, fleet: Unit, army: Unit, troops: dict[str, int], to: Unit | None = None) -> None:
    """Move troops from a fleet to another, or ashore: a whole army as itself, else as a new one."""
    aboard = to.key if to else None
    whole = troops == army.counts()
    if whole:
        work.put(army.evolve(aboard=aboard))
        unit: Unit | None = work.unit(army.key)
    else:
        ranks = {name: army.take(name, count)[1] for name, count in troops.items()}
        unit = set_apart(work, army, UnitKind.ARMY, ranks, aboard=aboard)
    if unit is None:
        return
    if to is None:
        mark_landed(work, unit, invasion=work.world.is_enemy_land(army.realm, fleet.place))
    fields: dict[str, Any] = {
        "troops": troops,
        "commanders": army.commander_names if whole else (),
        "place": fleet.place,
    }
    moved = movement.CargoMoved if to else movement.CargoPutAshore
    work.emit(moved(realm=army.realm, army=army.key, fleet=fleet.key, other=(to or unit).key, **fields))
