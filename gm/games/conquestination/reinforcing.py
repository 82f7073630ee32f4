"""How many units a player gets, and where they go that he did not place (CN-5.4, CN-6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from gm.games.conquestination.countries import CountryMap, rank
from gm.games.conquestination.rules import Deployment, Reinforcement


class Holding(NamedTuple):
    """A country's owner and the units in it."""

    owner: str
    units: int


class Share(NamedTuple):
    """A player's reinforcements: for his countries, and for each continent that he holds whole, by letter."""

    countries: int
    continents: tuple[tuple[str, int], ...]
    least: int = 0

    @property
    def units(self) -> int:
        """All of them together."""
        return max(self.least, self.countries + sum(bonus for _, bonus in self.continents))


def continent_bonus(size: int, rules: Reinforcement) -> int:
    """What holding a continent of so many countries is worth (CN-6.4)."""
    return rules.single_country_continent if size == 1 else size // rules.continent_divisor


def reinforcements(held: Collection[str], land: CountryMap, rules: Reinforcement) -> Share:
    """What a player gets who holds these countries as his turn begins (CN-6.2 to CN-6.5)."""
    whole = [letter for letter in land.continents if set(land.continent(letter)) <= set(held)]
    bonuses = tuple((letter, continent_bonus(len(land.continent(letter)), rules)) for letter in whole)
    return Share(len(held) // rules.countries_per_unit, bonuses, rules.min_reinforcement)


def to_deploy(countries: int, players: int, dealt: int, rules: Deployment) -> int:
    """How many units a player places in run 0 who was dealt so many of the countries (CN-5.4)."""
    return int(rules.total_per_country * countries // players) - dealt * rules.units_per_country


def placed_by_default(player: str, units: int, holdings: Mapping[str, Holding], land: CountryMap) -> dict[str, int]:
    """Where units go that the player did not place, one at a time: to where the enemy is strongest against him
    (CN-6.8). By country; a player who has no enemy next to him puts all into his first country.

    Empty for a player without a country.
    """
    own = sorted((country for country, each in holdings.items() if each.owner == player), key=rank)
    if not own or units <= 0:
        return {}
    pressed = {
        country: sum(holdings[other].units for other in enemies) - holdings[country].units
        for country in own
        if (enemies := [other for other in land.neighbours[country] if holdings[other].owner != player])
    }
    if not pressed:
        return {own[0]: units}
    placed: dict[str, int] = {}
    for _ in range(units):
        # the first of equals: countries are in order
        country = max(pressed, key=lambda each: pressed[each])
        placed[country] = placed.get(country, 0) + 1
        pressed[country] -= 1
    return placed
