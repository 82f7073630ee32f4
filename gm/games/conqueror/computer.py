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
NEAR = 2  # Winter is near if so many turns, or fewer, are left with the winter turn itself
SETTLED = 3  # Below this population it builds farms (CQ-18.3, CQ-18.6)


def plan_of(
    world: World, code: str, land: Board, rules: Rules, choose: Choose, *, thrifty: bool = False
) -> Orders:
    """Return the computer's orders for a seat that has a province.

    ``choose`` decides between equal targets; ``thrifty``: when winter is near, the seat saves for the armies'
    pay before anything else, which the computer of the rules does not do (CQ-18.3).
    """
    seat = _Seat(world, code, land, rules, thrifty=thrifty)
    return Orders(
        moves=tuple(seat.moves(choose)), production=tuple(seat.production()), buy=tuple(seat.purchases())
    )


def needed_against(province: Province, rules: Rules) -> int:
    """Return how many armies an attack on a province needs (CQ-18.4).

    It is one more than the armies that the defenders can be expected to beat, in the field and behind works.
    """
    field, inside = in_field_and_siege(province.armies, province.fort, rules)
    # in each duel the odds for the defender are his number to the attacker's
    strength = field * rules.duel.defender[0] + inside * rules.duel.defender[province.fort]
    return ceil(Fraction(strength, rules.duel.attacker)) + 1


class _Seat:
    """Plans the computer's orders for one seat in a position before a turn."""

    def __init__(self, world: World, code: str, land: Board, rules: Rules, *, thrifty: bool) -> None:
        self._thrifty = thrifty
        self._world = world
        self._code = code
        self._land = land
        self._rules = rules
        self._own = world.owned(code)
        # between turns a seat with a province has a capital
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

    def _is_threatened(self, province: Province) -> bool:
        return self._danger(province) > province.armies

    def _is_interior(self, province: Province) -> bool:
        return all(neighbour.owner == self._code for neighbour in self._beside(province))

    def purchases(self) -> Iterator[Purchase]:
        """Yield recruits for endangered provinces, the capital first, then by their score (CQ-18.2).

        Each gets as many as make it as strong as its rivals nearby, as long as gold covers the winter's bill.
        """
        gold = self._world.parties[self._code].gold
        provinces = {province.code: province for province in self._own}  # with the recruits bought so far
        threatened = [province for province in self._own if self._is_threatened(province)]
        threatened.sort(
            key=lambda province: (
                province.code != self._capital,
                -province_score(province, self._rules),
                province.code,
            )
        )
        for province in threatened:
            count = 0
            while self._danger(province) > provinces[province.code].armies:
                before = provinces[province.code]
                price = figures.rush_price(before, RECRUIT, self._rules)
                # the labour that is stored for a recruit is used up by the first
                with_recruit = before.evolve(fresh=before.fresh + 1).with_stored(RECRUIT, 0)
                provinces_after = {**provinces, province.code: with_recruit}
                due = figures.bill(self._capital, list(provinces_after.values()), self._land)
                if price > gold or gold - price < due:
                    break
                provinces = provinces_after
                gold -= price
                count += 1
            if count:
                yield Purchase(province.code, RECRUIT, count)

    def production(self) -> Iterator[Work]:
        """Yield the new work of each province that changes it (CQ-18.3)."""
        for province in self._own:
            item = self._best_item(province)
            if item != province.item:
                yield Work(province.code, item)

    def _best_item(self, province: Province) -> str:
        """Return the item that a province should work on: the first that applies (CQ-18.3)."""
        coming = self._outlook
        gold = self._world.parties[self._code].gold
        if self._thrifty and coming.turns <= NEAR and gold + coming.until_winter < coming.bill:
            return TAXES
        if self._is_threatened(province):
            return RECRUIT
        if province.control < CONTENT and self._can_make(province, DIPLOMAT):
            return DIPLOMAT
        if province.population < SETTLED:
            return FARMS
        if gold + coming.until_winter < coming.bill:
            return TAXES
        if not self._is_interior(province):
            return RECRUIT
        return self._possible_culture(province) or TAXES

    def _possible_culture(self, province: Province) -> str:
        """Return the item with which a province can raise its culture; empty if there is none."""
        for name, item in self._rules.items.items():
            if item.gives_culture and self._can_make(province, name):
                return name
        return ""

    def _can_make(self, province: Province, item: str) -> bool:
        reason, _ = why_not_make(province, item, self._rules)
        return not reason

    def moves(self, choose: Choose) -> list[Move]:
        """Return attacks, then marches of armies inside the realm to its border (CQ-18.4, CQ-18.5).

        Those beyond the number of moves that the rules allow are left out.
        """
        # one army stays behind in each province
        sources = sorted(
            (source for source in self._own if source.fresh > 1),
            key=lambda source: (-source.fresh, source.code),
        )
        moves: list[Move] = []
        targets: set[str] = set()
        for source in sources:
            target = self._best_target(source, targets, choose)
            if target is not None:
                targets.add(target.code)
                moves.append(Move(source.code, target.code, source.fresh - 1))
        for source in sources:
            # an attack is made from the border: the armies inside are all still there
            step = self._step_outward(source) if self._is_interior(source) else None
            if step is not None:
                moves.append(Move(source.code, step, source.fresh - 1))
        return moves[: self._rules.limits.moves]

    def _best_target(self, source: Province, targets_taken: set[str], choose: Choose) -> Province | None:
        """Return the province to attack from ``source``; None if its armies suffice for none of those left.

        It has the highest score for each army that is needed; ``choose`` decides among equals.
        ``targets_taken``: provinces that other attacks go to, which are left out.
        """
        worth: dict[str, Fraction] = {}
        for target in self._beside(source):
            if target.owner == self._code or target.code in targets_taken:
                continue
            needed = needed_against(target, self._rules)
            if needed <= source.fresh - 1:  # one stays (CQ-18.4)
                worth[target.code] = Fraction(province_score(target, self._rules, armies=False), needed)
        if not worth:
            return None
        best_targets = [code for code, value in worth.items() if value == max(worth.values())]
        index = choose(len(best_targets)) if len(best_targets) > 1 else 0
        return self._world.provinces[best_targets[index]]

    def _step_outward(self, source: Province) -> str | None:
        """Return the next province on the way to the nearest own province at the border.

        None if no own province is at the border.
        """
        border = [province.code for province in self._own if not self._is_interior(province)]
        if not border:
            return None
        steps = self._land.steps[source.code]
        goal = min(border, key=lambda place: (steps[place], place))
        steps_to_goal = self._land.steps[goal]
        return min(
            self._land.neighbours[source.code], key=lambda neighbour: (steps_to_goal[neighbour], neighbour)
        )
