"""Bots with a profile: each values armies, land and labour differently, in gold.

Random whims vary its play from game to game. The profiles are data (``rules/conqueror/tempers.yaml``).
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import count
from operator import truediv

from gm.core.dice import Dice, Stream
from gm.core.values import Percent, Record, Value
from gm.core.yaml.models import load_values
from gm.game.values import View
from gm.games.conqueror import figures
from gm.games.conqueror.figures import chances_of, labour, province_score, rush_price, why_not_make
from gm.games.conqueror.land import Board
from gm.games.conqueror.orders import BY_THE_NUMBER
from gm.games.conqueror.rules import DIPLOMAT, FARMS, RECRUIT, TAXES, Rules
from gm.games.conqueror.state import ALL_INFLUENCE, NEUTRAL, Move, Orders, Province, Purchase, Work, World
from gm.resources import resource

HELD = 50  # The control that it reckons with in a province that it would take
CONTENT = 40  # control below which a diplomat is worth more
CALMED = 4.0  # how many times as much
DUEL = 2  # So many powers fight to the end
MOST_AT_ONCE = 3  # So many recruits it buys in a province and turn


class Temper(Value):
    """A bot's profile; ``rules/conqueror/tempers.yaml`` explains each figure."""

    about: str
    sight: int
    chance: Percent
    land: float
    army: float
    drill: int
    prize: float
    fading: int
    guard: int
    rebels: int
    upkeep: int
    alarm: int
    bargain: int
    whim: Percent
    duel: Mapping[str, int] = {}


@cache
def tempers() -> Mapping[str, Temper]:
    """Return all profiles, by name."""
    return load_values(resource("rules", "conqueror", "tempers.yaml"), Temper)


def in_duel(temper: Temper) -> Temper:
    """Return a profile with the figures that replace its own once only two powers are left."""
    return temper.evolve(**temper.duel)


class _Battles(Record):
    """Odds of battles under some rules, cached by duel numbers and garrison."""

    rules: Rules

    def __hash__(self) -> int:
        return hash((self.rules.duel, self.rules.garrison))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Battles) and all(
            getattr(self.rules, name) == getattr(other.rules, name) for name in ("duel", "garrison")
        )

    @cache  # noqa: B019 - there are as many as there are rules
    def prospect(self, attackers: int, armies: int, fort: int) -> tuple[float, float]:
        """Return the chance to take a place, and the average number of attackers left."""
        ends = chances_of(attackers, armies, fort, self.rules, truediv).items()
        return sum(share for (_, theirs), share in ends if not theirs), sum(
            left[0] * share for left, share in ends
        )

    @cache  # noqa: B019
    def wanted(self, armies: int, fort: int, percent: int) -> int:
        """Return the fewest attackers that take a place with a chance of ``percent``."""
        if not armies:
            return 1
        enough = next(
            many for many in (1 << power for power in count()) if self._percent(many, armies, fort) >= percent
        )
        counts = range(enough)
        return bisect_left(
            counts, float(percent), enough // 2, key=lambda many: self._percent(many, armies, fort)
        )

    def _percent(self, attackers: int, armies: int, fort: int) -> float:
        return self.prospect(attackers, armies, fort)[0] * 100


class _Attack(Record):
    """The armies that could attack a target, by province, and the worth of the attack."""

    target: str
    sent: Mapping[str, int]
    worth: float

    @property
    def efficiency(self) -> float:
        """The worth for each army that it sends and each order that it takes."""
        return self.worth / (len(self.sent) + sum(self.sent.values()))


