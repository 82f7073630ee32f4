"""Provinces change hands, by conquest (M13), gift or cession (L12), and are pillaged (M14)."""

from __future__ import annotations

from collections.abc import Iterator

from gm.core.dice import Dice
from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import (
    ConquestTooWeak,
    GarrisonShipsCaptured,
    GarrisonShipsScuttled,
    HarbourDestroyed,
    ProvinceConquered,
    ProvincePillaged,
)
from gm.games.medieval.orders.model import Pillage, Transfer
from gm.games.medieval.state import INDEPENDENTS, Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import enemy_troops_at, has_fighters, soldiers, total_combat
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.forming import holds_ships, new_unit, settle_garrison, troops_changed, turn_out_of
from gm.games.medieval.steps.movement import find_homeless
from gm.games.medieval.steps.transfers import ABSENT, receiver_of, why_not_transfer
from gm.games.medieval.steps.turn import Outcome, Plans, Refusal, Turn, refuse
from gm.games.medieval.steps.workspace import Ledger, acting


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


@step("Province Ownership Changes", "M13", "M13.1", "M5", "W5")
def province_ownership_changes(turn: Turn) -> Outcome:
    """Where nobody at war with an invader is left, the largest invader takes the province.

    Reads: armies ashore, garrisons, relations, rules.movement. Writes: provinces, garrisons, homeless fleets.
    Emits: ProvinceConquered, ConquestTooWeak, what became of harbour and ships, FleetHomeless, outcomes.
    """
    world, rules = turn.state, turn.rules
    draft, plans = Draft(world), Plans(turn)
    events: list[Event] = []
    lands = world.provinces
    ashore = (army for army in world.of_kind(UnitKind.ARMY) if not army.aboard)
    entered = {unit.place for unit in ashore if unit.realm != lands[unit.place].owner}
    for place in lands:
        # only where somebody else's army is can anybody be an invader
        strength = invaders(world, rules, place) if place in entered else None
        if not strength:
            continue
        realm = largest_invader(turn, place, strength)
        combat, needed = strength[realm][1], rules.movement.conquest_combat
        if combat < needed:
            if _is_news(turn, realm, place):
                events.append(ConquestTooWeak(realm=realm, place=place, needs=needed, has=combat))
            continue
        lost = world.garrison(place)
        if lost is not None:
            # a plan under the garrison's id ends with it; one under the province's name is the next one's too (O8)
            plans.drop(lost.key, refuse("province-lost", place=place))
        events += conquer(draft, rules, turn.board, place, realm, turn.dice)
    after, more = find_homeless(draft.finish(), turn.board, plans, turn.phase)
    return Outcome(plans.world(after), (*events, *more, *plans.events))


def invaders(world: World, rules: Rules, place: str) -> dict[str, tuple[int, int]]:
    """The realms that could take the province: (soldiers and commanders, total combat) of each ashore there.

    None while a soldier or commander at war with one of them is there, also aboard a docked fleet (M13, W13).
    """
    found: dict[str, tuple[int, int]] = {}
    here = world.at(place)
    realms = {unit.realm for unit in here}
    enemies = {realm for realm in realms if realm != INDEPENDENTS and world.is_enemy_land(realm, place)}
    if not enemies:
        return {}  # nearly all places: no need to count who is there
    fighters = [unit for unit in here if has_fighters(unit, rules)]
    for unit in fighters:
        if unit.realm in enemies and not unit.aboard:
            count, combat = found.get(unit.realm, (0, 0))
            heads = soldiers(unit, rules) + len(unit.commanders)
            found[unit.realm] = (count + heads, combat + total_combat(unit, rules))
    present = dict.fromkeys(unit.realm for unit in fighters)
    if any(world.hostile(realm, other, place) for realm in found for other in present):
        return {}
    return found


def largest_invader(turn: Turn, place: str, strength: dict[str, tuple[int, int]]) -> str:
    """M13: most soldiers and commanders, quality aside; then the greater total combat, then a draw."""
    best = max(strength.values())
    equal = sorted(realm for realm, figures in strength.items() if figures == best)
    return equal[0] if len(equal) == 1 else turn.dice(place, "largest invader").choice(equal)


def _is_news(turn: Turn, realm: str, place: str) -> bool:
    """Whether to tell of an invader who is too weak: once, and again when more of his armies arrive."""
    arrived = {turn.state.done(unit).marched_phase for unit in turn.state.at(place) if unit.realm == realm}
    landed = {turn.state.done(unit).landed_phase for unit in turn.state.at(place) if unit.realm == realm}
    return turn.phase == 1 or turn.phase in arrived | landed


@step("Provinces Are Pillaged", "M14", "P7", "P8", "O6")
def provinces_pillaged(turn: Turn) -> Outcome:
    """Armies and garrisons seize the revenue of the province where they stand, at its present damage.

    Reads: plans, units, provinces, rules.movement. Writes: treasuries, pillage marks, move-points.
    Emits: ProvincePillaged, TreasuryChanged, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    events: list[Event] = []
    ledger = Ledger(turn.state, events)
    pillaged = {name for name, mark in turn.state.progress.provinces.items() if mark.pillaged}
    for unit in acting(turn, plans, Pillage, Transfer):
        for index in _pillage_entries(turn, plans, draft, unit):
            refusal = why_not_pillage(turn.state, turn.rules, unit, already=unit.place in pillaged)
            plans.settle(unit, index, refusal)
            if refusal is None:
                pillaged.add(unit.place)
                owner = turn.state.provinces[unit.place].owner
                events.append(ProvincePillaged(realm=unit.realm, unit=unit.key, owner=owner, place=unit.place))
                _pillage(turn, draft, ledger, unit)
    return Outcome(plans.world(ledger.world(draft.finish())), (*events, *plans.events))


def _pillage_entries(turn: Turn, plans: Plans, draft: Draft, unit: Unit) -> Iterator[int]:
    """The pillage entries whose turn it is: a transfer before them lets them pass while it has to wait (O6)."""
    for index, entry in plans.left(unit):
        if isinstance(entry, Pillage):
            yield index
            continue
        if not isinstance(entry, Transfer):
            return
        refusal = why_not_transfer(turn.state, unit, receiver_of(draft, unit, entry.receiver), entry.receiver)
        if refusal is None or refusal.reason not in ABSENT:
            return


def why_not_pillage(world: World, rules: Rules, unit: Unit, *, already: bool) -> Refusal | None:
    """M14: army ashore or garrison, strong enough, nobody at war there, once a province and turn (``already``)."""
    if unit.is_fleet:
        return refuse("fleets-never-pillage")
    if unit.aboard:
        return refuse("aboard-fleet", fleet=unit.aboard)
    if already:
        return refuse("already-pillaged", place=unit.place)
    needs, has = rules.movement.pillage_combat, total_combat(unit, rules)
    if has < needs:
        return refuse("too-weak-to-pillage", needs=needs, has=has)
    if enemy_troops_at(world, rules, unit.realm, unit.place):
        return refuse("enemy-troops-prevent-pillage", place=unit.place)
    return None


def _pillage(turn: Turn, draft: Draft, ledger: Ledger, unit: Unit) -> None:
    land = turn.state.provinces[unit.place]
    gold = province_revenue(land, turn.board, turn.rules)
    ledger.change(unit.realm, gold, "pillage", unit.place)
    draft.mark(unit, spent=True)
    draft.mark_province(unit.place, pillaged=True)
