"""The value of a position for a realm, by its own and the others' possessions and chances to take more.

On a small map it is the chance to win, on a large one the share of all realms' scores that is expected some
turns later.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from math import exp, log

from gm.core.values import Value
from gm.game.values import GameData, View
from gm.games.medieval.analysis.forecast import annexed_revenue
from gm.games.medieval.bots.survey import NOBODY, Force, Survey, survey_of
from gm.games.medieval.state import INDEPENDENTS, World
from gm.games.medieval.steps.economy import total_upkeep

LEAST_POWER = 5.0  # Added to a realm's power before its logarithm: the last few men decide nothing
NOT_EMPTY = 0.05  # The strength of a place without defenders: the chance to take it is a bit less than 1
TOWN = 3.0  # A city that is threatened counts as so many other provinces
WORST = 4.0  # Enemies of more than so many times one's own power are counted as so many
UNARMED = 20.0  # Added to one's own power when enemies are compared with it


class Judgement(Value):
    """The weights of a position's parts, each explained in ``rules/medieval/bots/strategist.yaml``."""

    city: float
    threatened: float
    province: float
    revenue: float
    power: float
    gold: float
    foes: float
    failed: float

    def worth(
        self, world: World, realm: str, table: GameData, failed: int, beyond: Mapping[str, float]
    ) -> float:
        """Return the realm's part of all realms' merits, less a little for each order that ``failed``.

        The part is from 0 to 1, and exactly 1 or 0 when the game is won or the realm is defeated. ``world``
        may be a part of the map; ``beyond``: by code, the merit of what each realm has elsewhere.
        """
        if world.winners or world.realms[realm].defeated:
            return float(realm in world.winners)
        merits_here = self.merits(world, table)
        merits = {
            code: merits_here.get(code, 0.0) + beyond.get(code, 0.0) for code in {**beyond, **merits_here}
        }
        most = max(merits.values())
        # only differences of merits count: less the greatest, no exponential is too large
        parts = {code: exp(merit - most) for code, merit in merits.items()}
        return parts[realm] / sum(parts.values()) - self.failed * failed

    def merits(self, world: World, table: GameData) -> dict[str, float]:
        """Return the merit of each realm that is not defeated, by code: 1 more is worth e times as much."""
        survey = survey_of(world, table)
        codes = [code for code, realm in world.realms.items() if not realm.defeated]
        lands = self._lands(survey, table, codes)
        merits = {}
        for code in codes:
            revenue = float(annexed_revenue(world, code, table.rules, table.board))
            gold = float(world.realms[code].treasury - total_upkeep(world.of_realm(code), table.rules))
            foes = [other for other in codes if world.at_war(code, other)]
            merits[code] = (
                lands[code]
                + self.revenue * revenue
                + self.power * log(survey.power[code] + LEAST_POWER)
                + self.gold * gold
                - self.foes * self._menace(survey, code, foes)
            )
        return merits

    def beyond(self, whole: View, near: View) -> Mapping[str, float]:
        """Return the merit of what each realm has outside of a part of the map, by code.

        ``whole`` and ``near``: a realm's views of the whole map and of the part. Empty if these are the same.
        """
        merits_near = self.merits(near.state, near.table) if near is not whole else {}
        merits_whole = self.merits(whole.state, whole.table) if merits_near else {}
        return {code: merit - merits_near.get(code, 0.0) for code, merit in merits_whole.items()}

    @abstractmethod
    def _lands(self, survey: Survey, table: GameData, codes: Sequence[str]) -> Mapping[str, float]:
        """Return the worth of each realm's land, by code, with what it may lose or take next."""

    @abstractmethod
    def _menace(self, survey: Survey, code: str, foes: Sequence[str]) -> float:
        """Return the strength of a realm's enemies."""


