"""New troops and commanders in the garrisons of cities (L4, L5)."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import count

from gm.core.diagnostics import fold
from gm.core.dice import Stream
from gm.games.medieval.data.atlas import Atlas, City
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import CommanderHired, TroopsBuilt
from gm.games.medieval.orders.model import HireCommander, Recruit
from gm.games.medieval.state import Commander, Unit, World
from gm.games.medieval.state.world import names_taken
from gm.games.medieval.steps.outcomes import Refusal, refuse, unless
from gm.games.medieval.steps.turn import Workspace, step


def city_of(unit: Unit, atlas: Atlas) -> City | None:
    """Return the city of a garrison; None for other units."""
    return atlas.city(unit.place) if unit.is_garrison else None


def why_not_recruit(world: World, unit: Unit, order: Recruit, rules: Rules, atlas: Atlas) -> Refusal | None:
    """Return why a unit cannot recruit troops of a type, apart from resource and gold (L4); None if it can.

    It must be the garrison of a city that its realm has held all turn; the type must be in the city's list;
    ships need a harbour; the number must be above 0.
    """
    city = city_of(unit, atlas)
    place = unit.place
    if city is None:
        return refuse("recruit-needs-city", unit=unit.id)
    progress = world.progress.provinces[place]
    if progress.owner_at_start != unit.realm or progress.changed_owner:
        return refuse("city-not-held", place=place)
    if order.troop not in city.recruits:
        return refuse("not-recruited-here", troop=order.troop, place=place)
    if rules.troops[order.troop].ship and not world.provinces[place].harbour:
        return refuse("ships-need-harbour", troop=order.troop, place=place)
    return unless(order.count > 0, "amount-not-positive", amount=order.count)


def affordable(count: int, cost: Decimal, gold: Decimal) -> int:
    """Return for how many of ``count`` troops at this ``cost`` each there is gold (L3.1, L4)."""
    return count if cost * count <= gold else int(gold // cost)


@step("Troops Built", "L4", "L3.1", "W4")
def troops_built(work: Workspace) -> None:
    """Recruit soldiers and build ships in cities, as far as resource and gold go.

    They join rank 1 of the garrison.
    """
    resource_left: dict[str, int] = {}  # by place of the city: how many troops it can still recruit this turn
    for unit, order in work.unit_orders(Recruit):
        realm = unit.realm
        place = unit.place
        troop = order.troop
        refusal = why_not_recruit(work.world, unit, order, work.rules, work.board)
        if refusal:
            work.settle(realm, order, refusal)
            continue
        city = city_of(unit, work.board)
        resource = resource_left.setdefault(place, city.resource if city else 0)
        cost = work.rules.troops[troop].cost
        gold = work.balance(realm)
        available = min(order.count, resource)
        count = affordable(available, cost, gold)
        if available < order.count:
            refusal = refuse("resource-too-little", ordered=order.count, left=resource, place=place)
        if count < available:
            refusal = refuse("gold-too-little", needs=cost * available, has=gold)
        work.settle(realm, order, refusal, reduced=count > 0)
        if count > 0:
            resource_left[place] -= count
            work.put(unit.add(troop, (count, 0, 0, 0, 0)))
            work.emit(TroopsBuilt(realm=realm, unit=unit.key, place=place, troops={troop: count}))
            work.gain(unit, "recruited", {troop: count})
            work.pay(realm, -cost * count, "troops", place)


def why_not_hire(
    world: World, unit: Unit, order: HireCommander, serving: int, rules: Rules, atlas: Atlas
) -> Refusal | None:
    """Return why a unit cannot hire commanders, apart from the price (L5, V2); None if it can.

    It must be the garrison of a city, the order must be for at least one, and the ruler's status must allow
    so many more commanders. ``serving``: how many the realm has.
    """
    if city_of(unit, atlas) is None:
        return refuse("hire-needs-city", unit=unit.id)
    if order.count <= 0:
        return refuse("amount-not-positive", amount=order.count)
    status = world.realms[unit.realm].status
    limit = rules.statuses[status].commanders
    if limit == 0:
        return refuse("commanders-need-royalty", status=status.value)
    return unless(serving + order.count <= limit, "commanders-limit", limit=limit, has=serving)


@step("Commanders Hired", "L5", "V2")
def commanders_hired(work: Workspace) -> None:
    """Hire commanders in cities, with random ratings, as many as the ruler's status and gold allow.

    None gets a name that a ruler or another commander of the game has, or that a commander had.
    """
    taken_names = names_taken(work.world)
    hired_names: set[str] = set()
    serving: Counter[str] = Counter()  # by realm: how many commanders it has
    for unit, order in work.unit_orders(HireCommander):
        realm = unit.realm
        place = unit.place
        if realm not in serving:
            serving[realm] = sum(len(unit.commanders) for unit in work.world.of_realm(realm))
        # refused only if not even one can be hired
        order_for_one = order.evolve(count=min(order.count, 1))
        refusal = why_not_hire(work.world, unit, order_for_one, serving[realm], work.rules, work.board)
        if refusal is not None:
            work.settle(realm, order, refusal)
            continue
        status = work.world.realms[realm].status
        limit = work.rules.statuses[status].commanders
        price = work.rules.commanders.price
        gold = work.balance(realm)
        allowed = min(order.count, limit - serving[realm])
        count = affordable(allowed, price, gold)
        if allowed < order.count:
            refusal = refuse("commanders-limit", limit=limit, has=serving[realm])
        if count < allowed:
            refusal = refuse("gold-too-little", needs=price * allowed, has=gold)
        work.settle(realm, order, refusal, reduced=count > 0)
        if count <= 0:
            continue
        work.pay(realm, -price * count, "commanders", place)
        hired_names |= _hire(work, unit, count, taken_names)
        serving[realm] += count
    if hired_names:
        work.change(commander_names=work.world.commander_names | hired_names)


def _hire(work: Workspace, unit: Unit, count: int, taken_names: set[str]) -> set[str]:
    """Draw ``count`` new commanders, put them into a garrison, and return their names.

    ``taken_names``: the folded names that they cannot get; their own are added.
    """
    hired_names = set()
    for _ in range(count):
        hired = drawn_commander(work.dice(unit.realm, unit.place, "commander"), taken_names, work.rules)
        taken_names.add(fold(hired.name))
        hired_names.add(hired.name)
        unit = unit.evolve(commanders=(*unit.commanders, hired))
        ratings = {tactic: getattr(hired, tactic) for tactic in ("infantry", "cavalry", "siege", "naval")}
        work.emit(CommanderHired(realm=unit.realm, unit=unit.key, commander=hired.name, **ratings))
        work.gain(unit, "hired", who=[hired.name])
    work.put(unit)
    return hired_names


def drawn_commander(dice: Stream, taken_names: Container[str], rules: Rules) -> Commander:
    """Return a new commander whose folded name is not in ``taken_names`` (L5, T5).

    The name is drawn first, then infantry, cavalry, siege and naval; of the draws for each the lowest counts.
    """
    name = dice.choice(free_names(taken_names, rules))
    infantry, cavalry, siege, naval = (
        min(dice.below(rules.commanders.rating_limit) + 1 for _ in range(rules.commanders.rating_draws))
        for _ in range(4)
    )
    return Commander(name=name, infantry=infantry, cavalry=cavalry, siege=siege, naval=naval)


def free_names(taken_names: Container[str], rules: Rules) -> list[str]:
    """Return the names of the rules' list whose folded form is not in ``taken_names``.

    If there is none, return given names with the by-name of another name in the list, at the least distance
    at which one is free; if there is none either, the names with numbers.
    """
    names = rules.commander_names
    free = _not_taken(names, taken_names)
    for distance in range(1, len(names)):
        if free:
            return free
        free = _not_taken(_mixed_names(names, distance), taken_names)
    return free or [_numbered(name, taken_names) for name in names or ("Commander",)]


def _not_taken(names: Iterable[str], taken_names: Container[str]) -> list[str]:
    """Return the names whose folded form is not in ``taken_names``."""
    return [name for name in names if fold(name) not in taken_names]


def _mixed_names(names: Sequence[str], distance: int) -> Iterator[str]:
    """Yield each given name with the by-name of the name ``distance`` further on in the list.

    Names that stand near each other in it are from one country.
    """
    for index, name in enumerate(names):
        first_name = name.partition(" ")[0]
        by_name = names[(index + distance) % len(names)].partition(" ")[2]
        if by_name:
            yield f"{first_name} {by_name}"


def _numbered(name: str, taken_names: Container[str]) -> str:
    """Return ``name``; if it is taken, the name with the lowest number from 2 on that is not."""
    if fold(name) not in taken_names:
        return name
    numbered_names = (f"{name} {number}" for number in count(2))
    return next(candidate for candidate in numbered_names if fold(candidate) not in taken_names)
