"""The uses of a bot's gold: annexing land, commanders, farms and walls, ships and troops (L4-L8)."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import chain

from gm.games.medieval.analysis.forecast import annexed_revenue
from gm.games.medieval.bots.command import Command, reference
from gm.games.medieval.bots.survey import troop_force
from gm.games.medieval.data.atlas import City
from gm.games.medieval.data.rules import TroopClass, TroopType
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import soldiers, storage
from gm.games.medieval.steps.construction import work_on
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.provinces import annexation_price, annexed_counts

HARD_TIMES = Decimal("0.5")  # What part of the gold may go into farms while a town is in danger
RICH = 3  # With so many turns' upkeep in hand, a realm can feed more than it earns for a while
WALLS = 5  # The level at which a bot is content with its walls


def spend(command: Command, *, to_win: bool) -> None:
    """Order everything that costs gold, the best use first."""
    annex(command)
    _hire(command)
    if command.profile.builds:
        _wall(command)
    if to_win and not command.profile.masses:
        _farm(command)
    if command.profile.ships:
        _build_ships(command)
    if command.profile.siege_walls:
        _build_machines(command)
    _recruit(command, to_win=to_win)


def annex(command: Command) -> None:
    """Annex land that is owned and not yet annexed: it pays its price back in a turn (L6)."""
    lands = [land for land in command.world.owned_by(command.realm) if land.annexed_to != command.realm]
    annexable = [land for land in lands if not command.is_contested(land.name)]
    if not annexable:
        return
    room = command.rules.statuses[command.world.realms[command.realm].status].annexed_provinces
    room -= annexed_counts(command.world).get(command.realm, 0)
    yields = {land.name: province_revenue(land, command.atlas, command.rules) for land in annexable}
    for land in sorted(annexable, key=lambda land: -yields[land.name]):
        price = annexation_price(land.name, command.atlas)
        if room > 0 and yields[land.name] > 0 and command.spend(price):
            room -= 1
            command.sheet.headquarters(
                "annex", land.name, f"for {price:f} gold, and {yields[land.name]:f} a turn"
            )


def _liking(command: Command, row: TroopType, count: int, *, to_win: bool) -> float:
    """Return the bot's liking for ``count`` of a type: most power for gold and room.

    A realm that masses troops, or plays on, goes by the power or the hit points for each piece of gold (N2).
    """
    if command.profile.masses:
        return troop_force(row).power / float(row.cost or 1)
    return troop_force(row, count).power if to_win else float(row.hit_points / (row.cost or 1))


def _recruit(command: Command, *, to_win: bool) -> None:
    """Recruit troops where they are needed most, as long as the realm can pay them (L4)."""
    limit = _upkeep_limit(command)
    upkeep = command.upkeep
    order = command.atlas.place_order
    cities = _cities(command)
    threats = {unit.place: command.threat(unit.place) for unit, _ in cities}
    cities.sort(
        key=lambda pair: (pair[0].place not in command.front, -threats[pair[0].place], order[pair[0].place])
    )
    for garrison, city in cities:
        orders = command.sheet.unit(garrison.place, garrison.id)
        recruited, _ = orders.orders.get("recruit", ({}, ""))
        room = city.resource - sum(recruited.values())
        affordable = _soldiers(command, city)
        thrifty = upkeep >= limit and command.gold < RICH * command.upkeep and threats[garrison.place] <= 0
        if room <= 0 or not affordable or thrifty:
            continue
        best, count = _most_liked(command, affordable, room, to_win=to_win)
        command.spend(best.cost * count)
        upkeep += best.upkeep * count
        orders.add(
            "recruit", best.name, count, f"{'on' if garrison.place in command.front else 'behind'} the front"
        )


def _upkeep_limit(command: Command) -> Decimal:
    """Return the upkeep up to which the bot recruits, in gold a turn: a part of the realm's revenue."""
    revenue = annexed_revenue(command.world, command.realm, command.rules, command.atlas)
    return revenue * command.profile.upkeep_percent / 100


def _soldiers(command: Command, city: City) -> list[TroopType]:
    """Return the soldiers, no siege machines, that a city offers and the bot can pay for."""
    offered = _offered(command, city)
    soldiers = (row for row in offered if not row.ship and row.kind is not TroopClass.SIEGE)
    return [row for row in soldiers if row.cost <= command.gold]


