"""How good a position is for a realm: its chance to win the game, by what it and the others have and can take next."""

from collections.abc import Mapping
from math import exp, log

from gm.core.values import Value
from gm.game.values import GameData, View
from gm.games.medieval.analysis.forecast import annexed_revenue
from gm.games.medieval.bots.survey import NOBODY, Force, Survey, survey_of
from gm.games.medieval.state import INDEPENDENTS, World
from gm.games.medieval.steps.economy import total_upkeep

LEAST_POWER = 5.0  # Added to a realm's power before its logarithm: the last few men decide nothing
NOT_EMPTY = 0.05  # Who stands in a place that nobody holds: it can be taken, though not for nothing


class Judgement(Value):
    """What counts how much (``rules/medieval/bots/strategist.yaml``)."""

    city: float
    threatened: float
    prey: float
    province: float
    revenue: float
    power: float
    gold: float
    foes: float
    failed: float

    def worth(self, world: World, realm: str, table: GameData, failed: int, beyond: Mapping[str, float]) -> float:
        """The realm's chance to win, from 0 to 1. ``failed``: so many orders came to nothing, which costs a little;
        ``beyond``: what realms have elsewhere."""
        if world.winners or world.realms[realm].defeated:
            return float(realm in world.winners)
        here = self.merits(world, table)
        merits = {code: here.get(code, 0.0) + beyond.get(code, 0.0) for code in {**beyond, **here}}
        most = max(merits.values())
        chances = {code: exp(merit - most) for code, merit in merits.items()}
        return chances[realm] / sum(chances.values()) - self.failed * failed

    def merits(self, world: World, table: GameData) -> dict[str, float]:
        """What each realm that is left has, as one number: a realm with 1 more wins e times as often."""
        survey = survey_of(world, table)
        codes = [code for code, each in world.realms.items() if not each.defeated]
        cities = self._cities(survey, table)
        power, total = survey.power, sum(survey.power.values()) or 1.0
        found = {}
        for code in codes:
            # V1 counts the cities of allies together
            side = [other for other in codes if other == code or world.allied(code, other)]
            revenue = float(annexed_revenue(world, code, table.rules, table.board))
            gold = float(world.realms[code].treasury - total_upkeep(world.of_realm(code), table.rules))
            foes = sum(power[other] for other in codes if world.at_war(code, other)) / total
            found[code] = (
                self.city * max(0.0, sum(cities.get(other, 0.0) for other in side)) ** 2
                + self.province * len(world.owned_by(code)) / _goal(table)
                + self.revenue * revenue
                + self.power * log(power[code] + LEAST_POWER)
                + self.gold * gold
                - self.foes * foes
            )
        return found

    def beyond(self, whole: View, near: View) -> Mapping[str, float]:
        """What each realm has that a part of the map does not show."""
        seen = self.merits(near.state, near.table) if near is not whole else {}
        every = self.merits(whole.state, whole.table) if seen else {}
        return {code: merit - seen.get(code, 0.0) for code, merit in every.items()}

    def _cities(self, survey: Survey, table: GameData) -> Mapping[str, float]:
        """By realm, the cities that it may have a turn later, as a part of those that win (V1): its own, less part of
        those that enemies next to them could take, more part of those that it could take."""
        world, goal = survey.world, _goal(table)
        found: dict[str, float] = {}
        for place in survey.atlas.cities:
            owner = world.provinces[place].owner
            reach: dict[str, Force] = {}
            for near in (place, *survey.by_land[place]):
                for code, force in survey.realm_forces.get(near, {}).items():
                    if code != INDEPENDENTS and world.at_war(code, owner):
                        reach[code] = reach.get(code, NOBODY) + force
            held = survey.defence_of(place, [unit for unit in survey.fighters(place) if unit.realm == owner])
            chances = {code: _share(force, held) for code, force in reach.items()}
            for code, chance in chances.items():
                found[code] = found.get(code, 0.0) + self.prey * chance / goal
            lost = self.threatened * sum(chances.values())
            found[owner] = found.get(owner, 0.0) + (1.0 - lost) / goal
        return found


def _share(force: Force, held: Force) -> float:
    """How likely this force takes a place from that one, by the square law."""
    ours, theirs = force.blows * force.stand, held.blows * held.stand + NOT_EMPTY
    return ours / (ours + theirs)


def _goal(table: GameData) -> float:
    """So many cities win (V1)."""
    wanted: int = table.rules.victory.cities_percent
    return max(1.0, len(table.board.cities) * wanted / 100)
