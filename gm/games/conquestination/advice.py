"""Reasons for advised orders: neighbours of a country, the odds of an attack, what it would complete."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder, times_in_ten
from gm.game.base.hooks import formatter_of
from gm.game.base.writer import JsonOrder, drawn, order_phrases
from gm.game.values import GameData
from gm.games.conquestination.amounts import Strength
from gm.games.conquestination.choices import ATTACK, DEPLOY, REDEPLOY, REINFORCE
from gm.games.conquestination.odds import MOST, outlook
from gm.games.conquestination.orders import AttackModel, DeployModel, RedeployModel
from gm.games.conquestination.state import Campaign, reinforcements
from gm.text.languages import Translate
from gm.text.words import EventFormatter


def advice(
    spec: Any,
    table: GameData,
    state: Campaign,
    party: str,
    sheet: Any,
    orders: Sequence[TriedOrder],
    translate: Translate,
) -> Iterator[Advice]:
    """Yield each line of a party's file ``sheet`` in words, with its reason.

    ``state``: the position before the turn; ``orders`` of the trial are not used.
    """
    formatter = formatter_of(spec, table, (state,), translate)
    written_orders = sheet.orders
    adviser = Adviser(table, state, party, formatter, written_orders.reinforce)
    for line in (*written_orders.deploy, *written_orders.reinforce):
        place = (line.written.line, line.written.column)
        words, why = adviser.placing(line)
        yield Advice(*place, words, why, weight=1, taken=(drawn_placing(state, line),))
    for line in written_orders.attacks:
        place = (line.written.line, line.written.column)
        words, why, share = adviser.attack(line)
        drawn_orders = drawn_attacks(state, line, written_orders)
        # attacks come before placings, the surest first
        yield Advice(*place, words, why, 2 + share, line.target, drawn_orders)
    for line in written_orders.redeploy:
        place = (line.written.line, line.written.column)
        drawn_line = drawn(REDEPLOY, line.source, line.target, **_strength_field(line.strength))
        # conditions cannot be drawn, only written in the file
        words, why = adviser.redeployment(line)
        yield Advice(*place, words, why, taken=() if line.condition else (drawn_line,))


def drawn_placing(state: Campaign, line: DeployModel) -> JsonOrder:
    """Return the placing of units as the page's order writer stores it."""
    verb = DEPLOY if state.run == 0 else REINFORCE
    return drawn(verb, line.country, units=line.units)


def drawn_attacks(state: Campaign, line: AttackModel, written_orders: Any) -> tuple[JsonOrder, ...]:
    """Return an attack as the page's order writer stores it, with the orders that it depends on.

    Those are the placings of its units, and the attacks that take the country where it begins. Empty if one
    of them has conditions, which only the whole file can express.
    """
    attacks = _chain(line, written_orders.attacks)
    if any(attack.condition for attack in attacks):
        return ()
    starts = {attack.source for attack in attacks}
    placings = [placing for placing in written_orders.reinforce if placing.country in starts]
    return (
        *(drawn_placing(state, placing) for placing in placings),
        *(
            drawn(
                ATTACK,
                attack.source,
                attack.target,
                **_strength_field(attack.strength),
                **_limit_fields(attack),
            )
            for attack in attacks
        ),
    )


def _chain(line: AttackModel, attacks: Sequence[AttackModel]) -> list[AttackModel]:
    """Return the earlier attacks without which a line could not begin where it does, and the line last."""
    chain = [line]
    for attack in reversed(attacks[: attacks.index(line)]):
        if attack.target == chain[0].source:
            chain.insert(0, attack)
    return chain


def _strength_field(strength: Strength) -> JsonOrder:
    """Return the field of the page's order writer for the units that go."""
    if strength.leave is not None:
        return {"with": ("{leave: #}", strength.leave)}
    return {"with": "max" if strength.number is None else strength.number}


def _limit_fields(line: AttackModel) -> JsonOrder:
    """Return the fields of the page's order writer for when an attack is broken off."""
    limits = {"keep": line.until.keep, "rolls": line.until.rolls}
    return {name: number for name, number in limits.items() if number is not None}