class Planner:
    """A seat's plan for a turn."""

    def __init__(
        self, world: World, code: str, land: Board, rules: Rules, temper: Temper, chance: Stream
    ) -> None:
        """Prepare for a position, with a profile and the bot's own dice."""
        self._world = world
        self._code = code
        self._land = land
        self._rules = rules
        self._temper = temper
        self._chance = chance
        self._battles = _Battles(rules)
        self._own = {province.code: province for province in world.owned(code)}
        self._capital = world.parties[code].capital or next(iter(self._own))
        self._turn = world.turn + 1
        self._left = max(1, rules.limits.turns - world.turn)
        self._sight = min(temper.sight, self._left - 1)
        self._winter = rules.turns_to_winter(self._turn)
        self._targets = [world.provinces[place] for place in sorted(land.beside(self._own))]
        self._labour = {code: labour(province, self._turn, rules) for code, province in self._own.items()}

    def orders(self) -> Orders:
        """Return the orders of the turn: moves, work and purchases."""
        moves = tuple(self._moves())
        works, bought = self._works()
        return Orders(moves, works, bought)

    def _whim(self) -> float:
        """Return a random factor around 1, by which the bot's values vary from game to game."""
        return 1 + self._temper.whim * (self._chance.below(201) - 100) / 10_000

    @cached_property
    def _front(self) -> Mapping[str, int]:
        """The steps from each own province to the nearest province of another owner."""
        return {code: self._steps_to_other(code) for code in self._own}

    def _steps_to_other(self, code: str) -> int:
        """Return the steps from a province to the nearest that is not its owner's."""
        steps = self._land.steps[code]
        return min((steps[target.code] for target in self._targets), default=1)

    # -- war

    @cached_property
    def _danger(self) -> Mapping[str, int]:
        """The most armies that one rival has next to each own province."""
        dangers = {}
        for code in self._own:
            rivals: dict[str, int] = {}
            for neighbour in map(self._world.provinces.__getitem__, self._land.neighbours[code]):
                if neighbour.owner not in (self._code, NEUTRAL):
                    rivals[neighbour.owner] = rivals.get(neighbour.owner, 0) + neighbour.armies
            dangers[code] = max(rivals.values(), default=0)
        return dangers

    def _free(self, province: Province) -> int:
        """Return the number of a province's armies that need not guard it against rebels or rivals."""
        word = self._rules.control_word(province.control)
        guards = 0
        if self._rules.rebellion.base_percent.get(word) and self._left > 1:
            guards = -(-province.population * self._temper.rebels // 100)
        guard = -(-self._danger[province.code] * self._temper.guard // 100)
        return max(0, province.fresh - max(guards, guard))

    def _worth(self, province: Province) -> float:
        """Return the worth of winning a province, in gold."""
        worked = (province.population + province.resources) * province.culture * (1 + HELD / ALL_INFLUENCE)
        return self._temper.land * province_score(province, self._rules, armies=False) + worked * self._sight

    def _wanted(self, target: Province) -> int:
        return self._battles.wanted(target.armies, target.fort, self._temper.chance)

    def _attack(self, target: Province, free: Mapping[str, int]) -> _Attack | None:
        """Return the fewest armies that take a target at the wanted odds; None if none are worth it."""
        sources = [neighbour for neighbour in self._land.neighbours[target.code] if free.get(neighbour)]
        armies_of_province: dict[str, int] = {}
        needed = missing = self._wanted(target)
        for source in sorted(sources, key=lambda source: (-free[source], source)):
            armies_of_province[source] = min(free[source], missing)
            missing -= armies_of_province[source]
            if not missing:
                taken, left = self._battles.prospect(needed, target.armies, target.fort)
                worth = taken * self._worth(target) * self._whim() - self._temper.army * (needed - left)
                return _Attack(target.code, armies_of_province, worth) if worth > 0 else None
        return None

    def _moves(self) -> Iterator[Move]:
        """Yield attacks, the most efficient first, and then marches."""
        free = {code: self._free(province) for code, province in self._own.items()}
        targets = list(self._targets)
        limit = self._rules.limits.moves
        orders: list[tuple[str, str, int]] = []
        while len(orders) < limit:
            possible = [self._attack(target, free) for target in targets]
            attacks = [attack for attack in possible if attack and len(attack.sent) <= limit - len(orders)]
            if not attacks:
                break
            best_attack = max(attacks, key=lambda attack: (attack.efficiency, attack.target))
            targets = [target for target in targets if target.code != best_attack.target]
            for source, armies in best_attack.sent.items():
                free[source] -= armies
                orders.append((source, best_attack.target, armies))
        for source, target, armies in orders:
            # a province's first attack takes its idle armies along, but not before a winter that pays all
            idle = free[source] if self._winter > 1 and not self._danger[source] else 0
            free[source] -= idle
            yield Move(source, target, armies + idle)
        if self._winter > 1:
            yield from self._marches(free, limit - len(orders))

    def _marches(self, free: Mapping[str, int], most: int) -> Iterator[Move]:
        """Yield marches of idle inner armies towards the border, preferably against a rival."""
        front = [code for code, steps in self._front.items() if steps == 1]
        idle = sorted(
            (place for place in free if free[place] and self._front[place] > 1),
            key=lambda place: (-free[place], place),
        )
        if not front:
            return
        for code in idle[:most]:
            steps = self._land.steps[code]
            goal = min(front, key=lambda place: (steps[place], -self._danger[place], place))
            from_goal = self._land.steps[goal]
            nearer = [
                neighbour
                for neighbour in self._land.neighbours[code]
                if neighbour in self._own and from_goal[neighbour] < from_goal[code]
            ]
            if nearer:
                yield Move(code, min(nearer, key=lambda place: (from_goal[place], place)), free[code])

    # -- labour and gold

    @cached_property
    def _prize(self) -> float:
        """The greatest worth, in gold, of an attack next door for each army that it takes."""
        most = max((self._worth(target) / self._wanted(target) for target in self._targets), default=0.0)
        return min(self._temper.prize, most * self._temper.drill / 100)

    def _value(self, province: Province, item: str) -> float:
        """Return the worth of one more of an item in a province, in gold."""
        figures = self._rules.items[item]
        score = self._rules.score
        land = self._temper.land
        people = province.population + province.resources
        control = province.control if province.control >= self._rules.productivity.bonus_from_control else 0
        zeal = 1 + control / ALL_INFLUENCE
        if item == RECRUIT:
            return self._army(province)
        if item == DIPLOMAT:
            gained = min(figures.control, ALL_INFLUENCE - province.control)
            calm = CALMED if gained and province.control < CONTENT else 0.0
            return gained / ALL_INFLUENCE * people * province.culture * self._sight + calm
        if item == FARMS:
            return land * score.population + province.culture * zeal * self._sight
        if figures.gives_culture:
            return land * score.culture + people * zeal * self._sight
        return land * score.fort

    def _army(self, province: Province) -> float:
        """Return the worth of one more army here, in gold: what it could win, less the winters in sight."""
        least = self._temper.land * self._rules.score.army
        if not self._sight:
            return least
        cost = 0.0
        if province.armies >= province.population:
            winter_cost = self._land.steps[self._capital][province.code] + 1
            cost = winter_cost * self._temper.upkeep / 100 * self._sight / 4
        prize = self._prize * (self._temper.fading / 100) ** (self._front[province.code] - 1)
        is_threatened = self._danger[province.code] > province.armies
        alarm = self._temper.alarm / 100 if is_threatened else 1.0
        return max(least, prize - cost) * alarm

    def _wishes(self, province: Province) -> list[tuple[float, str]]:
        """Return the possible works of a province, the best first, with the worth per unit of labour."""
        worked = self._labour[province.code]
        rated_items = [(1.0, TAXES)]
        for item, made in self._rules.items.items():
            if item == TAXES or why_not_make(province, item, self._rules)[0]:
                continue
            price = made.price(province.population)
            turns = -(-max(0, price - province.stored.get(item, 0)) // worked)
            if turns <= self._left:
                # what comes later is worth less
                waits = 1 - min(1.0, max(0, turns - 1) / max(1, self._temper.sight))
                rated_items.append((self._value(province, item) * waits * self._whim() / max(1, price), item))
        return sorted(rated_items, reverse=True)

    def _works(self) -> tuple[tuple[Work, ...], tuple[Purchase, ...]]:
        """Return the work of each province, and the purchases.

        Taxes are collected where winter needs them; gold buys with what winter leaves.
        """
        gold = self._world.parties[self._code].gold
        own = self._own
        wishes = {code: self._wishes(province) for code, province in own.items()}
        items = {code: wish[0][1] for code, wish in wishes.items()}
        due = figures.bill(self._capital, list(own.values()), self._land)
        taxes = sum(self._labour[code] for code, item in items.items() if item == TAXES)
        for code in sorted(own, key=lambda place: (wishes[place][0][0], place)):
            if items[code] != TAXES and (due - gold) > taxes * self._winter:
                items[code] = TAXES
                taxes += self._labour[code]
        bought = self._purchases(wishes, gold - max(0, due - taxes * self._winter))
        return tuple(Work(code, item) for code, item in items.items() if own[code].item != item), tuple(
            bought
        )

    def _purchases(self, wishes: Mapping[str, Iterable[tuple[float, str]]], gold: int) -> Iterator[Purchase]:
        """Yield purchases that are worth more than their price, the best first."""
        offers = []
        for code, wish in wishes.items():
            for item in (item_name for _, item_name in wish if item_name != TAXES):
                price = rush_price(self._own[code], item, self._rules)
                offers.append((self._value(self._own[code], item) / max(1, price), price, code, item))
        once: set[str] = set()
        for worth, price, code, item in sorted(offers, reverse=True):
            single = item not in BY_THE_NUMBER
            if worth * 100 < self._temper.bargain or price > gold or (single and code in once):
                continue
            many = min(MOST_AT_ONCE, gold // max(1, price)) if item == RECRUIT else 1
            if single:
                once.add(code)
            gold -= price * many
            yield Purchase(code, item, many)


def plan_of(name: str, view: View) -> Orders:
    """Return the orders that the profile of this name plans."""
    world: World = view.state
    rules = world.settings.applied(view.table.rules)
    chance = Dice(view.seed)("whims", view.turn)
    temper = tempers()[name]
    if sum(player.alive for player in world.parties.values()) == DUEL:
        temper = in_duel(temper)
    return Planner(world, view.realm, view.table.board, rules, temper, chance).orders()
