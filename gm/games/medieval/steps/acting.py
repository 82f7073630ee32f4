"""Which units carry out which entries of their plans at a step (O5, O6, O6.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Hold, March, Order, Pillage, Sail, Transfer
from gm.games.medieval.state import Unit, UnitProgress
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import move_points_left
from gm.games.medieval.steps.turn import Plans, Refusal, Turn, refuse

EntryT = TypeVar("EntryT", bound=Order)

MOVES = (March, Sail, Hold)
"""At most one of these a phase (O5); one that fails takes the others with it (O6)."""

LASTING = (Transfer, Pillage)
"""What may stand behind a waiting transfer (O6)."""


def acting(turn: Turn, plans: Plans, *kinds: type[Order], aboard: bool = False) -> Iterator[Unit]:
    """The units whose plan comes to an entry of these kinds now, in the order of W12.

    Found before the first of them acts: a step deals with entries of the unit that acts and with no other's.
    Not those that retreated (P7), nor armies aboard unless ``aboard``: their entries wait for the landing (M3).
    """
    done = turn.state.done
    for unit in plans.at_head(turn.state, *kinds):
        if (aboard or not unit.aboard) and not done(unit).retreated:
            yield unit


def at_head(plans: Plans, unit: Unit, *kinds: type[EntryT]) -> Iterator[tuple[int, EntryT]]:
    """The entries of these kinds at the head of a unit's plan, one after the other (O5)."""
    for index, entry in plans.left(unit):
        if not isinstance(entry, kinds):
            return
        yield index, entry


def may_wait(plans: Plans, unit: Unit) -> dict[int, bool]:
    """For each entry left, by index: whether only transfers and pillage come after it (O6)."""
    found: dict[int, bool] = {}
    lasting = True
    for index, entry in reversed(plans.left(unit)):
        found[index] = lasting
        lasting = lasting and isinstance(entry, LASTING)
    return found


def why_not_pay(unit: Unit, done: UnitProgress, rules: Rules, cost: int) -> Refusal | None:
    """Whether the unit has the move-points for something (P3-P5); what costs nothing needs none."""
    has = move_points_left(unit, done, rules)
    return refuse("needs-move-points", needs=cost, has=has) if cost > has else None


def why_not_hold(unit: Unit, done: UnitProgress, rules: Rules) -> Refusal | None:
    """P5: garrisons do not move, so they cannot hold; else the hold must be free or paid for."""
    if unit.is_garrison:
        return refuse("garrison-never-moves")
    has, needs = move_points_left(unit, done, rules), hold_cost(done, rules)
    return refuse("hold-needs-move-points", needs=needs, has=has) if needs > has else None


def hold_cost(done: UnitProgress, rules: Rules) -> int:
    """P5: the first holds of a turn are free."""
    return 0 if done.holds < rules.movement.free_holds else rules.movement.hold


def hold(draft: Draft, unit: Unit, turn: Turn) -> None:
    """P5, O6.1: stay for this phase; fleets do so at M4, armies at M9."""
    done = draft.done(unit)
    used = done.used + hold_cost(done, turn.rules)
    draft.mark(unit, used=used, holds=done.holds + 1, acted_phase=turn.phase)


def give_up_moves(plans: Plans, unit: Unit) -> None:
    """O6: after a failed march or sail the unit's other march, sail and hold entries are dropped."""
    plans.drop(unit, refuse("earlier-move-failed"), *MOVES)
