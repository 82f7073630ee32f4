"""Armies march (M9), and say whether they stand behind the walls (M10)."""

from __future__ import annotations

from collections.abc import Sequence

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import UnitMarched
from gm.games.medieval.orders.model import Hold, March, SetDefendFortifications
from gm.games.medieval.state import Unit, UnitProgress, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps.acting import acting, at_head, give_up_moves, hold, why_not_hold, why_not_pay
from gm.games.medieval.steps.turn import Outcome, Plans, Refusal, Turn, refuse, settled, unit_orders


@step("Armies March", "M9", "O5", "O6", "O6.1", "P4", "P5")
def armies_march(turn: Turn) -> Outcome:
    """Each army marches into a neighbouring province or holds; all at once: no march changes what may be entered.

    Reads: plans, armies, provinces. Writes: places, move-points used, where from. Emits: UnitMarched, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    marched: list[tuple[UnitMarched, int]] = []
    for unit in acting(turn, plans, March, Hold):
        for index, entry in at_head(plans, unit, March, Hold):
            done = draft.done(unit)
            if done.acted_phase == turn.phase or (isinstance(entry, Hold) and unit.is_fleet):
                break
            if isinstance(entry, Hold):
                refusal = why_not_hold(unit, done, turn.rules)
                plans.settle(unit, index, refusal)
                if refusal is None:
                    hold(draft, unit, turn)
            elif isinstance(entry, March):
                refusal = why_not_march(turn.state, turn.rules, turn.board, unit, done, entry.province)
                if refusal is not None:
                    plans.settle(unit, index, refusal)
                    give_up_moves(plans, unit)
                else:
                    marched.append((_march(draft, turn, unit, entry.province), index))
                break
    _settle_marches(turn, plans, marched)
    return Outcome(plans.world(draft.finish()), (*(march for march, _ in marched), *plans.events))


def _settle_marches(turn: Turn, plans: Plans, marched: Sequence[tuple[UnitMarched, int]]) -> None:
    """Report the marches as done, but for those that meet an enemy at the border: M11 decides how these end."""
    crossing: dict[tuple[str, str], set[str]] = {}
    for march, _ in marched:
        crossing.setdefault((march.origin, march.place), set()).add(march.realm)
    for march, index in marched:
        opposite = crossing.get((march.place, march.origin), ())
        if not any(turn.state.at_war(march.realm, realm) for realm in opposite):
            plans.settle(turn.state.units[march.unit], index)


def march_cost(world: World, rules: Rules, realm: str, province: str) -> int:
    """P4: what it takes to enter a province, as its owner and this turn's history make it."""
    costs = rules.movement
    cost = costs.march_enemy if world.is_enemy_land(realm, province) else costs.march_permitted
    mark = world.progress.provinces.get(province)
    return max(cost, costs.march_changed_owner) if mark is not None and mark.changed_owner else cost


def why_not_march(
    world: World, rules: Rules, board: Atlas, unit: Unit, done: UnitProgress, province: str
) -> Refusal | None:
    """M9: whether the army can march into ``province`` now: border, permission or enemy (P1, P2), move-points (P4)."""
    if unit.is_garrison:
        return refuse("garrison-never-moves")
    if not unit.is_army:
        return refuse("only-armies-march")
    if unit.aboard:
        return refuse("aboard-fleet", fleet=unit.aboard)
    if unit.empty:
        return refuse("unit-empty", unit=unit.key)
    if done.boards is not None:
        return refuse("boarding-army-stays", realm=done.boards)
    if not board.graph.borders(unit.place, province) or board.is_sea(province):
        return refuse("no-border", place=unit.place, other=province)
    if not board.is_open(unit.place, province):
        return refuse("mountains", place=unit.place, other=province)
    if not (world.has_permission(unit.realm, province) or world.is_enemy_land(unit.realm, province)):
        return refuse("no-permission-to-enter", place=province, realm=world.provinces[province].owner)
    return why_not_pay(unit, done, rules, march_cost(world, rules, unit.realm, province))


def _march(draft: Draft, turn: Turn, unit: Unit, province: str) -> UnitMarched:
    done = draft.done(unit)
    draft.move(unit, province)
    draft.mark(
        unit,
        used=done.used + march_cost(turn.state, turn.rules, unit.realm, province),
        acted_phase=turn.phase,
        came_from=unit.place,
        marched_phase=turn.phase,
    )
    return UnitMarched(realm=unit.realm, unit=unit.key, origin=unit.place, place=province)


@step("Defend Fortifications Option Changed", "M10")
def defend_fortifications_changed(turn: Turn) -> Outcome:
    """Armies go behind the walls or come out, as ordered, before the first battles on land; in phase 1 only.

    Reads: orders, armies. Writes: armies. Emits: outcomes.
    """
    if turn.phase != 1:
        return Outcome(turn.state)
    draft = Draft(turn.state)
    events: list[Event] = []
    for realm, order in unit_orders(turn, SetDefendFortifications):
        unit = turn.state.unit(realm, order.unit)
        refusal = why_not_defend(unit, order.unit)
        if refusal is None and unit is not None:
            draft.put(draft.unit(unit.key).evolve(defend_fortifications=order.answer))
        events.append(settled(realm, order, refusal))
    return Outcome(draft.finish(), tuple(events))


def why_not_defend(unit: Unit | None, reference: str) -> Refusal | None:
    """M10: the choice is an army's; garrisons always defend, fleets never."""
    if unit is None:
        return refuse("unit-gone", unit=reference)
    return None if unit.is_army else refuse("only-armies-choose-walls", unit=unit.key)
