"""The state of Conquestination (CN-3): players in seat order, countries with their owners and units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import Field

from gm.core.values import FrozenMap, Value
from gm.game.base.position import Party, Position
from gm.games.conquestination.countries import CountryMap, rank
from gm.games.conquestination.reinforcing import Holding
from gm.games.conquestination.rules import Settings

ELIMINATED = "eliminated"

COLOURS = {
    "RED": "#b3261e",
    "BLUE": "#1f5fa8",
    "GREEN": "#2d7a3a",
    "YELLOW": "#b98900",
    "PURPLE": "#7a3b9c",
    "ORANGE": "#c25a10",
    "TEAL": "#0f7b7b",
    "BROWN": "#7a5230",
}
"""The players by code, each with a colour that tells on paper and in the dark."""


class Player(Party):
    """CN-3.4. ``to_deploy``: the units that are placed in run 0."""

    to_deploy: int = Field(default=0, ge=0)


class Country(Value):
    """CN-3.3, CN-3.5: it always has an owner, and at least one unit."""

    owner: str
    units: int = Field(ge=1)


class Campaign(Position):
    """The whole game; ``parties`` stand in seat order. ``current``: whose turn the next run plays in mode ``single``.

    The others count within a run only: ``acting`` is playing his turn, those in ``queue`` will after him, those in
    ``acted`` have; ``won_lines`` says of his attack lines that have an id whether they won.
    """

    parties: FrozenMap[str, Player]
    settings: Settings
    countries: FrozenMap[str, Country]
    current: str | None = None
    acting: str | None = None
    queue: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    won_lines: FrozenMap[str, bool] = FrozenMap()

    @property
    def run(self) -> int:
        """The number of the next run, which order files quote: 0 is the deployment (CN-1.3)."""
        return self.turn

    @property
    def holdings(self) -> dict[str, Holding]:
        """Each country's owner and units."""
        return {code: Holding(each.owner, each.units) for code, each in self.countries.items()}

    def held(self, owner: str) -> tuple[str, ...]:
        """A player's countries, in order."""
        return tuple(code for code, each in self.countries.items() if each.owner == owner)

    def units_of(self, owner: str) -> int:
        """All units of a player."""
        return sum(each.units for each in self.countries.values() if each.owner == owner)

    def with_countries(self, changed: Mapping[str, Country]) -> Self:
        """The state with some countries changed."""
        return self.evolve(countries=FrozenMap({**self.countries, **changed})) if changed else self

    def reinforced(self, placed: Mapping[str, int]) -> Self:
        """The state with so many units more in some countries."""
        return self.with_countries(
            {
                code: self.countries[code].evolve(units=self.countries[code].units + more)
                for code, more in placed.items()
            }
        )

    def after(self, seat: str) -> str | None:
        """The next living player after a seat, from the last to the first (CN-8.4)."""
        seats = list(self.parties)
        at = seats.index(seat)
        return next((code for code in (*seats[at + 1 :], *seats[: at + 1]) if not self.parties[code].out), None)


def broken(state: Campaign, land: CountryMap) -> list[str]:
    """What must never be true between runs and is: a sentence each."""
    found = []
    if set(state.countries) != set(land.countries):
        found.append("the countries of the position are not those of the map")
    for code, country in state.countries.items():
        if country.owner not in state.parties:
            found.append(f"{code} belongs to {country.owner}, who is not there")
    for code, player in state.parties.items():
        if player.out != (not state.held(code)):
            found.append(f"{player.name} holds {len(state.held(code))} countries and is {player.status}")
        if player.to_deploy and state.turn:
            found.append(f"{player.name} still has units to deploy")
    if state.acting or state.queue or state.acted or state.won_lines:
        found.append("somebody is still playing his turn")
    return found


def in_order(countries: Mapping[str, Country]) -> FrozenMap[str, Country]:
    """Countries by continent and number."""
    return FrozenMap({code: countries[code] for code in sorted(countries, key=rank)})
