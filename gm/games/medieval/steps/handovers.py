"""A transfer while it is carried out: what can go to the receiver now, and what has gone already (F8, M1)."""

from typing import Any

from gm.games.medieval.events import movement
from gm.games.medieval.orders.model import Transfer
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.turn import Workspace
from gm.games.medieval.steps.units import holds_ships


class Handover:
    """A transfer between two units in one place.

    ``go`` is called again and again: troops that the giver lacks at first may come to it by another transfer.
    """

    def __init__(self, work: Workspace, giver: Unit, order: Transfer, receiver: Unit) -> None:
        """Begin a transfer: nothing of it has gone yet."""
        self._work = work
        self._order = order
        self._giver_key = giver.key
        self._receiver_key = receiver.key
        # what has gone so far: troops by type, names of commanders
        self._troops_gone = dict.fromkeys(order.troops, 0)
        self._commanders_gone: list[str] = []

    @property
    def moved(self) -> bool:
        """Whether anything was transferred."""
        return bool(self._commanders_gone) or any(self._troops_gone.values())

    @property
    def complete(self) -> bool:
        """Whether all troops and commanders that were ordered went over."""
        all_commanders = [*dict.fromkeys(self._order.commanders)]  # each name once
        return self._commanders_gone == all_commanders and self._troops_gone == dict(self._order.troops)

    def go(self) -> bool:
        """Transfer as much of what has not gone yet as the giver has and the receiver can take now.

        Return whether anything went.
        """
        work = self._work
        giver = work.unit(self._giver_key)
        receiver = work.unit(self._receiver_key)
        troops: dict[str, int] = {}
        for troop, count in self._order.troops.items():
            available = min(giver.count(troop), count - self._troops_gone[troop])
            if available and why_not_take(work, receiver, troop) is None:
                troops[troop] = available
        waiting = [
            name for name in dict.fromkeys(self._order.commanders) if name not in self._commanders_gone
        ]
        commanders = [name for name in waiting if _why_not_send(work, giver, receiver, name) is None]
        if not troops and not commanders:
            return False
        _transfer(work, giver, receiver, troops, commanders)
        for troop, count in troops.items():
            self._troops_gone[troop] += count
        self._commanders_gone += commanders
        return True

    def why_incomplete(self) -> Refusal | None:
        """Return why part of the order was not transferred; None if all went over.

        Of several reasons it is the first, in the order of the troops and then of the commanders as written.
        """
        work = self._work
        giver = work.unit(self._giver_key)
        receiver = work.unit(self._receiver_key)
        if not self._order.troops and not self._order.commanders:
            return refuse("nothing-to-transfer")
        for troop, count in self._order.troops.items():
            refusal = why_not_take(work, receiver, troop)
            if refusal:
                return refusal
            has = self._troops_gone[troop]
            if has < count:
                return refuse("has-fewer-troops", troop=troop, needs=count, has=has)
        waiting = (name for name in self._order.commanders if name not in self._commanders_gone)
        refusals = (_why_not_send(work, giver, receiver, name) for name in waiting)
        return next((refusal for refusal in refusals if refusal is not None), None)


def why_not_take(work: Workspace, receiver: Unit, troop: str) -> Refusal | None:
    """Return why a unit cannot have troops of a type (W5); None if it can.

    Soldiers are in armies and garrisons, ships in fleets and in garrisons with a city and a harbour.
    """
    ship = work.rules.troops[troop].ship
    if ship and receiver.is_army:
        return refuse("ships-not-in-armies", troop=troop)
    if not ship and receiver.is_fleet:
        return refuse("soldiers-not-in-fleets", troop=troop)
    if ship and receiver.is_garrison and not holds_ships(work.world.provinces[receiver.place], work.board):
        return refuse("garrison-has-no-harbour", troop=troop, place=receiver.place)
    return None


def _why_not_send(work: Workspace, giver: Unit, receiver: Unit, commander: str) -> Refusal | None:
    """Return why a commander, by name, cannot go from giver to receiver; None if they can."""
    if all(other.name != commander for other in giver.commanders):
        return refuse("commander-elsewhere", commander=commander)
    if giver.realm != receiver.realm:
        units_of_receiver = (work.unit(unit.key) for unit in work.world.of_realm(receiver.realm))
        if any(other.name == commander for unit in units_of_receiver for other in unit.commanders):
            return refuse("receiver-has-commander", commander=commander, realm=receiver.realm)
    return None


def _transfer(
    work: Workspace, giver: Unit, receiver: Unit, troops: dict[str, int], commanders: list[str]
) -> None:
    """Transfer troops, by type, and commanders, by name; troops keep their ranks (W6).

    The receiver has then used at least as many move-points as the giver (P6).
    """
    for troop, count in troops.items():
        giver, ranks = giver.take(troop, count)
        receiver = receiver.add(troop, ranks)
    for name in commanders:
        giver, commander = giver.without_commander(name)
        receiver = receiver.evolve(commanders=(*receiver.commanders, commander))
    work.put(giver)
    work.put(receiver)
    giver_progress = work.done(giver)
    receiver_progress = work.done(receiver)
    work.set_progress(
        receiver,
        used=max(giver_progress.used, receiver_progress.used),
        spent=giver_progress.spent or receiver_progress.spent,
    )
    fields: dict[str, Any] = {"place": giver.place, "troops": troops, "commanders": tuple(commanders)}
    fields["other"] = None if giver.realm == receiver.realm else receiver.realm
    work.emit(movement.TroopsTransferred(realm=giver.realm, giver=giver.key, receiver=receiver.key, **fields))
    # within a realm nothing is lost or gained
    if giver.realm != receiver.realm:
        work.lose(giver, "given", troops)
        work.gain(receiver, "received", troops)
        work.lose(giver, "given", who=commanders)
        work.gain(receiver, "received", who=commanders)
