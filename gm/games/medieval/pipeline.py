"""The turn: the rulebook's events, in its order and its words, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from gm.core.pipeline import Outcome, Progress, Stage, Turn, Watch, run_stages
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.state import World
from gm.games.medieval.steps.administration import administrative_actions
from gm.games.medieval.steps.battles import (
    cross_border_battles_fought,
    land_battles_fought,
    sea_battles_fought,
)
from gm.games.medieval.steps.bookkeeping import (
    movement_ends,
    phase_opens,
    something_left_to_do,
    turn_closes,
    turn_opens,
)
from gm.games.medieval.steps.conquest import province_ownership_changes, provinces_pillaged
from gm.games.medieval.steps.construction import construction_happens, structures_razed
from gm.games.medieval.steps.diplomacy import (
    acceptance_changed,
    alliances_cancelled,
    alliances_formed,
    passage_rights_changed,
    peace_established,
    special_permission_changed,
    war_declared,
)
from gm.games.medieval.steps.economy import (
    gold_decays,
    gold_sent,
    proclamations_income,
    province_revenue_gained,
    upkeep_paid,
)
from gm.games.medieval.steps.loading import armies_prepare_to_board, armies_unloaded, fleets_load_armies
from gm.games.medieval.steps.movement import (
    armies_march,
    defend_fortifications_changed,
    fleets_set_sail,
    homeless_fleets_depart,
)
from gm.games.medieval.steps.provinces import (
    province_annexation_declines,
    province_damage_increases,
    province_damage_repaired,
    provinces_annexed,
    provinces_gifted,
)
from gm.games.medieval.steps.realms import defeated_realms_removed, palace_coup, realm_limits_checked, victory_checked
from gm.games.medieval.steps.recruiting import commanders_hired, troops_built
from gm.games.medieval.steps.storage import fleet_storage_checked
from gm.games.medieval.steps.transfers import same_location_transfers, transfers_happen
from gm.games.medieval.steps.units import (
    new_armies_formed,
    new_fleets_formed,
    troops_disbanded,
    troops_reassigned_to_ranks,
)

OPENING = Stage("opening", (turn_opens,))

FIRST = Stage(
    "first",
    (
        palace_coup,
        war_declared,
        acceptance_changed,
        passage_rights_changed,
        special_permission_changed,
        new_armies_formed,
        new_fleets_formed,
        administrative_actions,
        same_location_transfers,
        troops_reassigned_to_ranks,
        troops_disbanded,
    ),
)

MOVEMENT = Stage(
    "movement",
    (
        transfers_happen,
        armies_prepare_to_board,
        fleets_load_armies,
        fleets_set_sail,
        homeless_fleets_depart,
        sea_battles_fought,
        fleet_storage_checked,
        armies_unloaded,
        armies_march,
        defend_fortifications_changed,
        cross_border_battles_fought,
        land_battles_fought,
        province_ownership_changes,
        provinces_pillaged,
    ),
    opens=phase_opens,
    again=something_left_to_do,
    extra=1,
    limit=lambda turn: turn.rules.movement.phase_limit,
)

FINAL = Stage(
    "final",
    (
        province_damage_increases,
        gold_sent,
        upkeep_paid,
        troops_built,
        commanders_hired,
        provinces_annexed,
        province_annexation_declines,
        construction_happens,
        gold_decays,
        structures_razed,
        province_revenue_gained,
        provinces_gifted,
        proclamations_income,
        province_damage_repaired,
        peace_established,
        alliances_cancelled,
        alliances_formed,
        realm_limits_checked,
        defeated_realms_removed,
        victory_checked,
    ),
)

CLOSING = Stage("closing", (turn_closes,))

STAGES = (OPENING, FIRST, MOVEMENT, Stage("movement ends", (movement_ends,)), FINAL, CLOSING)


def play_turn(
    world: World,
    orders: Mapping[str, Orders],
    *,
    rules: Rules,
    atlas: Atlas,
    seed: str,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Outcome[World]:
    """One whole turn: the world after it (progress empty, ``turn`` one higher) and every event in order.

    Pure: the same world, orders, rules, map and seed give the same outcome, whatever the order of ``orders``.
    """
    turn: Turn[World, Rules, Atlas, Orders] = Turn(
        state=world, number=world.turn + 1, rules=rules, board=atlas, orders=orders, seed=seed
    )
    return run_stages(STAGES, turn, progress, watch)
