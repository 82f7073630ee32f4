"""New troops and commanders in the garrisons of cities (L4, L5)."""

from __future__ import annotations

from decimal import Decimal

from gm.core.dice import Stream
from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.atlas import Atlas, City
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import CommanderHired, TroopsBuilt
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import HireCommander, Recruit
from gm.games.medieval.state import Commander, Unit, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.unit import free_name
from gm.games.medieval.steps.turn import Outcome, Refusal, Turn, refuse, settled, unit_orders
from gm.games.medieval.steps.workspace import Ledger

# -- L4 ----------------------------------------------------------------------------------------------------------------


def city_of(unit: Unit, atlas: Atlas) -> City | None:
    """The city whose garrison the unit is, if it is one."""
    return atlas.city(unit.place) if unit.is_garrison else None


def why_not_recruit(world: World, unit: Unit | None, order: Recruit, rules: Rules, atlas: Atlas) -> Refusal | None:
    """L4 without resource and gold: the garrison of a city held all turn, a type of its list, a harbour for ships."""
    if unit is None:
        return refuse("unit-not-yours", unit=order.unit)
    city = city_of(unit, atlas)
    if city is None:
        return refuse("recruit-needs-city", unit=unit.id)
    mark = world.progress.provinces[unit.place]
    if mark.owner_at_start != unit.realm or mark.changed_owner:
        return refuse("city-not-held", place=unit.place)
    if order.troop not in city.recruits or order.troop not in rules.troops:
        return refuse("not-recruited-here", troop=order.troop, place=unit.place)
    if rules.troops[order.troop].ship and not world.provinces[unit.place].harbour:
        return refuse("ships-need-harbour", troop=order.troop, place=unit.place)
    return refuse("amount-not-positive", amount=order.count) if order.count <= 0 else None


def affordable(count: int, cost: Decimal, gold: Decimal) -> int:
    """L3.1, L4: how many of ``count`` the gold pays for."""
    return count if cost * count <= gold else int(gold // cost)


@step("Troops Built", "L4", "L3.1", "W4")
def troops_built(turn: Turn) -> Outcome:
    """Cities recruit soldiers and build ships, as far as resource and gold go; they stand in rank 1 of the garrison.

    Writes: garrisons, treasuries. Emits: TroopsChanged, TreasuryChanged, OrderSettled.
    """
    world, rules = turn.state, turn.rules
    draft, events = Draft(world), list[Event]()
    ledger = Ledger(world, events)
    built: dict[str, int] = {}
    for realm, order in unit_orders(turn, Recruit):
        unit = draft.own(realm, order.unit)
        refusal = why_not_recruit(world, unit, order, rules, turn.board)
        if refusal is not None or unit is None:
            events.append(settled(realm, order, refusal))
            continue
        city = city_of(unit, turn.board)
        resource = (city.resource if city else 0) - built.get(unit.place, 0)
        cost, gold = rules.troops[order.troop].cost, ledger.balance(realm)
        room = min(order.count, resource)
        count = affordable(room, cost, gold)
        if room < order.count:
            refusal = refuse("resource-too-little", ordered=order.count, left=resource, place=unit.place)
        if count < room:
            refusal = refuse("gold-too-little", needs=cost * room, has=gold)
        events.append(settled(realm, order, refusal, reduced=count > 0))
        if count > 0:
            built[unit.place] = built.get(unit.place, 0) + count
            draft.put(unit.add(order.troop, (count, 0, 0, 0, 0)))
            events.append(TroopsBuilt(realm=realm, unit=unit.key, place=unit.place, troops={order.troop: count}))
            events.append(TroopsChanged(realm=realm, unit=unit.key, troop=order.troop, count=count, cause="recruited"))
            ledger.change(realm, -cost * count, "troops", unit.place)
    return Outcome(ledger.world(draft.finish()), tuple(events))


# -- L5 ----------------------------------------------------------------------------------------------------------------


def why_not_hire(
    world: World, unit: Unit | None, order: HireCommander, serving: int, rules: Rules, atlas: Atlas
) -> Refusal | None:
    """L5, V2 without the price: the garrison of a city, and room for so many commanders in the realm."""
    if unit is None:
        return refuse("unit-not-yours", unit=order.unit)
    if city_of(unit, atlas) is None:
        return refuse("hire-needs-city", unit=unit.id)
    if order.count <= 0:
        return refuse("amount-not-positive", amount=order.count)
    status = world.realms[unit.realm].status
    limit = rules.statuses[status].commanders
    if limit == 0:
        return refuse("commanders-need-royalty", status=status.value)
    return refuse("commanders-limit", limit=limit, has=serving) if serving + order.count > limit else None


@step("Commanders Hired", "L5", "V2")
def commanders_hired(turn: Turn) -> Outcome:
    """Royalty hires commanders in its cities; what they are worth is chance. Orders are whole or not at all.

    Writes: garrisons, treasuries. Emits: CommanderHired, CommandersChanged, TreasuryChanged, OrderSettled.
    """
    world, rules = turn.state, turn.rules
    draft, events = Draft(world), list[Event]()
    ledger = Ledger(world, events)
    serving: dict[str, set[str]] = {}
    for realm, order in unit_orders(turn, HireCommander):
        if realm not in serving:
            serving[realm] = {who.name for unit in world.of_realm(realm) for who in unit.commanders}
        names = serving[realm]
        unit = draft.own(realm, order.unit)
        refusal = why_not_hire(world, unit, order, len(names), rules, turn.board)
        price = rules.commanders.price * order.count
        refusal = refusal or ledger.why_not_afford(realm, price)
        events.append(settled(realm, order, refusal))
        if refusal is not None or unit is None:
            continue
        ledger.change(realm, -price, "commanders", unit.place)
        for _ in range(order.count):
            hired = drawn_commander(turn.dice(realm, unit.place, "commander"), names, rules)
            names.add(hired.name)
            unit = unit.evolve(commanders=(*unit.commanders, hired))
            events.append(_hired(unit, hired))
            events.append(CommandersChanged(realm=realm, unit=unit.key, commander=hired.name, count=1, cause="hired"))
        draft.put(unit)
    return Outcome(ledger.world(draft.finish()), tuple(events))


def _hired(unit: Unit, who: Commander) -> CommanderHired:
    return CommanderHired(
        realm=unit.realm,
        unit=unit.key,
        commander=who.name,
        infantry=who.infantry,
        cavalry=who.cavalry,
        siege=who.siege,
        naval=who.naval,
    )


def drawn_commander(dice: Stream, taken: set[str], rules: Rules) -> Commander:
    """L5, T5: a new commander, name first, then infantry, cavalry, siege and naval, each the lowest of its draws."""
    name = dice.choice(free_names(taken, rules))
    infantry, cavalry, siege, naval = (
        min(dice.below(rules.commanders.rating_limit) + 1 for _ in range(rules.commanders.rating_draws))
        for _ in range(4)
    )
    return Commander(name=name, infantry=infantry, cavalry=cavalry, siege=siege, naval=naval)


def free_names(taken: set[str], rules: Rules) -> list[str]:
    """The names that nobody in the realm bears; when all are borne, the same names with a number."""
    free = [name for name in rules.commander_names if name not in taken]
    return free or [free_name(name, taken) for name in rules.commander_names or ("Commander",)]
