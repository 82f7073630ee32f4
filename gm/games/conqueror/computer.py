"""The orders of the computer for a seat that it plays (CQ-18)."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from gm.games.conqueror import figures
from gm.games.conqueror.figures import Choose, in_field_and_siege, province_score, why_not_make
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import DIPLOMAT, FARMS, RECRUIT, TAXES, Rules
from gm.games.conqueror.state import NEUTRAL, Move, Orders, Province, Purchase, Work, World

CONTENT = 40  # Below this control it wants a diplomat (CQ-18.3)
NEAR = 2  # Winter is near when so many turns close up to and with it
SETTLED = 3  # Up to this population it builds farms (CQ-18.3, CQ-18.6)


def plan_of(
    world: World, code: str, land: Board, rules: Rules, choose: Choose, *, thrifty: bool = False
) -> Orders:
    """Return the computer's orders for a seat that has a province.

    A ``thrifty`` one saves for the winter's pay first when winter is near, which the rules' own way of
    playing does not (CQ-18.3).
    """
    seat = _Seat(world, code, land, rules)
    seat.thrifty = thrifty
    return Orders(
        moves=tuple(seat.moves(choose)), production=tuple(seat.production()), buy=tuple(seat.purchases())
    )


def needed_against(province: Province, rules: Rules) -> int:
    """Return how many armies an attack on a province needs (CQ-18.4).

    It depends on the chances at which the defenders win duels, in the field and behind works.
    """
    field, inside = in_field_and_siege(province.armies, province.fort, rules)
    weight = field * rules.duel.defender[0] + inside * rules.duel.defender[province.fort]
    return ceil(Fraction(weight, rules.duel.attacker)) + 1


class _Seat:
    thrifty = False

    def __init__(self, world: World, code: str, land: Board, rules: Rules) -> None:
        """Prepare for a position, with the forecast for the seat."""
        self._world = world
        self._code = code
        self._land = land
        self._rules = rules
        self._own = world.owned(code)
        self._capital = world.parties[code].capital or self._own[0].code
        self._outlook = figures.outlook(world, code, land, rules)

    def _beside(self, province: Province) -> list[Province]:
        return [self._world.provinces[neighbour] for neighbour in self._land.neighbours[province.code]]

    def _danger(self, province: Province) -> int:
        """Return the number of armies that rival players have next to a province."""
        return sum(
            neighbour.armies
            for neighbour in self._beside(province)
            if neighbour.owner not in (self._code, NEUTRAL)
        )

    def _threatened(self, province: Province) -> bool:
        return self._danger(province) > province.armies

    def _interior(self, province: Province) -> bool:
        return all(neighbour.owner == self._code for neighbour in self._beside(province))

    def purchases(self) -> Iterator[Purchase]:
        """Yield recruits for endangered provinces, as long as gold covers the winter's bill (CQ-18.2)."""
        gold = self._world.parties[self._code].gold
        garrisons = {province.code: province for province in self._own}
        threatened = [province for province in self._own if self._threatened(province)]
        threatened.sort(
            key=lambda province: (
                province.code != self._capital,
                -province_score(province, self._rules),
                province.code,
            )
        )
        for province in threatened:
            count = 0
            while self._danger(province) > garrisons[province.code].armies:
                garrison = garrisons[province.code]
                price = figures.rush_price(garrison, RECRUIT, self._rules)
                with_recruit = garrison.evolve(fresh=garrison.fresh + 1).with_stored(RECRUIT, 0)
                due = figures.bill(
                    self._capital, [*{**garrisons, with_recruit.code: with_recruit}.values()], self._land
                )
                if price > gold or gold - price < due:
                    break
                garrisons[province.code] = with_recruit
                gold = gold - price
                count = count + 1
            if count:
                yield Purchase(province.code, RECRUIT, count)

    def production(self) -> Iterator[Work]:
        """Return the new work of each province that changes it (CQ-18.3)."""
        items = ((province, self._item(province)) for province in self._own)
        return (Work(province.code, item) for province, item in items if province.item != item)

    def _item(self, province: Province) -> str:
        """Return the best work for a province, the first that applies (CQ-18.3)."""
        coming = self._outlook
        gold = self._world.parties[self._code].gold
        if self.thrifty and coming.turns <= NEAR and gold + coming.until_winter < coming.bill:
            return TAXES
        if self._threatened(province):
            return RECRUIT
        if province.control < CONTENT and not why_not_make(province, DIPLOMAT, self._rules)[0]:
            return DIPLOMAT
        if province.population < SETTLED:
            return FARMS
        if gold + coming.until_winter < coming.bill:
            return TAXES
        if not self._interior(province):
            return RECRUIT
        cultures = (name for name, item in self._rules.items.items() if item.gives_culture)
        return next((name for name in cultures if not why_not_make(province, name, self._rules)[0]), TAXES)

    def moves(self, choose: Choose) -> list[Move]:
        """Return attacks first, then marches of idle inner armies to the border (CQ-18.4, CQ-18.5)."""
        sources = sorted(
            (source for source in self._own if source.fresh > 1),
            key=lambda source: (-source.fresh, source.code),
        )
        moves: list[Move] = []
        targets: set[str] = set()
        for source in sources:
            target = self._prey(source, targets, choose)
            if target is not None:
                targets.add(target.code)
                moves.append(Move(source.code, target.code, source.fresh - 1))
        for source in sources:
            step = self._outward(source) if self._interior(source) else None
            if step is not None:
                moves.append(Move(source.code, step, source.fresh - 1))
        return moves[: self._rules.limits.moves]

    def _prey(self, source: Province, targets_taken: set[str], choose: Choose) -> Province | None:
        """Return the province to attack from ``source``; None if none can be taken.

        It has the highest worth for each army needed. Provinces in ``targets_taken`` are other attacks'
        targets. ``choose`` decides among equals.
        """
        worth: dict[str, Fraction] = {}
        for target in self._beside(source):
            if target.owner == self._code or target.code in targets_taken:
                continue
            needed = needed_against(target, self._rules)
            if needed <= source.fresh - 1:
                worth[target.code] = Fraction(province_score(target, self._rules, armies=False), needed)
        if not worth:
            return None
        best_targets = [code for code, value in worth.items() if value == max(worth.values())]
        index = choose(len(best_targets)) if len(best_targets) > 1 else 0
        return self._world.provinces[best_targets[index]]

    def _outward(self, source: Province) -> str | None:
        """Return the next province on the way to the nearest own one at the border.

        None if there is no way.
        """
        border = [province.code for province in self._own if not self._interior(province)]
        if not border:
            return None
        steps = self._land.steps[source.code]
        goal = min(border, key=lambda place: (steps[place], place))
        steps_to_goal = self._land.steps[goal]
        return min(
            self._land.neighbours[source.code], key=lambda neighbour: (steps_to_goal[neighbour], neighbour)
        )
