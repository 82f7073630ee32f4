"""The figures of the game as typed values; they are read from ``rules/conquestination/rules.yaml``."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, Self

from pydantic import Field, model_validator

from gm.core.values import Value

Mode = Literal["round", "single"]
SeatOrder = Literal["joined", "shuffled"]


class Players(Value):
    """How many may play."""

    min: int = Field(ge=2)
    max: int

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.max < self.min:
            raise ValueError("'max' is below 'min'")
        return self


class Deployment(Value):
    """CN-5.2, CN-5.4."""

    units_per_country: int = Field(ge=1)
    total_per_country: Decimal = Field(ge=1)


class Reinforcement(Value):
    """CN-6.2 to CN-6.4."""

    countries_per_unit: int = Field(ge=1)
    min_reinforcement: int = Field(ge=0)
    continent_divisor: int = Field(ge=1)
    single_country_continent: int = Field(ge=0)


class Attack(Value):
    """CN-7.3, CN-7.4."""

    die: int = Field(ge=2)
    max_attack_dice: int = Field(ge=1)
    max_defence_dice: int = Field(ge=1)
    stay_behind: int = Field(ge=1)


class Redeploy(Value):
    """CN-8.1, CN-8.3."""

    stay_behind: int = Field(ge=1)
    links_allow_redeploy: bool


class Defaults(Value):
    """CN-2.5."""

    mode: Mode
    max_rounds: int | None
    turn_days: int = Field(ge=1)
    seat_order: SeatOrder


class RandomMap(Value):
    """CN-2.4: what a random map is made with. Sizes are in cells."""

    countries: int = Field(ge=1, le=260)
    continents: int = Field(ge=1)
    width: int = Field(ge=1, le=200)
    height: int = Field(ge=1, le=200)
    cells_per_country: int = Field(ge=1)
    sea_gap: int = Field(ge=0, le=20)
    links: bool
    extra_links: int = Field(ge=0)


class Generator(Value):
    """CN-4.11, CN-4.13, CN-4.14."""

    attempts: int = Field(ge=1)
    max_land_percent: int = Field(ge=1, le=100)
    max_continents: int = Field(ge=1, le=26)
    extra_link_pool: int = Field(ge=1)


class Settings(Value):
    """CN-2: what is chosen when a game begins. What is left out is as the rules and the map say."""

    players: int | None = Field(None, description="How many play: 2 to 8", ge=2)
    mode: Mode | None = Field(None, description="round: a run is a turn of everybody; single: of one player")
    max_rounds: int | None = Field(None, description="After so many runs the game is counted out", ge=1)
    min_reinforcement: int | None = Field(None, description="The least that a player gets each turn", ge=0, le=99)
    links_allow_redeploy: bool | None = Field(None, description="Whether units are redeployed over sea links")
    seat_order: SeatOrder | None = Field(None, description="joined: as they were named; shuffled: by draw D1")
    countries: int | None = Field(None, description="Of a random map: how many countries", ge=1, le=260)
    continents: int | None = Field(None, description="Of a random map: how many continents", ge=1)
    width: int | None = Field(None, description="Of a random map: the grid's width in cells", ge=1, le=200)
    height: int | None = Field(None, description="Of a random map: the grid's height in cells", ge=1, le=200)
    cells_per_country: int | None = Field(None, description="Of a random map: the average size of a country", ge=1)
    sea_gap: int | None = Field(None, description="Of a random map: cells of sea between continents", ge=0, le=20)
    links: bool | None = Field(None, description="Of a random map: whether sea links join continents")
    extra_links: int | None = Field(None, description="Of a random map: links beyond those it needs", ge=0, le=99)

    @property
    def of_map(self) -> dict[str, object]:
        """Those that a random map is made with, as far as they were given."""
        given = {name: getattr(self, name) for name in RandomMap.model_fields}
        return {name: value for name, value in given.items() if value is not None}

    def reinforcement(self, rules: Rules) -> Reinforcement:
        """The figures for reinforcements with what was chosen of them (CN-2.5)."""
        least = self.min_reinforcement
        return rules.reinforcement.evolve(**({} if least is None else {"min_reinforcement": least}))


class Rules(Value):
    """``rules.yaml``."""

    players: Players
    deployment: Deployment
    reinforcement: Reinforcement
    attack: Attack
    redeploy: Redeploy
    defaults: Defaults
    generator: Generator
    continent_names: tuple[str, ...] = Field(min_length=26, max_length=26)
    """What the continents of a random map are called, by letter."""
