"""The turn: the rulebook's events, in its order and its words, and nothing else."""

from collections.abc import Mapping
from itertools import chain

from gm.core.pipeline import Outcome, Progress, Stage, Turn, Watch, run_stages
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.state import World
from gm.games.medieval.steps import (
    administration,
    bookkeeping,
    conquest,
    construction,
    diplomacy,
    economy,
    loading,
    movement,
    provinces,
    realms,
    recruiting,
    transfers,
    units,
)
from gm.games.medieval.steps.turn import Plans

OPENING = Stage("opening", (bookkeeping.turn_opens,))

FIRST = Stage(
    "first",
    (
        realms.palace_coup,
        diplomacy.war_declared,
        diplomacy.acceptance_changed,
        diplomacy.passage_rights_changed,
        diplomacy.special_permission_changed,
        units.new_armies_formed,
        units.new_fleets_formed,
        administration.administrative_actions,
        transfers.same_location_transfers,
        units.troops_reassigned_to_ranks,
        units.troops_disbanded,
    ),
)

MOVEMENT = Stage(
    "movement",
    (
        transfers.transfers_happen,
        loading.armies_prepare_to_board,
        loading.fleets_load_armies,
        movement.fleets_set_sail,
        movement.homeless_fleets_depart,
        conquest.sea_battles_fought,
        transfers.fleet_storage_checked,
        loading.armies_unloaded,
        movement.armies_march,
        movement.defend_fortifications_changed,
        conquest.cross_border_battles_fought,
        conquest.land_battles_fought,
        conquest.province_ownership_changes,
        conquest.provinces_pillaged,
    ),
    opens=bookkeeping.phase_opens,
    again=lambda turn: bookkeeping.something_left_to_do(turn.state, Plans(turn)),
    extra=1,
    limit=lambda turn: turn.rules.movement.phase_limit,
)

FINAL = Stage(
    "final",
    (
        provinces.province_damage_increases,
        economy.gold_sent,
        economy.upkeep_paid,
        recruiting.troops_built,
        recruiting.commanders_hired,
        provinces.provinces_annexed,
        provinces.province_annexation_declines,
        construction.construction_happens,
        economy.gold_decays,
        construction.structures_razed,
        economy.province_revenue_gained,
        provinces.provinces_gifted,
        economy.proclamations_income,
        provinces.province_damage_repaired,
        diplomacy.peace_established,
        diplomacy.alliances_cancelled,
        diplomacy.alliances_formed,
        realms.realm_limits_checked,
        realms.defeated_realms_removed,
        realms.victory_checked,
    ),
)

CLOSING = Stage("closing", (bookkeeping.turn_closes,))

STAGES = (OPENING, FIRST, MOVEMENT, Stage("movement ends", (bookkeeping.movement_ends,)), FINAL, CLOSING)
STEPS = tuple(chain.from_iterable(stage.steps for stage in STAGES))
"""Every step of a turn, in order."""


def play_turn(
    world: World,
    orders: Mapping[str, Orders],
    *,
    rules: Rules,
    atlas: Atlas,
    seed: str,
    progress: Progress | None = None,
    watch: Watch | None = None,
    collect_events: bool = True,
) -> Outcome[World]:
    """Play a whole turn; return the world after it, with ``turn`` one higher, and the turn's events.

    ``orders`` are by realm code, in any order. The same world, orders, rules, map and seed always give the
    same outcome. ``progress`` is called before each step, ``watch`` after each. Without ``collect_events``
    there are no reports of battles and no records of dice, and ``watch`` is not called.
    """
    turn: Turn[World, Rules, Atlas, Orders] = Turn(
        state=world,
        number=world.turn + 1,
        rules=rules,
        board=atlas,
        orders=orders,
        seed=seed,
        collect_events=collect_events,
    )
    return run_stages(STAGES, turn, progress, watch)