class WinningChance(Judgement):
    """The judgement on a small map: who wins (V1). ``prey``: the weight of what a realm could take."""

    prey: float

    def _lands(self, survey: Survey, table: GameData, codes: Sequence[str]) -> Mapping[str, float]:
        """Return the worth of each realm's land, by code: cities, also its allies' (V1), and provinces."""
        world = survey.world
        cities = self._cities(survey, table)
        lands_of = {}
        for code in codes:
            # V1 counts the cities of allies together
            side = [other for other in codes if other == code or world.allied(code, other)]
            # not below 0: several enemies may together count as taking more than a city
            side_cities = max(0.0, sum(cities.get(other, 0.0) for other in side))
            provinces = len(world.owned_by(code))
            lands_of[code] = self.city * side_cities**2 + self.province * provinces / _cities_to_win(table)
        return lands_of

    def _menace(self, survey: Survey, code: str, foes: Sequence[str]) -> float:
        """Return the power of all foes as a part of all realms' power."""
        return sum(survey.power[other] for other in foes) / (sum(survey.power.values()) or 1.0)

    def _cities(self, survey: Survey, table: GameData) -> Mapping[str, float]:
        """Return by realm the expected cities a turn later, as a share of the number that wins (V1).

        They are its own, less a part of those that enemies next to them could take, and a part of those that
        it could take itself.
        """
        goal = _cities_to_win(table)
        cities_of: dict[str, float] = {}
        for place in survey.atlas.cities:
            owner = survey.world.provinces[place].owner
            chances = _takers(survey, place)
            for code, chance in chances.items():
                cities_of[code] = cities_of.get(code, 0.0) + self.prey * chance / goal
            lost = self.threatened * sum(chances.values())
            cities_of[owner] = cities_of.get(owner, 0.0) + (1.0 - lost) / goal
        return cities_of


class ScoreOutlook(Judgement):
    """The judgement on a large map, where victory is far: the score that is expected some turns later."""

    def _lands(self, survey: Survey, table: GameData, codes: Sequence[str]) -> Mapping[str, float]:
        """Return the worth of each realm's land, by code, less what enemies may take."""
        lands_of = dict.fromkeys(codes, 0.0)
        for place, land in survey.world.provinces.items():
            if land.owner in lands_of:
                has_city = survey.atlas.city(place) is not None
                lost = sum(_takers(survey, place).values()) * (TOWN if has_city else 1.0)
                lands_of[land.owner] += self.province + self.city * has_city - self.threatened * lost
        return lands_of

    def _menace(self, survey: Survey, code: str, foes: Sequence[str]) -> float:
        """Return the power of foes nearby, as a multiple of the realm's own."""
        near = sum(survey.power[other] for other in foes if other in survey.neighbours[code])
        return min(WORST, near / (survey.power[code] + UNARMED))


def _takers(survey: Survey, place: str) -> Mapping[str, float]:
    """Return the chance of each of the owner's enemies to take a place, by code, as the square law has it.

    Enemies with soldiers there or in a neighbouring province have a chance.
    """
    world = survey.world
    owner = survey.world.provinces[place].owner
    force_near: dict[str, Force] = {}  # by code
    for near in (place, *survey.by_land[place]):
        for code, force in survey.realm_forces.get(near, {}).items():
            if code != INDEPENDENTS and world.at_war(code, owner):
                force_near[code] = force_near.get(code, NOBODY) + force
    if not force_near:
        return {}
    defence = survey.defence_of(place, [unit for unit in survey.fighters(place) if unit.realm == owner])
    return {code: _chance_to_take(force, defence) for code, force in force_near.items()}


def _chance_to_take(force: Force, defenders: Force) -> float:
    """Return the chance of a force to take a place from these defenders, by the square law."""
    strength = force.blows * force.stand
    defence = defenders.blows * defenders.stand + NOT_EMPTY
    return strength / (strength + defence)


def _cities_to_win(table: GameData) -> float:
    """Return the number of cities that wins (V1)."""
    cities_percent: int = table.rules.victory.cities_percent
    return max(1.0, len(table.board.cities) * cities_percent / 100)
