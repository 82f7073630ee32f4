"""The state of a game: its players, its provinces, and what each province is and holds (CQ-3)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gm.games.conqueror.land import Status
from gm.games.conqueror.rules import TAXES
from gm.kernel.model import FrozenMap, Value

NEUTRAL = "neutral"
"""The owner of what nobody owns, and the party of the local leaders (CQ-3.4)."""


class Leader(Value):
    """CQ-2.10: changes nothing in play; ``sex`` picks the form of the title."""

    name: str = ""
    sex: Literal["he", "she"] = "he"
    flag: str = ""


class Player(Value):
    """CQ-3.2. ``colour`` is also the player's code; ``capital`` none: he has no province left."""

    colour: str
    kind: Literal["human", "ai"] = "human"
    leader: Leader = Leader()
    capital: str | None
    gold: int = Field(ge=0)
    prestige: int = Field(default=1, ge=1, le=6)
    score: int = 0
    missed: int = Field(default=0, ge=0)

    @property
    def alive(self) -> bool:
        """Whether the player still has a province."""
        return self.capital is not None


class Province(Value):
    """CQ-3.3. ``fresh`` armies can still act this turn, ``moved`` ones cannot; between turns all are fresh (CQ-5.4).

    ``influence`` is in points by party and always totals 100.
    """

    code: str
    owner: str
    status: Status
    population: int = Field(ge=0)
    resources: int = Field(ge=0)
    culture: int = Field(ge=1, le=3)
    fort: int = Field(ge=0, le=3)
    fresh: int = Field(ge=0)
    moved: int = Field(default=0, ge=0)
    influence: FrozenMap[str, int]
    item: str = TAXES
    stored: FrozenMap[str, int] = FrozenMap()
    """Labour by item; items without any are left out."""
    conquered_on: int | None = None

    @property
    def armies(self) -> int:
        """All of them."""
        return self.fresh + self.moved

    @property
    def control(self) -> int:
        """The owner's influence (CQ-13.1)."""
        return self.influence.get(self.owner, 0)


class World(Value):
    """A game between two turns, ``turn`` the last that was played. Players are in seat order, provinces in id order."""

    turn: int = Field(ge=0)
    players: tuple[Player, ...]
    provinces: FrozenMap[str, Province]
    winners: tuple[str, ...] = ()
    over: bool = False

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' colours, in seat order; eliminated ones stay parties (CQ-14.6)."""
        return tuple(player.colour for player in self.players)

    def player(self, colour: str) -> Player:
        """The player of a colour. Raises ``KeyError``."""
        for player in self.players:
            if player.colour == colour:
                return player
        raise KeyError(colour)

    def owned(self, colour: str) -> tuple[Province, ...]:
        """A player's provinces, in id order."""
        return tuple(province for province in self.provinces.values() if province.owner == colour)

    def with_players(self, *changed: Player) -> World:
        """The same with some players changed."""
        new = {player.colour: player for player in changed}
        return self.evolve(players=tuple(new.get(player.colour, player) for player in self.players))

    def with_provinces(self, *changed: Province) -> World:
        """The same with some provinces changed."""
        return self.evolve(provinces=FrozenMap({**self.provinces, **{each.code: each for each in changed}}))
