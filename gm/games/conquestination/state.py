"""The state of Conquestination (CN-3): players in seat order, countries with their owners and units."""

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import NamedTuple, Self

from gm.core.diagnostics import says
from gm.core.values import Natural, Positive, Value, grouped
from gm.game.base.position import Party, Position
from gm.games.conquestination.cells import rank
from gm.games.conquestination.rules import Board, Deployment, Reinforcement, Rules, Settings


class Share(NamedTuple):
    """A player's reinforcements, by what they are for."""

    countries: int  # The units for the number of countries
    continents: tuple[tuple[str, int], ...]  # (letter, units) for each whole continent
    least: int = 0  # The fewest that a player gets in all

    @property
    def units(self) -> int:
        """The number of units that the player gets."""
        return max(self.least, self.countries + sum(bonus for _, bonus in self.continents))


def continent_bonus(size: int, rules: Reinforcement) -> int:
    """Return the bonus for holding a continent of ``size`` countries (CN-6.4)."""
    return rules.single_country_continent if size == 1 else size // rules.continent_divisor


def reinforcements(held: Collection[str], board: Board, rules: Reinforcement) -> Share:
    """Return the reinforcements of a player who holds these countries as a turn begins (CN-6.2 to CN-6.5)."""
    bonuses = tuple(
        (letter, continent_bonus(len(board.continent(letter)), rules)) for letter in board.whole(held)
    )
    return Share(len(held) // rules.countries_per_unit, bonuses, rules.min_reinforcement)


def to_deploy(countries: int, players: int, dealt: int, rules: Deployment, share: int = 0) -> int:
    """Return how many units a player with ``dealt`` of the ``countries`` places in run 0 (CN-5.4).

    ``share``: by how many percent the total is raised for the seat, or lowered if below 0.
    """
    total = int(rules.total_per_country * countries // players)
    raised = (2 * total * share + 100) // 200  # share percent of the total, rounded to the nearest
    return total + raised - dealt * rules.units_per_country


def placed_by_default(
    player: str, units: int, countries: Mapping[str, "Country"], board: Board
) -> dict[str, int]:
    """Return where ``units`` that a player has not placed go by default, by country (CN-6.8).

    They go one at a time to where enemy neighbours outnumber the country most; without enemies all go to the
    first country.
    """
    own_countries = sorted(
        (country for country, holding in countries.items() if holding.owner == player), key=rank
    )
    if not own_countries or units <= 0:
        return {}
    pressed = dict[str, int]()
    for country in own_countries:
        enemies = [other for other in board.neighbours[country] if countries[other].owner != player]
        if enemies:
            pressed[country] = sum(countries[other].units for other in enemies) - countries[country].units
    if not pressed:
        return {own_countries[0]: units}
    placed = Counter[str]()
    for _ in range(units):
        # the first of equals: countries are in order
        country = max(pressed, key=pressed.__getitem__)
        placed[country] += 1
        pressed[country] -= 1
    return placed


class Player(Party):
    """A player (CN-3.4). ``to_deploy``: the units that are placed in run 0."""

    to_deploy: Natural = 0


class Country(Value):
    """CN-3.3, CN-3.5: it always has an owner, and at least one unit."""

    owner: str
    units: Positive


class Assault(Value):
    """An attack between two rolls (CN-7.7): its start, its target, and the engaged units that are left."""

    source: str
    target: str
    engaged: Positive


class OpenTurn(Value):
    """A turn that its player has not ended (CN-1.4): new units are placed, and they may roll again."""

    assault: Assault | None = None


class Campaign(Position):
    """The whole game.

    ``parties``: by code, in seat order; ``countries``: by code, in order; ``current``: the player whose turn
    the next run plays in mode ``single``; ``open``: that turn, if it has begun already; ``kept_open``: the
    number of runs that ended no turn. The others count within a run only. ``acting``: the player whose turn
    it is; ``queue``: those whose turn comes later; ``acted``: those whose turn has begun, the acting one
    among them; ``won_lines``: whether each attack with an id was won, by id.
    """

    parties: Mapping[str, Player]
    settings: Settings
    countries: Mapping[str, Country]
    current: str | None = None
    open: OpenTurn | None = None
    kept_open: Natural = 0
    # These count within a run only
    acting: str | None = None
    queue: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    won_lines: Mapping[str, bool] = {}

    @property
    def run(self) -> int:
        """The number of the next run, which order files quote: 0 is the deployment (CN-1.3, CN-1.7)."""
        return self.turn

    quoted = run

    @cached_property
    def holdings(self) -> Mapping[str, tuple[str, ...]]:
        """The codes of the countries of each player who has any, by player, in the order of ``countries``."""
        return grouped(self.countries, lambda code: self.countries[code].owner)

    @property
    def codes_by_name(self) -> dict[str, str]:
        """The players' codes, by code and by name."""
        names: dict[str, str] = {}
        for code, party in self.parties.items():
            names |= {code: code, party.name: code}
        return names

    def held(self, owner: str) -> tuple[str, ...]:
        """Return the codes of a player's countries, in the order of ``countries``; empty for none."""
        return self.holdings.get(owner, ())

    def units_of(self, owner: str) -> int:
        """Return the number of all units of a player."""
        return sum(country.units for country in self.countries.values() if country.owner == owner)

    def with_countries(self, changed: Mapping[str, Country]) -> Self:
        """Return the state with some countries changed."""
        return self.evolve(countries={**self.countries, **changed}) if changed else self

    def reinforced(self, placed: Mapping[str, int]) -> Self:
        """Return the state with the ``placed`` units added to their countries; below 0: taken from them."""
        changed = {}
        for code, units in placed.items():
            country = self.countries[code]
            changed[code] = country.evolve(units=country.units + units)
        return self.with_countries(changed)

    def next_units(self, code: str, board: Board, rules: Rules) -> int:
        """Return the number of units that a player would get if their turn began now; 0 while it goes on."""
        if self.open is not None and code == self.current:
            return 0
        countries = self.held(code)
        if not countries:
            return 0
        return reinforcements(countries, board, self.settings.applied(rules).reinforcement).units

    def broken(self, board: Board, rules: Rules) -> list[str]:
        """Return sentences about what is wrong with a position between runs (CN-3); empty if sound."""
        faults: list[str] = [
            says("{0} belongs to {1}, who is not there", code, country.owner)
            for code, country in self.countries.items()
            if country.owner not in self.parties
        ]
        if set(self.countries) != set(board.countries):
            faults.insert(0, says("the countries of the position are not those of the map"))
        for code, player in self.parties.items():
            if player.out != (not self.held(code)):
                faults.append(
                    says(
                        "{0} holds {1} countries and is {2}", player.name, len(self.held(code)), player.status
                    )
                )
            if player.to_deploy and self.turn:
                faults.append(says("{0} still has units to deploy", player.name))
        if self.acting or self.queue or self.acted or self.won_lines:
            faults.append(says("somebody is still playing his turn"))
        return faults

    def after(self, seat: str) -> str | None:
        """Return the next living player after a seat; the first follows the last (CN-8.4).

        It is the seat itself if nobody else is in the game, and None if nobody is.
        """
        seats = list(self.parties)
        index = seats.index(seat)
        from_next_on = (*seats[index + 1 :], *seats[: index + 1])
        return next((code for code in from_next_on if not self.parties[code].out), None)
