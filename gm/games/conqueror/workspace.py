"""The position during a step, and the effects of finished items (CQ-9, CQ-14)."""

from functools import partial
from typing import Any

from gm.core import pipeline
from gm.game.base.events import settled
from gm.games.conqueror.events import CapitalMoved, Improved
from gm.games.conqueror.figures import Battle, fought, new_capital, shifted
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import DIPLOMAT, FARMS, RECRUIT, Item, Rules
from gm.games.conqueror.state import NEUTRAL, Move, Orders, Player, Province, Purchase, Work, World


class Workspace(pipeline.Workspace[World, Rules, Board, Orders]):
    """The position as it is now, and the rules in force."""

    def __init__(self, turn: pipeline.Turn[World, Rules, Board, Orders]) -> None:
        super().__init__(turn)
        self.rules = turn.state.settings.applied(turn.rules)

    def orders(self, code: str) -> Orders:
        """Return the orders for a player's seat: the computer's, if it plays the seat."""
        return self.state.plans.get(code) or self.turn.orders.get(code, Orders())

    def living(self) -> list[tuple[str, Player]]:
        """Return (code, player) for the players who are still in the game, in seat order."""
        return [(code, player) for code, player in self.state.parties.items() if not player.out]

    def put(self, province: Province) -> Province:
        """Store a province; return it."""
        self.state = self.state.with_provinces(province)
        return province

    def change(self, code: str, **changes: Any) -> Province:
        """Change fields of a province; return it."""
        return self.put(self.state.provinces[code].evolve(**changes))

    def enrich(self, code: str, gold: int) -> int:
        """Add gold to a player's treasury, or take it if below 0; return the new amount."""
        self.state = self.state.with_party(code, gold=self.state.parties[code].gold + gold)
        return self.state.parties[code].gold

    def shift(self, code: str, party: str, points: int) -> None:
        """Let a party gain influence in a province, or lose it if ``points`` is below 0 (CQ-14)."""
        self.put(shifted(self.state.provinces[code], party, points, tuple(self.state.parties)))

    def capital_fell(self, code: str, province: str) -> None:
        """Choose another capital for a player who has just lost this province, if it was their capital.

        A player without provinces gets none. Nothing happens for local leaders (CQ-7.11).
        """
        if code in self.state.parties and self.state.parties[code].capital == province:
            capital = new_capital(self.state.owned(code), self.rules)
            self.state = self.state.with_party(code, capital=capital)
            if capital is not None:
                self.emit(CapitalMoved(party=code, formerly=province, capital=capital))

    def finish(self, code: str, item: str, target: str, *, rushed: bool = False) -> None:
        """Carry out what one finished item does: an army, a diplomat's influence, people, works, culture.

        Works, people and culture also bring a player influence, and emit :class:`Improved`. ``target``: the
        province that a diplomat serves, empty for ``code``; ``rushed``: whether the item was bought.
        """
        province = self.state.provinces[code]
        item_rule = self.rules.items[item]
        owner = province.owner
        if item == RECRUIT:
            waits = rushed and not self.rules.knobs.rush_armies_can_move
            if waits:  # the army cannot act this turn
                self.change(code, moved=province.moved + 1)
            else:
                self.change(code, fresh=province.fresh + 1)
        elif item == DIPLOMAT:
            # CQ-9.11: elsewhere only if the two are still of one owner
            is_near = target in self.board.neighbours[code] and self.rules.knobs.diplomat_range
            served_code = target if is_near and self.state.provinces[target].owner == owner else code
            self.shift(served_code, owner, item_rule.control)
        else:
            field, level = _improvement(province, item, item_rule)
            self.change(code, **{field: level})
            if owner != NEUTRAL:
                self.shift(code, owner, item_rule.control)
                self.emit(Improved(owner=owner, province=code, work=item, level=level))

    def battle(self, place: str, attackers: int) -> tuple[Battle, dict[str, Any]]:
        """Fight at a place with the dice of D3, and take the defenders' losses from its armies.

        Return the battle, and the fields ``field``, ``siege`` and ``draws`` of its event. A draw reads like
        ``14/21``: the number drawn, of the number of faces.
        """
        draws: list[str] = []
        province = self.state.provinces[place]
        duels = self.turn.dice(place, "D3 duels")

        def choose(faces: int) -> int:
            """Draw a number below ``faces``, from 0 on, and record it."""
            drawn = duels.below(faces)
            draws.append(f"{drawn + 1}/{faces}")
            return drawn

        fight = fought(attackers, province.armies, province.fort, self.rules, choose)
        self.put(province.with_losses(province.armies - fight.defenders))
        return fight, {"field": fight.field, "siege": fight.siege, "draws": tuple(draws)}

    def settle(self, code: str, order: Move | Work | Purchase, *fate: Any, **figures: Any) -> None:
        """Emit the outcome of an order from a player's file; nothing for one of the computer.

        ``fate``: the :class:`OrderOutcome` and the key of the reason; none: it was carried out. ``figures``
        are filled into the sentence of the reason.
        """
        if order.written is not None:
            self.emit(settled(code, order.written, *fate, **figures))


step = partial(pipeline.step, on=Workspace)  # Makes a step of a function that changes a workspace


def _improvement(province: Province, item: str, item_rule: Item) -> tuple[str, int]:
    """Return the name of the province's field that an item raises, and the new value."""
    if item == FARMS:
        return "population", province.population + 1
    if item_rule.works:
        return "fort", item_rule.works
    return "culture", item_rule.gives_culture
