"""The figures of the game as typed values; they are read from ``rules/conquestination/rules.yaml``."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from gm.core.values import Natural, Positive, Value, check_fields, check_whole
from gm.game.base.position import GameSettings

Mode = Literal["round", "single"]
SeatOrder = Literal["joined", "shuffled"]


class Players(Value):
    """How many may play."""

    min: Annotated[int, Meta(ge=2)]
    max: int

    @check_whole
    def _ordered(self) -> None:
        if self.max < self.min:
            raise ValueError("'max' is below 'min'")


class Deployment(Value):
    """CN-5.2, CN-5.4."""

    units_per_country: Positive
    total_per_country: Decimal

    @check_fields("total_per_country")
    @staticmethod
    def _for_all(total: Decimal) -> Decimal:
        if total < 1:
            raise ValueError("Input should be greater than or equal to 1")
        return total


class Reinforcement(Value):
    """CN-6.2 to CN-6.4."""

    countries_per_unit: Positive
    min_reinforcement: Natural
    continent_divisor: Positive
    single_country_continent: Natural


class Attack(Value):
    """CN-7.3, CN-7.4."""

    die: Annotated[int, Meta(ge=2)]
    max_attack_dice: Positive
    max_defence_dice: Positive
    stay_behind: Positive


class Redeploy(Value):
    """CN-8.1, CN-8.3."""

    stay_behind: Positive
    links_allow_redeploy: bool


class Defaults(Value):
    """CN-2.5."""

    mode: Mode
    max_rounds: int | None
    turn_days: Positive
    seat_order: SeatOrder


class RandomMap(Value):
    """CN-2.4: what a random map is made with. Sizes are in cells."""

    countries: Annotated[int, Meta(ge=1, le=260)]
    continents: Positive
    width: Annotated[int, Meta(ge=1, le=200)]
    height: Annotated[int, Meta(ge=1, le=200)]
    cells_per_country: Positive
    sea_gap: Annotated[int, Meta(ge=0, le=20)]
    links: bool
    extra_links: Natural


class Generator(Value):
    """CN-4.11, CN-4.13, CN-4.14."""

    attempts: Positive
    max_land_percent: Annotated[int, Meta(ge=1, le=100)]
    max_continents: Annotated[int, Meta(ge=1, le=26)]
    extra_link_pool: Positive


class Settings(GameSettings):
    """CN-2: what is chosen when a game begins. What is left out is as the rules and the map say."""

    in_rules: ClassVar[Mapping[str, str]] = {
        "mode": "defaults.mode",
        "max_rounds": "defaults.max_rounds",
        "seat_order": "defaults.seat_order",
        "min_reinforcement": "reinforcement.min_reinforcement",
        "links_allow_redeploy": "redeploy.links_allow_redeploy",
    }

    players: Annotated[int, Meta(ge=2)] | None = None
    mode: Mode | None = None
    max_rounds: Positive | None = None
    min_reinforcement: Annotated[int, Meta(ge=0, le=99)] | None = None
    links_allow_redeploy: bool | None = None
    seat_order: SeatOrder | None = None
    countries: Annotated[int, Meta(ge=1, le=260)] | None = None
    continents: Positive | None = None
    width: Annotated[int, Meta(ge=1, le=200)] | None = None
    height: Annotated[int, Meta(ge=1, le=200)] | None = None
    cells_per_country: Positive | None = None
    sea_gap: Annotated[int, Meta(ge=0, le=20)] | None = None
    links: bool | None = None
    extra_links: Annotated[int, Meta(ge=0, le=99)] | None = None

    @property
    def of_map(self) -> dict[str, object]:
        """Those that a random map is made with, as far as they were given."""
        given = {name: getattr(self, name) for name in RandomMap.__struct_fields__}
        return {name: value for name, value in given.items() if value is not None}


class Rules(Value):
    """``rules.yaml``."""

    players: Players
    deployment: Deployment
    reinforcement: Reinforcement
    attack: Attack
    redeploy: Redeploy
    defaults: Defaults
    generator: Generator
    continent_names: Annotated[tuple[str, ...], Meta(min_length=26, max_length=26)]
    """What the continents of a random map are called, by letter."""