def _most_liked(
    command: Command, rows: Sequence[TroopType], room: int, *, to_win: bool
) -> tuple[TroopType, int]:
    """Return the type that the bot likes best and can pay for, and the number of troops."""
    counts = {row.name: min(room, int(command.gold // row.cost)) if row.cost else room for row in rows}
    liking = {row.name: _liking(command, row, counts[row.name], to_win=to_win) for row in rows}
    best_row = max(rows, key=lambda row: (liking[row.name], -row.cost, row.name))
    return best_row, counts[best_row.name]


def _cities(command: Command) -> list[tuple[Unit, City]]:
    """Return the garrisons of cities without enemies, each with its city."""
    with_cities = ((unit, command.atlas.city(unit.place)) for unit in command.garrisons)
    return [(unit, city) for unit, city in with_cities if city is not None]


def _offered(command: Command, city: City) -> list[TroopType]:
    return [command.rules.troops[name] for name in city.recruits if name in command.rules.troops]


def _build_ships(command: Command) -> None:
    """Build transports in the port of the best landing, as many as its army needs (L4).

    Without a landing, in the largest ports, the few that the bot always has.
    """
    best_crossing = next(iter(command.crossings), None)
    room = command.profile.ships
    have = sum(storage(unit, command.rules) for unit in command.world.of_realm(command.realm))
    if best_crossing is not None and have >= room:
        have = command.room[best_crossing.port]
        room = max(room, best_crossing.storage)
    starts = command.room if best_crossing is None else (best_crossing.port,)
    ports = [pair for pair in _cities(command) if pair[0].place in starts]
    for garrison, city in sorted(ports, key=lambda pair: -pair[1].resource):
        ships = _transports(command, city)
        if have >= room or not ships:
            continue
        row = min(ships, key=lambda row: (row.cost / row.storage, row.name))
        lacking = -(-(room - have) // row.storage)
        count = min(lacking, city.resource // 2, int(command.gold // 2 // row.cost))
        if count > 0 and command.spend(row.cost * count):
            have += row.storage * count
            command.sheet.unit(garrison.place, garrison.id).add("recruit", row.name, count, "for landings")


def _transports(command: Command, city: City) -> list[TroopType]:
    rows = _offered(command, city)
    return [row for row in rows if row.kind is TroopClass.TRANSPORT and row.storage and row.cost]


def _build_machines(command: Command) -> None:
    """Build siege machines on the front, as many as the highest enemy walls there have levels (L4, B2)."""
    walls = _highest_walls(command)
    have = _machines(command)
    fronts = [pair for pair in _cities(command) if pair[0].place in command.front]
    for garrison, city in sorted(fronts, key=lambda pair: -pair[1].resource):
        machines = [row for row in _offered(command, city) if row.siege_power and row.cost]
        if walls < command.profile.siege_walls or have >= walls or not machines:
            return
        best_machine = max(machines, key=lambda row: (row.siege_power / row.cost, row.name))
        count = min(walls - have, city.resource // 3, int(command.gold // 2 // best_machine.cost))
        if count > 0 and command.spend(best_machine.cost * count):
            have += count
            command.sheet.unit(garrison.place, garrison.id).add(
                "recruit", best_machine.name, count, "against high walls"
            )


def _highest_walls(command: Command) -> int:
    """Return the level of the highest walls of enemies on the border."""
    lands = command.world.provinces
    near = (name for name in command.survey.borders(command.realm) if command.is_enemy_land(name))
    return max((lands[name].effective_fortification for name in near), default=0)


def _machines(command: Command) -> int:
    """Return the number of the realm's siege machines."""
    types = command.rules.troops
    counts = chain.from_iterable(unit.counts().items() for unit in command.world.of_realm(command.realm))
    return sum(number for name, number in counts if types[name].siege_power)


def _hire(command: Command) -> None:
    """Hire commanders, when gold is left over and the player's status allows them (L5)."""
    limit = command.rules.statuses[command.world.realms[command.realm].status].commanders
    serving = sum(len(unit.commanders) for unit in command.world.of_realm(command.realm))
    cities = [unit for unit, _ in _cities(command)]
    price = command.rules.commanders.price
    if serving < min(limit, command.profile.commanders) and cities and command.gold >= 2 * price:
        command.spend(price)
        first = max(
            cities, key=lambda unit: (unit.place in command.front, command.threat(unit.place), unit.place)
        )
        command.sheet.unit(first.place, first.id).order("hire_commander", 1, "somebody has to lead")


def _farm(command: Command) -> None:
    """Build production areas in safe annexed land, by units that stay there (L8).

    Each pays for itself in a few turns.
    """
    world = command.world
    budget = command.gold * (HARD_TIMES if command.danger else 1)
    for unit in (*command.garrisons, *command.armies):
        land = world.provinces[unit.place]
        orders = command.sheet.units.get(reference(unit))
        stays = unit.is_garrison or not (unit.key in command.busy or (orders and orders.plan))
        fields = land.production_areas < command.atlas.locations[land.name].production_limit
        is_own = land.owner == land.annexed_to == command.realm
        if not (stays and fields and is_own) or land.name in command.danger or land.name in command.sites:
            continue
        work = work_on(Structure.PRODUCTION_AREA, 0, command.rules)
        if soldiers(command.holds(unit), command.rules) >= work.workers and budget >= work.gold:
            command.spend(work.gold)
            budget -= work.gold
            command.sites.add(land.name)
            command.sheet.unit(reference(unit), unit.place).order(
                "build", [Structure.PRODUCTION_AREA.value], "pays for itself in a few turns"
            )


def _wall(command: Command) -> None:
    """Build walls on the front, by garrisons with enough workers (L8)."""
    for garrison in command.garrisons:
        land = command.world.provinces[garrison.place]
        threatened = land.name in command.front and command.threat(land.name) > 0
        if not threatened or land.fortification >= WALLS or land.name in command.sites:
            continue
        work = work_on(Structure.FORTIFICATION, land.fortification + 1, command.rules)
        hands = soldiers(command.holds(garrison), command.rules)
        if hands >= work.workers and command.gold >= 2 * work.gold and command.spend(work.gold):
            command.sites.add(land.name)
            command.sheet.unit(garrison.place, garrison.id).order(
                "build", [Structure.FORTIFICATION.value], "against those over the border"
            )
