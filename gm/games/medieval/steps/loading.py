"""Armies go aboard (M2, M3) and ashore: with permission they land, on enemy land they fight for the beach (M8)."""

from __future__ import annotations

from dataclasses import dataclass, field

from gm.core.events import Event
from gm.core.pipeline import step
from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import (
    ArmyLoaded,
    ArmyReadyToBoard,
    ArmyUnloaded,
    LandingFailed,
    LandingSucceeded,
)
from gm.games.medieval.orders.model import Board, Load, Unload
from gm.games.medieval.state import Unit, UnitProgress, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import ships, storage, total_combat, weight
from gm.games.medieval.steps.turn import Outcome, Plans, Refusal, Turn, refuse
from gm.games.medieval.steps.workspace import acting, at_head


@step("Armies Prepare To Board Foreign Fleets", "M2", "P7")
def armies_prepare_to_board(turn: Turn) -> Outcome:
    """An army names the realm whose fleet may load it this turn; it marches no more.

    Reads: plans, armies. Writes: their progress. Emits: ArmyReadyToBoard, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    events: list[Event] = []
    for unit in acting(turn, plans, Board):
        for index, entry in at_head(plans, unit, Board):
            refusal = why_not_board(turn.state, unit, entry.other)
            plans.settle(unit, index, refusal)
            if refusal is None:
                draft.mark(unit, boards=entry.other, spent=True)
                ready = ArmyReadyToBoard(realm=unit.realm, army=unit.key, host=entry.other, place=unit.place)
                events.append(ready)
    return Outcome(plans.world(draft.finish()), (*events, *plans.events))


def why_not_board(world: World, unit: Unit, host: str) -> Refusal | None:
    """M2: armies only, for a foreign realm that is not an enemy."""
    if not unit.is_army:
        return refuse("only-armies-board")
    if host == unit.realm or host not in world.realms:
        return refuse("board-foreign-realm", realm=host)
    if world.at_war(unit.realm, host):
        return refuse("board-enemy-fleet", realm=host)
    return None


@step("Fleets Load Armies", "M3", "M8.1", "P7")
def fleets_load_armies(turn: Turn) -> Outcome:
    """Fleets take armies aboard, from where they are docked or over an open coast; no harbour needed.

    Reads: plans, units, rules.movement. Writes: armies (aboard, move-points gone), fleets' progress.
    Emits: ArmyLoaded, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    events: list[Event] = []
    for fleet in acting(turn, plans, Load):
        before, loaded = turn.state.done(fleet), False
        for index, entry in at_head(plans, fleet, Load):
            refusals = []
            for reference in entry.armies:
                army = _army(draft, fleet, reference)
                if army is None:
                    refusals.append(refuse("no-such-army", army=reference))
                    continue
                done = draft.done(army)
                refusal = why_not_load(turn.state, turn.rules, turn.board, fleet, before, army, done)
                if refusal is None:
                    events.append(_load(draft, fleet, army))
                    loaded = True
                else:
                    refusals.append(refusal)
            plans.settle(fleet, index, refusals[0] if refusals else None, reduced=len(refusals) < len(entry.armies))
        if loaded and before.unloads:
            draft.mark(fleet, loads_after_unload=before.loads_after_unload + 1)
    return Outcome(plans.world(draft.finish()), (*events, *plans.events))


def _army(draft: Draft, fleet: Unit, reference: str) -> Unit | None:
    return draft.get(reference if "/" in reference else f"{fleet.realm}/{reference}")


def why_not_load(
    world: World,
    rules: Rules,
    board: Atlas,
    fleet: Unit,
    fleet_done: UnitProgress,
    army: Unit,
    army_done: UnitProgress,
) -> Refusal | None:
    """M3, M8.1: whether the fleet can take the army aboard now."""
    if not fleet.is_fleet:
        return refuse("only-fleets-load")
    if not army.is_army:
        return refuse("no-such-army", army=army.key)
    if fleet_done.loads_after_unload:
        return refuse("loaded-after-unloading", army=army.key)
    if not ships(fleet, rules):
        return refuse("fleet-without-ships", fleet=fleet.key)
    return _why_not_aboard(world, fleet, army, army_done) or _why_no_way_aboard(rules, board, fleet, army)


def _why_not_aboard(world: World, fleet: Unit, army: Unit, done: UnitProgress) -> Refusal | None:
    if army.aboard:
        return refuse("army-already-aboard", army=army.key, fleet=army.aboard)
    if done.retreated:
        return refuse("army-retreated", army=army.key)
    if army.empty:
        return refuse("army-empty", army=army.key)
    if world.at_war(fleet.realm, army.realm):
        return refuse("army-of-enemy", army=army.key, realm=army.realm)
    if army.realm != fleet.realm and done.boards != fleet.realm:
        return refuse("army-not-prepared", army=army.key)
    return None


def _why_no_way_aboard(rules: Rules, board: Atlas, fleet: Unit, army: Unit) -> Refusal | None:
    if army.place != fleet.place:
        if not board.graph.borders(fleet.place, army.place) or not board.is_sea(fleet.place):
            return refuse("army-out-of-reach", army=army.key, place=army.place)
        if not board.is_open(fleet.place, army.place):
            return refuse("reefs", place=army.place, other=fleet.place)
    needs, has = weight(army, rules), storage(fleet, rules)
    percent = rules.movement.load_weight_percent
    if needs * 100 > has * percent:
        return refuse("army-too-heavy", army=army.key, needs=needs, has=has, percent=percent)
    return None


def _load(draft: Draft, fleet: Unit, army: Unit) -> ArmyLoaded:
    draft.put(army.evolve(aboard=fleet.key, place=fleet.place))
    draft.mark(army, spent=True)
    return ArmyLoaded(realm=army.realm, army=army.key, fleet=fleet.key, place=army.place, sea=fleet.place)


