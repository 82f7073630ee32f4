"""Before, between and after the rulebook's events: what the turn must remember of itself."""

from __future__ import annotations

from gm.games.medieval.orders.model import Transfer
from gm.games.medieval.state import ProvinceProgress, TurnProgress, Unit, UnitProgress
from gm.games.medieval.turn import Outcome, Plans, Turn, refuse
from gm.kernel.pipeline import step


@step("Turn Opens", "W9")
def turn_opens(turn: Turn) -> Outcome:
    """Start the turn's progress: owners and relations as they are now."""
    world = turn.state
    marks = {
        name: ProvinceProgress(owner_at_start=province.owner, owner_last_phase=province.owner)
        for name, province in world.provinces.items()
    }
    return Outcome(
        world.evolve(
            progress=TurnProgress(
                units=dict.fromkeys(world.units, UnitProgress()),
                provinces=marks,
                wars=world.wars,
                alliances=world.alliances,
            )
        )
    )


@step("Phase Opens", "M0")
def phase_opens(turn: Turn) -> Outcome:
    """Remember who owned what at the end of the previous phase (P7, B2, B3)."""
    world = turn.state
    marks = {
        name: mark.evolve(owner_last_phase=world.provinces[name].owner)
        for name, mark in world.progress.provinces.items()
    }
    return Outcome(world.evolve(progress=world.progress.evolve(provinces=marks)))


def something_left_to_do(turn: Turn) -> bool:
    """M0: whether any unit has something left to do in another phase.

    A plan of waiting transfers only does not prolong the phases (O6), nor do the plans of armies aboard, who wait for
    their fleet, or of units that retreated. A homeless fleet has to flee (M5).
    """
    plans = Plans(turn)
    return any(_has_something_left(turn, plans, unit) for unit in turn.state.units.values())


def _has_something_left(turn: Turn, plans: Plans, unit: Unit) -> bool:
    done = turn.state.done(unit)
    if done.homeless_phase is not None:
        return True
    if done.retreated or unit.aboard:
        return False
    return any(not isinstance(entry, Transfer) for _, entry in plans.left(unit))


@step("Movement Events End", "O2", "O6")
def movement_ends(turn: Turn) -> Outcome:
    """Settle what is left of every plan: an entry that was never reached failed."""
    plans = Plans(turn)
    for name in plans.names():
        plans.drop(name, refuse("never-reached"))
    return Outcome(plans.world(turn.state), tuple(plans.events))


@step("Turn Closes", "W6.1")
def turn_closes(turn: Turn) -> Outcome:
    """Empty armies and fleets vanish, their numbers are free again, and the turn's progress is forgotten."""
    world = turn.state
    gone = [unit.key for unit in world.units.values() if unit.empty and not unit.is_garrison]
    return Outcome(world.with_units(removed=gone).evolve(turn=turn.number, progress=TurnProgress()))
