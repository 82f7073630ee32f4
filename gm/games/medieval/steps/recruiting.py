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
    """Return why a type cannot be recruited, apart from resource and gold (L4).

    It needs the garrison of a city held all turn, a type of its list, a harbour for ships.
    """
    city = city_of(unit, atlas)
    place = unit.place
    troops = rules.troops
    if city is None:
        return refuse("recruit-needs-city", unit=unit.id)
    mark = world.progress.provinces[place]
    if mark.owner_at_start != unit.realm or mark.changed_owner:
        return refuse("city-not-held", place=place)
    if order.troop not in city.recruits:
        return refuse("not-recruited-here", troop=order.troop, place=place)
    if troops[order.troop].ship and not world.provinces[place].harbour:
        return refuse("ships-need-harbour", troop=order.troop, place=place)
    return unless(order.count > 0, "amount-not-positive", amount=order.count)


def affordable(count: int, cost: Decimal, gold: Decimal) -> int:
    """Return the number of ``count`` that the gold pays for (L3.1, L4)."""
    return count if cost * count <= gold else int(gold // cost)


@step("Troops Built", "L4", "L3.1", "W4")
def troops_built(work: Workspace) -> None:
    """Recruit soldiers and build ships in cities, as far as resource and gold go.

    They join rank 1 of the garrison.
    """
    resource_left: dict[str, int] = {}
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
        room = min(order.count, resource)
        count = affordable(room, cost, gold)
        if room < order.count:
            refusal = refuse("resource-too-little", ordered=order.count, left=resource, place=place)
        if count < room:
            refusal = refuse("gold-too-little", needs=cost * room, has=gold)
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
    """Return why a commander cannot be hired, apart from the price (L5, V2).

    It needs the garrison of a city, and room for one more commander in the realm.
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
    """Hire commanders in cities, with random ratings, if the player's status allows it.

    As many are hired as room and gold allow. None has a name that another commander of the game has or had
    (L5).
    """
    taken_names = names_taken(work.world)
    hired_names: set[str] = set()
    serving: Counter[str] = Counter()
    for unit, order in work.unit_orders(HireCommander):
        realm = unit.realm
        place = unit.place
        if realm not in serving:
            serving[realm] = sum(len(unit.commanders) for unit in work.world.of_realm(realm))
        one = order.evolve(count=min(order.count, 1))
        refusal = why_not_hire(work.world, unit, one, serving[realm], work.rules, work.board)
        if refusal is not None:
            work.settle(realm, order, refusal)
            continue
        status = work.world.realms[realm].status
        limit = work.rules.statuses[status].commanders
        price = work.rules.commanders.price
        gold = work.balance(realm)
        room = min(order.count, limit - serving[realm])
        count = affordable(room, price, gold)
        if room < order.count:
            refusal = refuse("commanders-limit", limit=limit, has=serving[realm])
        if count < room:
            refusal = refuse("gold-too-little", needs=price * room, has=gold)
        work.settle(realm, order, refusal, reduced=count > 0)
        if count <= 0:
            continue
        work.pay(realm, -price * count, "commanders", place)
        hired_names |= _hired(work, unit, count, taken_names)
        serving[realm] += count
    if hired_names:
        work.change(commander_names=work.world.commander_names | hired_names)


def _hired(work: Workspace, unit: Unit, count: int, taken: set[str]) -> set[str]:
    """Draw new commanders into a garrison; return their names, which are added to ``taken``, folded."""
    hired_names = set()
    for _ in range(count):
        hired = drawn_commander(work.dice(unit.realm, unit.place, "commander"), taken, work.rules)
        taken.add(fold(hired.name))
        hired_names.add(hired.name)
        unit = unit.evolve(commanders=(*unit.commanders, hired))
        ratings = {tactic: getattr(hired, tactic) for tactic in ("infantry", "cavalry", "siege", "naval")}
        work.emit(CommanderHired(realm=unit.realm, unit=unit.key, commander=hired.name, **ratings))
        work.gain(unit, "hired", who=[hired.name])
    work.put(unit)
    return hired_names


def drawn_commander(dice: Stream, taken: Container[str], rules: Rules) -> Commander:
    """Return a new commander (L5, T5).

    The name is drawn first, then infantry, cavalry, siege and naval, each the lowest of its draws.
    """
    name = dice.choice(free_names(taken, rules))
    infantry, cavalry, siege, naval = (
        min(dice.below(rules.commanders.rating_limit) + 1 for _ in range(rules.commanders.rating_draws))
        for _ in range(4)
    )
    return Commander(name=name, infantry=infantry, cavalry=cavalry, siege=siege, naval=naval)


def free_names(taken: Container[str], rules: Rules) -> list[str]:
    """Return the names of the list that are not ``taken`` (folded names).

    When all are, a given name is combined with the by-name of another in the list, the nearest free one; when
    these are taken too, names get numbers.
    """
    names = rules.commander_names
    free = _not_taken(names, taken)
    for distance in range(1, len(names)):
        if free:
            return free
        free = _not_taken(_mixed_names(names, distance), taken)
    return free or [_numbered(name, taken) for name in names or ("Commander",)]


def _not_taken(names: Iterable[str], taken: Container[str]) -> list[str]:
    return [name for name in names if fold(name) not in taken]


def _mixed_names(names: Sequence[str], distance: int) -> Iterator[str]:
    """Yield each given name with the by-name ``distance`` further in the list.

    Neighbours in it are from one country.
    """
    for index, name in enumerate(names):
        first_name = name.partition(" ")[0]
        by_name = names[(index + distance) % len(names)].partition(" ")[2]
        if by_name:
            yield f"{first_name} {by_name}"


def _numbered(name: str, taken: Container[str]) -> str:
    """Return ``name``, or if taken the name with the lowest number from 2 on that is free."""
    if fold(name) not in taken:
        return name
    return next(
        candidate for candidate in (f"{name} {number}" for number in count(2)) if fold(candidate) not in taken
    )