CERTAIN = 100
"""Percent: a chance is never more (M8)."""


@dataclass(slots=True)
class _Entry:
    """An unload entry being carried out: how many armies it names, and why some of them stay aboard."""

    fleet: Unit
    index: int
    armies: int
    refusals: list[Refusal] = field(default_factory=list)


@record
class _Landing(Record):
    army: Unit
    place: str
    invasion: bool
    entry: _Entry


@step("All Armies Unloaded Onto Provinces", "M8", "M8.1", "P7")
def armies_unloaded(turn: Turn) -> Outcome:
    """Fleets put armies ashore; each realm rolls once for each enemy province on which it lands.

    Reads: plans, fleets, armies aboard, provinces. Writes: armies' places, move-points of both.
    Emits: LandingSucceeded, LandingFailed, ArmyUnloaded, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    entries, landings = _landings(turn, plans)
    failed, events = _rolls(turn, landings)
    landed: dict[str, None] = {}
    for landing in landings:
        chance = failed.get((landing.army.realm, landing.place)) if landing.invasion else None
        if chance is not None:
            refusal = refuse("landing-failed", army=landing.army.key, place=landing.place, chance=chance)
            landing.entry.refusals.append(refusal)
        else:
            landed[landing.entry.fleet.key] = None
            events.append(_land(draft, turn, landing))
    for key in landed:
        draft.mark(key, spent=True, unloads=draft.done(key).unloads + 1)
    for entry in entries:
        short = entry.refusals[0] if entry.refusals else None
        plans.settle(entry.fleet, entry.index, short, reduced=len(entry.refusals) < entry.armies)
    return Outcome(plans.world(draft.finish()), (*events, *plans.events))


def _landings(turn: Turn, plans: Plans) -> tuple[list[_Entry], list[_Landing]]:
    """Every unload entry whose time has come, and the landings in them that are possible, before any roll."""
    world = turn.state
    entries: list[_Entry] = []
    landings: list[_Landing] = []
    for fleet in acting(turn, plans, Unload):
        named: set[str] = set()
        for index, order in at_head(plans, fleet, Unload):
            entry = _Entry(fleet, index, len(order.landings))
            entries.append(entry)
            for reference, place in order.landings.items():
                army = world.units.get(reference if "/" in reference else f"{fleet.realm}/{reference}")
                refusal = why_not_unload(world, turn.board, fleet, world.done(fleet), army, reference, place)
                if refusal is None and army is not None and army.key in named:
                    refusal = refuse("army-unloaded-twice", army=army.key)
                if refusal is None and army is not None:
                    named.add(army.key)
                    landings.append(_Landing(army, place, world.is_enemy_land(army.realm, place), entry))
                elif refusal is not None:
                    entry.refusals.append(refusal)
    return entries, landings


def why_not_unload(
    world: World, board: Atlas, fleet: Unit, done: UnitProgress, army: Unit | None, reference: str, place: str
) -> Refusal | None:
    """M8, M8.1: whether the fleet can try to put this army ashore there; on enemy land a roll decides then."""
    if not fleet.is_fleet:
        return refuse("only-fleets-unload")
    if army is None or army.aboard != fleet.key:
        return refuse("army-not-aboard", army=army.key if army else reference, fleet=fleet.key)
    if done.unloads > 1:
        return refuse("unloaded-enough", fleet=fleet.key)
    if board.is_sea(place):
        return refuse("unload-into-sea", place=place)
    if place != fleet.place:
        if not board.is_sea(fleet.place):
            return refuse("docked-elsewhere", place=place, other=fleet.place)
        if not board.graph.borders(fleet.place, place):
            return refuse("no-border", place=fleet.place, other=place)
        if not board.is_open(fleet.place, place):
            return refuse("reefs", place=fleet.place, other=place)
    if not (world.has_permission(army.realm, place) or world.is_enemy_land(army.realm, place)):
        owner = world.provinces[place].owner
        if army.realm != fleet.realm:
            return refuse("guest-not-permitted", place=place, realm=owner, guest=army.realm)
        return refuse("no-permission-to-enter", place=place, realm=owner)
    return None


def _rolls(turn: Turn, landings: list[_Landing]) -> tuple[dict[tuple[str, str], int], list[Event]]:
    """One roll for each realm and enemy province; gives the chances of those that failed (M8)."""
    combat: dict[tuple[str, str], int] = {}
    for landing in landings:
        if landing.invasion:
            where = (landing.army.realm, landing.place)
            combat[where] = combat.get(where, 0) + total_combat(landing.army, turn.rules, commanders=False)
    failed: dict[tuple[str, str], int] = {}
    events: list[Event] = []
    order = turn.board.place_order
    for realm, place in sorted(combat, key=lambda where: (order[where[1]], where[0])):
        chance = min(combat[realm, place], CERTAIN)
        if turn.dice(place, f"{realm} lands").percent(chance):
            events.append(LandingSucceeded(realm=realm, place=place, chance=chance))
        else:
            failed[realm, place] = chance
            events.append(LandingFailed(realm=realm, place=place, chance=chance))
    return failed, events


def _land(draft: Draft, turn: Turn, landing: _Landing) -> ArmyUnloaded:
    army = landing.army
    draft.put(army.evolve(aboard=None, place=landing.place))
    draft.mark(
        army,
        spent=True,
        landed=True,
        landed_phase=turn.phase if landing.invasion else 0,
        # what it marched from before it went aboard is no way back (B9.1)
        came_from=None,
        marched_phase=0,
    )
    return ArmyUnloaded(
        realm=army.realm,
        army=army.key,
        fleet=landing.entry.fleet.key,
        place=landing.place,
        invasion=landing.invasion,
    )
