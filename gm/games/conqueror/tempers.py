"""Bots with a profile: each values armies, land and labour differently, in gold.

Random factors vary their play from game to game. The profiles are data (``rules/conqueror/tempers.yaml``).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property

from gm.core.dice import Dice, Stream
from gm.core.values import Percent, Record, Value
from gm.core.yaml.models import load_values
from gm.game.values import View
from gm.games.conqueror import figures
from gm.games.conqueror.figures import labour, province_score, rush_price, why_not_make
from gm.games.conqueror.land import Board
from gm.games.conqueror.orders import BY_THE_NUMBER
from gm.games.conqueror.prospects import Prospects
from gm.games.conqueror.rules import DIPLOMAT, FARMS, RECRUIT, TAXES, Rules
from gm.games.conqueror.state import ALL_INFLUENCE, NEUTRAL, Move, Orders, Province, Purchase, Work, World
from gm.resources import resource

CONTROL_EXPECTED = 50  # The control that a bot expects in a province that it would take
CONTENT = 40  # The control below which a diplomat is worth more
CALMED = 4.0  # The gold by which it is worth more
DUEL = 2  # The number of powers left with which a profile becomes that of a duel
MOST_AT_ONCE = 3  # The most recruits that a bot buys in a province and turn


class Temper(Value):
    """A bot's profile; ``rules/conqueror/tempers.yaml`` explains the figures."""

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
    """Return a profile with the figures of ``duel`` instead of its own: for when only two powers are left."""
    return temper.evolve(**temper.duel)


class _Attack(Record):
    """An attack that is possible."""

    target: str
    sent: Mapping[str, int]  # Armies by province
    worth: float  # In gold

    @property
    def efficiency(self) -> float:
        """The worth, divided by the number of the armies that it sends and the orders that it takes."""
        return self.worth / (len(self.sent) + sum(self.sent.values()))