class Adviser:
    """Finds the reasons for a party's orders in a position."""

    def __init__(
        self,
        table: GameData,
        state: Campaign,
        party: str,
        formatter: EventFormatter,
        reinforcements: Sequence[DeployModel] = (),
    ) -> None:
        """Prepare for a position before the turn.

        ``reinforcements``: the party's orders to place new units.
        """
        self.reinforcements = reinforcements
        self.translate = formatter.translate
        self.board = table.board
        self.rules = table.rules
        self.state = state
        self.party = party
        self.phrase = formatter.phrase
        self.order_patterns = order_phrases("conquestination")  # by the order's word

    def placing(self, line: DeployModel) -> tuple[str, str]:
        """Return (order, reason) in words for a placing: the enemies that threaten the country."""
        country = self.board.called(line.country)
        enemies = self._enemy_units_beside(line.country)
        if isinstance(line.units, int):
            units = self.phrase("{units:unit}", units=line.units)
        else:
            units = self.phrase("all that are left")
        words = self.phrase(self.order_patterns["deploy"], units=units, start=country) + "."
        if not enemies:
            return words, self.phrase("No enemy is next to it: they wait there for later.")
        figures = {"enemies": enemies, "own": self.state.countries[line.country].units}
        return words, self.phrase("{enemies:enemy unit} next to it, against {own} of yours.", **figures)

    def attack(self, line: AttackModel) -> tuple[str, str, float]:
        """Return (order in words, odds and gain in words, probability to win) for an attack.

        The probability is 0 if the attack is possible only after others, or too large to work out the odds.
        """
        source = self.board.called(line.source)
        target = self.board.called(line.target)
        defender = self.state.countries[line.target]
        engaged = line.strength.of(self._units(line.source), self.rules.attack.stay_behind)
        how = {"with": self._strength_in_words(line.strength)}
        words = self.phrase(self.order_patterns["attack"], start=source, end=target, **how) + "."
        has_odds = engaged >= 1 and max(engaged, defender.units) <= MOST
        if defender.owner == self.party or not has_odds:
            return words, self.phrase("It follows from what is taken before."), 0.0
        share, _, _ = outlook(engaged, defender.units, self.rules.attack)
        figures = {"engaged": engaged, "units": defender.units, "chance": times_in_ten(share, self.translate)}
        return words, self._gain(line.target, figures), share

    def _gain(self, target: str, figures: JsonOrder) -> str:
        """Return in words the odds of an attack, and what its target adds to the next reinforcement.

        ``figures``: the values for the words about the odds; those about the gain are added to it.
        """
        countries_before = self.state.held(self.party)
        countries = {*countries_before, target}
        continents_gained = set(self.board.whole(countries)) - set(self.board.whole(countries_before))
        figures["more"] = self._reinforcement(countries) - self._reinforcement(countries_before)
        if continents_gained:  # it is one: that of the target
            return str(
                self.phrase(
                    "{units:unit holds|units hold} it, your {engaged} win {chance}, and it completes "
                    "{name} and pays {more:unit} a turn.",
                    name=self.board.continents[min(continents_gained)],
                    **figures,
                )
            )
        if figures["more"]:
            return str(
                self.phrase(
                    "{units:unit holds|units hold} it, your {engaged} win {chance}, and it pays {more:unit} "
                    "a turn.",
                    **figures,
                )
            )
        return str(
            self.phrase("{units:unit holds|units hold} it, and your {engaged} win {chance}.", **figures)
        )

    def _reinforcement(self, held: Collection[str]) -> int:
        """Return the number of units that a player with these countries gets in a turn (CN-6)."""
        return reinforcements(held, self.board, self.state.settings.applied(self.rules).reinforcement).units

    def redeployment(self, line: RedeployModel) -> tuple[str, str]:
        """Return (order, reason) in words for a redeployment: the enemies beside both countries."""
        ends = {"source": self.board.called(line.source), "target": self.board.called(line.target)}
        how = {"with": self._strength_in_words(line.strength)}
        pattern = self.order_patterns["redeploy"]
        words = self.phrase(pattern, start=ends["source"], end=ends["target"], **how) + "."
        near = {"there": self._enemy_units_beside(line.target), "here": self._enemy_units_beside(line.source)}
        return words, self.phrase(
            "{there:enemy unit} next to {target}, and {here} next to {source}.", **near, **ends
        )

    def _strength_in_words(self, strength: Strength) -> str:
        """Return the strength of a move in words: a number, all but some, or all."""
        if strength.number is not None:
            return str(self.phrase("{units:unit}", units=strength.number))
        if strength.leave is not None:
            return str(self.phrase("all but {leave}", leave=strength.leave))
        return str(self.phrase("all that may go"))

    def _units(self, country: str) -> int:
        """Return the number of units in a country after the reinforcements that the orders place."""
        units = self.state.countries[country].units
        return units + sum(self._placed_by(line) for line in self.reinforcements if line.country == country)

    def _placed_by(self, line: DeployModel) -> int:
        """Return the number of units that a line places: what it names, or all that earlier lines leave."""
        if isinstance(line.units, int):
            return line.units
        before = self.reinforcements[: self.reinforcements.index(line)]
        named_count = sum(other.units for other in before if isinstance(other.units, int))
        return max(0, self.state.next_units(self.party, self.board, self.rules) - named_count)

    def _enemy_units_beside(self, country: str) -> int:
        """Return the number of units of others next to a country."""
        neighbours = (self.state.countries[neighbour] for neighbour in self.board.neighbours[country])
        return sum(neighbour.units for neighbour in neighbours if neighbour.owner != self.party)
