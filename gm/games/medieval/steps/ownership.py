"""A province gets another owner: by conquest (M13.1), by gift or by cession (L12)."""

from __future__ import annotations

from gm.core.dice import Dice
from gm.core.events import Event
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import (
    GarrisonShipsCaptured,
    GarrisonShipsScuttled,
    HarbourDestroyed,
    ProvinceConquered,
)
from gm.games.medieval.state import Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps.forming import new_unit, troops_changed
from gm.games.medieval.steps.garrisons import holds_ships, settle_garrison, turn_out_of


def change_owner(
    world: World, rules: Rules, board: Atlas, province: str, owner: str
) -> tuple[World, tuple[Event, ...]]:
    """Give a province to ``owner`` in peace (L12): a realm, or the independents when it is ceded.

    Annexation, fortification and harbour stay; special permissions, the old owner's word, end. What was in the old
    garrison forms a new army and fleet of the old owner. The caller says so: only the turned-out troops are reported.
    """
    draft = Draft(world)
    events = hand_over(draft, rules, board, province, owner)
    return draft.finish(), events


def hand_over(draft: Draft, rules: Rules, board: Atlas, province: str, owner: str) -> tuple[Event, ...]:
    """:func:`change_owner` within a draft."""
    garrison = draft.garrison(province)
    events = turn_out_of(draft, rules, garrison) if garrison is not None else ()
    _new_owner(draft, province, owner)
    settle_garrison(draft, rules, board, province)
    return events


def conquer(draft: Draft, rules: Rules, board: Atlas, province: str, conqueror: str, dice: Dice) -> tuple[Event, ...]:
    """Give a province to its conqueror (M13.1): harbour rolled first, then the garrison's ships, then a new garrison.

    Fleets that lose their anchorage by it are the caller's business (M5).
    """
    former = draft.province(province).owner
    events: list[Event] = [ProvinceConquered(realm=conqueror, former=former, place=province)]
    _new_owner(draft, province, conqueror)
    draft.mark_province(province, conquered=True)
    land = draft.province(province)
    destroyed_percent = rules.movement.harbour_destroyed_percent
    if land.harbour and dice(province, "harbour destroyed").percent(destroyed_percent):
        draft.put_province(land.evolve(harbour=False))
        events.append(HarbourDestroyed(place=province))
    lost = draft.garrison(province)
    captured: dict[str, int] = {}
    if lost is not None:
        # no soldier is left where a conqueror stands, unless he had no quarrel with them: then they keep their arms
        events += turn_out_of(draft, rules, lost, ships=False)
        captured, more = _ships_lost(draft, rules, draft.unit(lost.key), dice)
        events += more
    garrison = settle_garrison(draft, rules, board, province)
    if captured and lost is not None:
        events += _ships_won(draft, rules, board, lost, conqueror, garrison, captured)
    return tuple(events)


def _new_owner(draft: Draft, province: str, owner: str) -> None:
    land = draft.province(province)
    # L7: back with the realm that it is annexed to, the annexation is whole again
    turns_away = 0 if land.annexed_to == owner else land.turns_away
    draft.put_province(land.evolve(owner=owner, permissions=frozenset(), turns_away=turns_away), changed_owner=True)


def _ships_lost(draft: Draft, rules: Rules, garrison: Unit, dice: Dice) -> tuple[dict[str, int], tuple[Event, ...]]:
    """Every ship of a lost garrison is captured with its chance or goes down; gives the captured ones."""
    captured: dict[str, int] = {}
    scuttled: dict[str, int] = {}
    rolls = dice(garrison.place, "garrison ships captured")
    for name in garrison.troops:
        for _ in range(garrison.count(name)):
            fate = captured if rolls.percent(rules.troops[name].capture_chance) else scuttled
            fate[name] = fate.get(name, 0) + 1
    draft.put(garrison.with_troops({}))
    events: list[Event] = [*troops_changed(garrison, scuttled, "scuttled", gained=False)]
    if scuttled:
        sunk = GarrisonShipsScuttled(realm=garrison.realm, place=garrison.place, troops=scuttled)
        events.insert(0, sunk)
    return captured, (*events, *troops_changed(garrison, captured, "captured", gained=False))


def _ships_won(
    draft: Draft,
    rules: Rules,
    board: Atlas,
    lost: Unit,
    conqueror: str,
    garrison: Unit | None,
    captured: dict[str, int],
) -> tuple[Event, ...]:
    """Put captured ships into the new garrison, or into a new fleet when the harbour is gone (rank 1, W6)."""
    unit = garrison
    if unit is None or not holds_ships(draft.province(lost.place), board):
        unit = new_unit(draft, rules, conqueror, UnitKind.FLEET, lost.place)
    if unit is None:
        return ()  # nobody to man them: they are lost like the others
    for name, count in captured.items():
        unit = unit.add(name, (count, 0, 0, 0, 0))
    draft.put(unit)
    draft.mark(unit)
    report = GarrisonShipsCaptured(realm=conqueror, former=lost.realm, unit=unit.key, place=lost.place, troops=captured)
    return (report, *troops_changed(unit, captured, "captured", gained=True))