class Planner:
    """Plans a seat's orders for a turn by a bot's profile."""

    def __init__(
        self, world: World, code: str, land: Board, rules: Rules, temper: Temper, chance: Stream
    ) -> None:
        """Prepare for a position before the turn, with a profile and the bot's own dice."""
        self._world = world
        self._code = code
        self._land = land
        self._rules = rules
        self._temper = temper
        self._dice = chance
        self._prospects = Prospects(rules)
        self._own = {province.code: province for province in world.owned(code)}
        # whoever has a province has a capital: the other case is for the type alone
        self._capital = world.parties[code].capital or next(iter(self._own))
        turn = world.turn + 1
        self._turns_left = max(1, rules.limits.turns - world.turn)
        self._sight = min(temper.sight, self._turns_left - 1)  # how many turns ahead it counts income
        self._turns_to_winter = rules.turns_to_winter(turn)
        self._targets = [world.provinces[place] for place in sorted(land.beside(self._own))]
        self._labour = {code: labour(province, turn, rules) for code, province in self._own.items()}

    def orders(self) -> Orders:
        """Return the orders of the turn: moves, work and purchases."""
        moves = tuple(self._moves())
        works, purchases = self._works_and_purchases()
        return Orders(moves, works, purchases)

    def _random_factor(self) -> float:
        """Return a random factor around 1, by which the bot's values vary from game to game."""
        # ``whim`` is a percentage, of which a part from -1 to 1 is drawn in hundredths
        return 1 + self._temper.whim * (self._dice.below(201) - 100) / 10_000

    @cached_property
    def _distances(self) -> Mapping[str, int]:
        """The steps from each own province, by code, to the nearest province of another owner."""
        return {code: self._steps_to_other(code) for code in self._own}

    def _steps_to_other(self, code: str) -> int:
        """Return the steps from an own province to the nearest of another owner; 1 if there is none."""
        steps = self._land.steps[code]
        return min((steps[target.code] for target in self._targets), default=1)

    # -- war

    @cached_property
    def _danger(self) -> Mapping[str, int]:
        """The most armies that a single rival has next to each own province, by code."""
        dangers = {}
        for code in self._own:
            armies_of_rival: dict[str, int] = {}
            for neighbour in map(self._world.provinces.__getitem__, self._land.neighbours[code]):
                owner = neighbour.owner
                if owner not in (self._code, NEUTRAL):
                    armies_of_rival[owner] = armies_of_rival.get(owner, 0) + neighbour.armies
            dangers[code] = max(armies_of_rival.values(), default=0)
        return dangers

    def _free(self, province: Province) -> int:
        """Return the number of a province's armies that need not guard it against rebels or rivals."""
        word = self._rules.control_word(province.control)
        against_rebels = 0
        if self._rules.rebellion.base_percent.get(word) and self._turns_left > 1:
            against_rebels = -(-province.population * self._temper.rebels // 100)  # rounded up
        against_rivals = -(-self._danger[province.code] * self._temper.guard // 100)
        return max(0, province.fresh - max(against_rebels, against_rivals))

    def _worth(self, province: Province) -> float:
        """Return the worth, in gold, of a province's score and of its labour in the turns in sight."""
        whole_labour = (province.population + province.resources) * province.culture
        labour_won = whole_labour * (1 + CONTROL_EXPECTED / ALL_INFLUENCE)
        score = province_score(province, self._rules, armies=False)
        return self._temper.land * score + labour_won * self._sight

    def _wanted(self, target: Province) -> int:
        """Return the fewest attackers that take a province with the probability that the profile wants."""
        return self._prospects.wanted(target.armies, target.fort, self._temper.chance)

    def _attack(self, target: Province, free: Mapping[str, int]) -> _Attack | None:
        """Return the attack with the fewest armies that take a target at the wanted odds.

        None if there are not so many ``free`` armies, by province, next to it, or if it is not worth it.
        """
        sources = [neighbour for neighbour in self._land.neighbours[target.code] if free.get(neighbour)]
        armies_of_province: dict[str, int] = {}
        needed = missing = self._wanted(target)
        for source in sorted(sources, key=lambda source: (-free[source], source)):
            armies_of_province[source] = min(free[source], missing)
            missing -= armies_of_province[source]
            if not missing:
                share_taken, average_left = self._prospects.of_attack(needed, target.armies, target.fort)
                gain = share_taken * self._worth(target) * self._random_factor()
                worth = gain - self._temper.army * (needed - average_left)
                return _Attack(target.code, armies_of_province, worth) if worth > 0 else None
        return None

    def _moves(self) -> Iterator[Move]:
        """Yield attacks, the most efficient first, then marches of idle armies, as many as are allowed.

        When armies are paid this turn, idle ones stay where they are.
        """
        free = {code: self._free(province) for code, province in self._own.items()}
        targets = list(self._targets)
        limit = self._rules.limits.moves
        orders: list[tuple[str, str, int]] = []  # (source, target, armies)
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
            # a province's first attack takes its idle armies along, unless armies are paid this turn
            idle = free[source] if self._turns_to_winter > 1 and not self._danger[source] else 0
            free[source] -= idle
            yield Move(source, target, armies + idle)
        if self._turns_to_winter > 1:
            yield from self._marches(free, limit - len(orders))

    def _marches(self, free: Mapping[str, int], most: int) -> Iterator[Move]:
        """Yield marches of free inner armies towards the border, at most ``most``.

        They go to the nearest own province there, among equals to the one in the greatest danger.
        """
        border = [code for code, steps in self._distances.items() if steps == 1]
        idle = sorted(
            (place for place in free if free[place] and self._distances[place] > 1),
            key=lambda place: (-free[place], place),
        )
        if not border:
            return
        for code in idle[:most]:
            steps = self._land.steps[code]
            goal = min(border, key=lambda place: (steps[place], -self._danger[place], place))
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
        """The worth, in gold, of what one more army could win: that of the best attack, for each army in it.

        The profile lowers and limits it.
        """
        most = max((self._worth(target) / self._wanted(target) for target in self._targets), default=0.0)
        return min(self._temper.prize, most * self._temper.drill / 100)

    def _value(self, province: Province, item: str) -> float:
        """Return the worth of one more of an item in a province, in gold."""
        item_rule = self._rules.items[item]
        score = self._rules.score
        land = self._temper.land
        people = province.population + province.resources
        # control raises an income only from some control on, by so many percent, as in ``figures.labour``
        control = province.control if province.control >= self._rules.productivity.bonus_from_control else 0
        control_factor = 1 + control / ALL_INFLUENCE
        if item == RECRUIT:
            return self._army_value(province)
        if item == DIPLOMAT:
            gained = min(item_rule.control, ALL_INFLUENCE - province.control)
            calm = CALMED if gained and province.control < CONTENT else 0.0
            return gained / ALL_INFLUENCE * people * province.culture * self._sight + calm
        if item == FARMS:
            return land * score.population + province.culture * control_factor * self._sight
        if item_rule.gives_culture:
            return land * score.culture + people * control_factor * self._sight
        return land * score.fort

    def _army_value(self, province: Province) -> float:
        """Return the worth, in gold, of one more army in a province: what it could win, less its pay.

        It is at least the worth of an army's score, and more where a rival is stronger.
        """
        least = self._temper.land * self._rules.score.army
        if not self._sight:
            return least
        cost = 0.0
        if province.armies >= province.population:  # fewer armies are not paid in winter
            winter_cost = self._land.steps[self._capital][province.code] + 1
            # one turn in four is a winter
            cost = winter_cost * self._temper.upkeep / 100 * self._sight / 4
        prize = self._prize * (self._temper.fading / 100) ** (self._distances[province.code] - 1)
        is_threatened = self._danger[province.code] > province.armies
        alarm = self._temper.alarm / 100 if is_threatened else 1.0
        return max(least, prize - cost) * alarm

    def _rated_items(self, province: Province) -> list[tuple[float, str]]:
        """Return (worth for each unit of labour, item) for what a province can work on, the best first."""
        worked = self._labour[province.code]
        rated_items = [(1.0, TAXES)]
        for item, item_rule in self._rules.items.items():
            reason, _ = why_not_make(province, item, self._rules)
            if item == TAXES or reason:
                continue
            price = item_rule.price(province.population)
            turns = -(-max(0, price - province.stored.get(item, 0)) // worked)  # rounded up
            if turns <= self._turns_left:
                # what is finished later is worth less
                time_factor = 1 - min(1.0, max(0, turns - 1) / max(1, self._temper.sight))
                value = self._value(province, item) * time_factor * self._random_factor()
                rated_items.append((value / max(1, price), item))
        return sorted(rated_items, reverse=True)

    def _works_and_purchases(self) -> tuple[tuple[Work, ...], tuple[Purchase, ...]]:
        """Return the new work of each province that changes it, and the purchases.

        Provinces collect taxes until winter can be paid; purchases cost no more than what winter leaves.
        """
        gold = self._world.parties[self._code].gold
        own = self._own
        rated_items = {code: self._rated_items(province) for code, province in own.items()}
        best_worths = {}
        items = {}
        for code, rated in rated_items.items():
            best_worths[code], items[code] = rated[0]  # the best comes first
        due = figures.bill(self._capital, list(own.values()), self._land)
        taxes = sum(self._labour[code] for code, item in items.items() if item == TAXES)
        # those provinces first whose work is worth least
        for code in sorted(own, key=lambda place: (best_worths[place], place)):
            if items[code] != TAXES and (due - gold) > taxes * self._turns_to_winter:
                items[code] = TAXES
                taxes += self._labour[code]
        purchases = self._purchases(rated_items, gold - max(0, due - taxes * self._turns_to_winter))
        works = tuple(Work(code, item) for code, item in items.items() if own[code].item != item)
        return works, tuple(purchases)

    def _purchases(
        self, rated_items: Mapping[str, Iterable[tuple[float, str]]], gold: int
    ) -> Iterator[Purchase]:
        """Yield purchases for at most ``gold`` in all, those first whose value is highest for their price.

        Those of too little value for their price are left out. ``rated_items``: (worth, item) of what each
        province can make, by code; only the items are used.
        """
        offers = []
        for code, rated in rated_items.items():
            for item in (item_name for _, item_name in rated if item_name != TAXES):
                price = rush_price(self._own[code], item, self._rules)
                offers.append((self._value(self._own[code], item) / max(1, price), price, code, item))
        limited: set[str] = set()  # provinces that buy an item of which one a turn is allowed
        for value_per_gold, price, code, item in sorted(offers, reverse=True):
            is_single = item not in BY_THE_NUMBER
            is_too_dear = value_per_gold * 100 < self._temper.bargain or price > gold
            if is_too_dear or (is_single and code in limited):
                continue
            count = min(MOST_AT_ONCE, gold // max(1, price)) if item == RECRUIT else 1
            if is_single:
                limited.add(code)
            gold -= price * count
            yield Purchase(code, item, count)


def plan_of(name: str, view: View) -> Orders:
    """Return the orders that the bot with the profile of this name plans."""
    world: World = view.state
    rules = world.settings.applied(view.table.rules)
    dice = Dice(view.seed)("whims", view.turn)
    temper = tempers()[name]
    if sum(player.alive for player in world.parties.values()) == DUEL:
        temper = in_duel(temper)
    return Planner(world, view.realm, view.table.board, rules, temper, dice).orders()
