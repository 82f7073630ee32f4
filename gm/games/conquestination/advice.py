"""Why orders are advised: who stands beside a country, how an attack is likely to end, what it would complete."""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder
from gm.game.base.hooks import formatter_of
from gm.game.base.writer import order_phrases
from gm.game.values import GameData
from gm.games.conquestination.amounts import Strength
from gm.games.conquestination.odds import MOST, outlook
from gm.games.conquestination.orders import AttackModel, DeployModel, RedeployModel
from gm.games.conquestination.state import Campaign
from gm.text.languages import Translate


def advice(
    spec: Any,
    table: GameData,
    state: Campaign,
    party: str,
    sheet: Any,
    orders: Sequence[TriedOrder],
    translate: Translate,
) -> Iterator[Advice]:
    """Yield each line in words, with its reason."""
    adviser = Adviser(table, state, party, formatter_of(spec, table, (state,), translate).phrase)
    written_orders = sheet.orders
    for line in (*written_orders.deploy, *written_orders.reinforce):
        yield Advice(line.written.line, line.written.column, *adviser.placing(line), weight=1)
    for line in written_orders.attacks:
        yield Advice(line.written.line, line.written.column, *adviser.attack(line), weight=2)
    for line in written_orders.redeploy:
        yield Advice(line.written.line, line.written.column, *adviser.redeployment(line))


class Adviser:
    """What a position says for a party's orders."""

    def __init__(self, table: GameData, state: Campaign, party: str, phrase: Any) -> None:
        self.board = table.board
        self.rules = table.rules
        self.state = state
        self.party = party
        self.phrase = phrase
        self.phrases = order_phrases("conquestination")

    def placing(self, line: DeployModel) -> tuple[str, str]:
        """Return where units go, and who threatens that country."""
        country = self.board.called(line.country)
        enemies = self._enemies(line.country)
        many = line.units
        units = self.phrase("{units:unit}", units=many) if isinstance(many, int) else self.phrase("all that are left")
        words = self.phrase(self.phrases["deploy"], units=units, start=country) + "."
        if not enemies:
            return words, self.phrase("No enemy is next to it: they wait there for later.")
        figures = {"enemies": enemies, "own": self.state.countries[line.country].units}
        return words, self.phrase("{enemies:enemy unit} next to it, against {own} of yours.", **figures)

    def attack(self, line: AttackModel) -> tuple[str, str]:
        """Return whom to attack, and what chance that has."""
        source = self.board.called(line.source)
        target = self.board.called(line.target)
        there = self.state.countries[line.target]
        engaged = line.strength.of(self._units(line.source), self.rules.attack.stay_behind)
        how = {"with": self._how(line.strength)}
        words = self.phrase(self.phrases["attack"], start=source, end=target, **how) + "."
        held = {*self.state.held(self.party), line.target}
        gained = set(self.board.whole(held)) - set(self.board.whole(self.state.held(self.party)))
        whole = self.phrase(" It would complete {name}.", name=self.board.continents[min(gained)]) if gained else ""
        if there.owner == self.party or not 0 < min(engaged, there.units) <= max(engaged, there.units) <= MOST:
            return words, self.phrase("It follows from what is taken before.") + whole
        chance = f"{outlook(engaged, there.units, self.rules.attack)[0]:.0%}"
        figures = {"engaged": engaged, "units": there.units, "chance": chance}
        return words, self.phrase("{engaged} against {units} win in {chance}.", **figures) + whole

    def redeployment(self, line: RedeployModel) -> tuple[str, str]:
        """Return who moves, and where more enemies stand."""
        ends = {"source": self.board.called(line.source), "target": self.board.called(line.target)}
        how = {"with": self._how(line.strength)}
        words = self.phrase(self.phrases["redeploy"], start=ends["source"], end=ends["target"], **how) + "."
        near = {"there": self._enemies(line.target), "here": self._enemies(line.source)}
        return words, self.phrase("{there:enemy unit} next to {target}, and {here} next to {source}.", **near, **ends)

    def _how(self, strength: Strength) -> str:
        if strength.number is not None:
            return str(self.phrase("{units:unit}", units=strength.number))
        if strength.leave is not None:
            return str(self.phrase("all but {leave}", leave=strength.leave))
        return str(self.phrase("all that may go"))

    def _units(self, country: str) -> int:
        return self.state.countries[country].units

    def _enemies(self, country: str) -> int:
        """Return the units of others next to a country."""
        near = (self.state.countries[neighbour] for neighbour in self.board.neighbours[country])
        return sum(country.units for country in near if country.owner != self.party)
