"""Provinces change hands (M13) and are pillaged (M14)."""

from __future__ import annotations

from collections.abc import Iterator

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import ConquestTooWeak, ProvincePillaged
from gm.games.medieval.orders.model import Pillage, Transfer
from gm.games.medieval.state import INDEPENDENTS, Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import enemy_troops_at, has_fighters, soldiers, total_combat
from gm.games.medieval.state.treasury import Ledger
from gm.games.medieval.steps.acting import acting
from gm.games.medieval.steps.ownership import conquer
from gm.games.medieval.steps.revenue import province_revenue
from gm.games.medieval.steps.sailing import find_homeless
from gm.games.medieval.steps.transfers import ABSENT, receiver_of, why_not_transfer
from gm.games.medieval.steps.turn import Outcome, Plans, Refusal, Turn, refuse


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
