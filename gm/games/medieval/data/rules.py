"""The rules data as typed values: every number that the rulebook would print.

The files ``rules/medieval/*.yaml`` explain each field at its entry. Percent figures are whole percents, gold
is in gold, exact to 1/100, hit points are decimals with one digit.
"""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Literal

from gm.core.values import Value
from gm.game.votes import VoteRule


class TroopClass(StrEnum):
    """The class of a troop, for tactics, weight and modifiers (T1)."""

    FOOT = "foot"
    ARCHER = "archer"
    MOUNTED = "mounted"
    SIEGE = "siege"
    TRANSPORT = "transport"
    WARSHIP = "warship"


_TACTICS = {
    TroopClass.FOOT: "infantry",
    TroopClass.ARCHER: "infantry",
    TroopClass.MOUNTED: "cavalry",
    TroopClass.SIEGE: None,
    TroopClass.TRANSPORT: "naval",
    TroopClass.WARSHIP: "naval",
}
"""The commander's rating that helps troops of each class (B5)."""


class TroopType(Value):
    """A type of troops with its figures of table T1, explained in ``rules/medieval/troops.yaml``."""

    name: str
    kind: TroopClass
    regions: tuple[str, ...]  # the recruiting regions that it belongs to (T6)
    attacks: int  # in a round
    combat: int  # the chance of each attack, in percent
    hit_points: Decimal  # the damage by which one falls
    move_points: int
    cost: Decimal  # in gold, to recruit one
    upkeep: Decimal  # in gold a turn
    weight: int = 0  # the storage that one takes aboard
    # percent added to combat in the phase of a landing on enemy land (B5.2): -30 means times 0.7
    amphibious: int = 0
    # percent added to combat as marines (B5.3); None: this type never fights aboard
    marine: int | None = None
    capture_chance: int = 0  # in percent: one of a beaten side is captured and not destroyed (B11)
    siege_power: int = 0  # the chance to damage a fortification before a battle, in percent (B2)
    marine_space: int = 0  # a ship's room for soldiers who fight (B13)
    storage: int = 0  # a ship's room for weight

    @cached_property
    def ship(self) -> bool:
        return self.kind in (TroopClass.TRANSPORT, TroopClass.WARSHIP)

    @cached_property
    def total_combat(self) -> int:
        """Return attacks times combat (X1)."""
        return self.attacks * self.combat

    @cached_property
    def tactics(self) -> str | None:
        """Return the name of the commander's rating that helps this type (B5); None for siege machines."""
        return _TACTICS[self.kind]


class FortificationLevel(Value):
    """One row of table T2.

    Combat is in percent more, hit points in points more, of foot and mounted troops with a place in it.
    """

    level: int
    name: str
    barracks: int  # how many troops have a place
    foot_combat: int
    foot_hit_points: Decimal
    mounted_combat: int
    mounted_hit_points: Decimal


LandingCount = Literal["realm", "province"]
"""M8: whether the soldiers of all landings of a realm count for its chance, or those of each province
apart."""


class Movement(Value):
    """The figures of move-points and phases (P3-P8, M0-M14), explained in ``rules/medieval/numbers.yaml``."""

    commanders_move_points: int
    march_permitted: int
    march_enemy: int
    march_changed_owner: int
    sail: int
    dock_changed_owner: int
    free_holds: int
    hold: int
    phase_limit: int
    load_weight_percent: int
    pillage_combat: int
    conquest_combat: int
    harbour_destroyed_percent: int
    landing_counts: LandingCount = "province"  # the default is for games from before there was a choice


class Battle(Value):
    """The figures of battles (B1-B14), explained in ``rules/medieval/numbers.yaml``."""

    tactics_divisor: int
    tactics_divisor_fortified: int
    siegecraft_divisor: int
    best_chance_percent: int
    round_limit: int
    skill_gain: int
    skill_limit: int
    marines_replaced: bool
    marked_retreat: bool = True


class Economy(Value):
    """The figures of a realm's gold: what it pays, loses and gets (L1-L14, T3); see ``numbers.yaml``."""

    gold_fee_percent: int
    gold_reach: int
    unpaid_loss_percent: int
    decay_percent: int
    damage_limit: int
    revenue_percent: tuple[int, ...]
    production_area_revenue: Decimal
    salvage_divisor: int
    proclamation: Decimal
    proclamation_length: int
    # words of a proclamation that are pointed out to the GM (L13); they decide nothing
    flagged_words: tuple[str, ...]
    annexation_turns: int


class Construction(Value):
    """The costs and limits of building and repairing (T4, L8); see ``numbers.yaml``."""

    fortification_limit: int
    fortification_cost_base: Decimal
    fortification_cost_level: Decimal
    fortification_workers_level: int
    harbour_cost: Decimal
    harbour_workers: int
    production_area_cost: Decimal
    production_area_workers: int
    production_area_limit: int
    paid_repair_divisor: int


class CommanderRules(Value):
    """The figures of commanders (table T5)."""

    price: Decimal
    upkeep: Decimal
    attacks: int
    combat: int
    hit_points: Decimal
    rating_limit: int
    rating_draws: int


class StatusLimits(Value):
    """V2: the limits of commanders and annexed provinces for a player status."""

    commanders: int
    annexed_provinces: int


class Victory(Value):
    """The goal of the game (V1); a scenario or the options of a game may replace figures of it."""

    cities_percent: int  # percent of the cities that win
    turns: int  # for so many turns
    last_turn: int | None = None  # None: no turn is the last
    score_city: int  # points for each city owned when a fixed last turn ends
    score_province: int  # points for each province owned then


class Units(Value):
    """Numbers of units and their defaults (W5, W6)."""

    number_limit: int
    ranks: int
    retreat_level: int
    name_length: int


class Forecast(Value):
    """The gold below which a forecast warns a realm, and that below which it alarms the realm (H1)."""

    warn_below: Decimal
    alarm_below: Decimal


class Numbers(Value):
    """Every number without a table of its own, and the calendar (W9)."""

    version: str
    seasons: tuple[str, ...]
    start_year: int
    missed_turns_flagged: int
    movement: Movement
    battle: Battle
    economy: Economy
    construction: Construction
    commanders: CommanderRules
    statuses: Mapping[str, StatusLimits]
    votes: VoteRule = "all"
    victory: Victory
    units: Units
    forecast: Forecast


class Rules(Numbers):
    """All rules data of the game: the numbers and the tables."""

    troops: Mapping[str, TroopType]
    fortifications: tuple[FortificationLevel, ...]
    # by region, the troop types that its cities recruit (T6); a map may change a city's list
    recruits: Mapping[str, tuple[str, ...]]
    commander_names: tuple[str, ...]

    def fortification(self, level: int) -> FortificationLevel | None:
        """Return the row of table T2 for an effective level of fortification; None for level 0."""
        return self.fortifications[level - 1] if level > 0 else None

    @cached_property
    def soldiers(self) -> frozenset[str]:
        """The names of all troop types that are not ships."""
        return frozenset(name for name, troop in self.troops.items() if not troop.ship)


def season_of(turn: int, rules: Rules) -> tuple[str, int]:
    """Return (name of the season, year) of a turn; turn 1 is the first season of the first year."""
    years, season = divmod(turn - 1, len(rules.seasons))
    return rules.seasons[season], rules.start_year + years
