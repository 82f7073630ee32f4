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
RICH = 3  # With gold for so many turns' upkeep, a realm recruits even if its revenue is too low for that
WALLS = 5  # The level at which a bot is content with its walls


def spend(command: Command, *, to_win: bool) -> None:
    """Order everything that costs gold and that the profile wants, the best use first.

    ``to_win``: whether the bot plays to win.
    """
    annex(command)
    _hire(command)
    if command.profile.builds:
        _build_walls(command)
    if to_win and not command.profile.masses:
        _build_farms(command)
    if command.profile.ships:
        _build_ships(command)
    if command.profile.siege_walls:
        _build_machines(command)
    _recruit(command, to_win=to_win)


def annex(command: Command) -> None:
    """Annex own land that is not yet annexed, the richest first, as far as status and gold allow (L6).

    Contested land and land without revenue are left out.
    """
    lands = [land for land in command.world.owned_by(command.realm) if land.annexed_to != command.realm]
    annexable = [land for land in lands if not command.is_contested(land.name)]
    if not annexable:
        return
    left_to_annex = command.rules.statuses[command.world.realms[command.realm].status].annexed_provinces
    left_to_annex -= annexed_counts(command.world).get(command.realm, 0)
    yields = {land.name: province_revenue(land, command.atlas, command.rules) for land in annexable}
    for land in sorted(annexable, key=lambda land: -yields[land.name]):
        price = annexation_price(land.name, command.atlas)
        if left_to_annex > 0 and yields[land.name] > 0 and command.spend(price):
            left_to_annex -= 1
            command.sheet.headquarters(
                "annex", land.name, f"for {price:f} gold, and {yields[land.name]:f} a turn"
            )


def _liking(command: Command, row: TroopType, count: int, *, to_win: bool) -> float:
    """Return how much the bot likes ``count`` of a troop type.

    A realm whose profile masses troops goes by the power for each piece of gold. Any other goes by the power
    of all ``count`` if it plays to win, else by the hit points for each piece of gold (N2).
    """
    if command.profile.masses:
        return troop_force(row).power / float(row.cost or 1)
    if to_win:
        return troop_force(row, count).power
    return float(row.hit_points / (row.cost or 1))


def _recruit(command: Command, *, to_win: bool) -> None:
    """Recruit troops where they are needed most, as long as there is gold for them (L4).

    Above the upkeep limit only a rich realm goes on, or a city that is threatened. ``to_win``: whether the
    bot plays to win.
    """
    limit = _upkeep_limit(command)
    upkeep = command.upkeep
    city_at = {garrison.place: (garrison, city) for garrison, city in _cities(command)}
    threats = {place: command.threat(place) for place in city_at}
    places = sorted(city_at, key=command.atlas.place_order.__getitem__)
    # the most needed first: those on the front, then the most threatened
    places.sort(key=lambda place: (place not in command.front, -threats[place]))
    for place in places:
        garrison, city = city_at[place]
        orders = command.sheet.unit(garrison.place, garrison.id)
        # what earlier parts of the plan, such as ships, recruit there takes up room
        recruited, _ = orders.orders.get("recruit", ({}, ""))
        room = city.resource - sum(recruited.values())
        affordable = _soldiers(command, city)
        must_save = upkeep >= limit and command.gold < RICH * command.upkeep and threats[garrison.place] <= 0
        if room <= 0 or not affordable or must_save:
            continue
        best, count = _most_liked(command, affordable, room, to_win=to_win)
        command.spend(best.cost * count)
        upkeep += best.upkeep * count
        orders.add(
            "recruit", best.name, count, f"{'on' if garrison.place in command.front else 'behind'} the front"
        )


def _upkeep_limit(command: Command) -> Decimal:
    """Return the upkeep, in gold a turn, above which the bot recruits only if it is rich or threatened.

    It is a part of the realm's revenue.
    """
    revenue = annexed_revenue(command.world, command.realm, command.rules, command.atlas)
    return revenue * command.profile.upkeep_percent / 100


def _soldiers(command: Command, city: City) -> list[TroopType]:
    """Return the soldiers, no siege machines, that a city offers and the bot can pay for."""
    offered = _offered_types(command, city)
    soldiers = (row for row in offered if not row.ship and row.kind is not TroopClass.SIEGE)
    return [row for row in soldiers if row.cost <= command.gold]


def _most_liked(
    command: Command, rows: Sequence[TroopType], room: int, *, to_win: bool
) -> tuple[TroopType, int]:
    """Return the type that the bot likes best, and how many it can pay for, at most ``room``."""
    counts = {row.name: min(room, int(command.gold // row.cost)) if row.cost else room for row in rows}
    liking = {row.name: _liking(command, row, counts[row.name], to_win=to_win) for row in rows}
    best_type = max(rows, key=lambda row: (liking[row.name], -row.cost, row.name))
    return best_type, counts[best_type.name]


def _cities(command: Command) -> list[tuple[Unit, City]]:
    """Return (garrison, city) for each own city where nobody would fight the garrison."""
    with_cities = ((unit, command.atlas.city(unit.place)) for unit in command.garrisons)
    return [(unit, city) for unit, city in with_cities if city is not None]


def _offered_types(command: Command, city: City) -> list[TroopType]:
    """Return the troop types that a city recruits."""
    return [command.rules.troops[name] for name in city.recruits if name in command.rules.troops]


def _build_ships(command: Command) -> None:
    """Build transports in the port of the best landing, as many as its army needs (L4).

    First, or without a landing, the bot builds the few that it always has: in the largest ports if there is
    no landing. They are fewer if half of a city's recruits or of the gold does not suffice.
    """
    best_crossing = next(iter(command.crossings), None)  # the best is first
    wanted_storage = command.profile.ships  # of the few transports that it always has
    storage_now = sum(storage(unit, command.rules) for unit in command.world.of_realm(command.realm))
    if best_crossing is not None and storage_now >= wanted_storage:
        # those few are there: now the room for the landing's army counts, in the port from which it sails
        storage_now = command.room[best_crossing.port]
        wanted_storage = max(wanted_storage, best_crossing.storage)
    places = command.room if best_crossing is None else (best_crossing.port,)
    ports = [(garrison, city) for garrison, city in _cities(command) if garrison.place in places]
    for garrison, city in sorted(ports, key=lambda port: -port[1].resource):
        transports = _transports(command, city)
        if storage_now >= wanted_storage or not transports:
            continue
        cheapest = min(transports, key=lambda row: (row.cost / row.storage, row.name))
        lacking = -(-(wanted_storage - storage_now) // cheapest.storage)  # rounded up
        # at most half of what the city can recruit, and for half of the gold
        count = min(lacking, city.resource // 2, int(command.gold // 2 // cheapest.cost))
        if count > 0 and command.spend(cheapest.cost * count):
            storage_now += cheapest.storage * count
            orders = command.sheet.unit(garrison.place, garrison.id)
            orders.add("recruit", cheapest.name, count, "for landings")


def _transports(command: Command, city: City) -> list[TroopType]:
    """Return the types of transports that a city builds."""
    rows = _offered_types(command, city)
    return [row for row in rows if row.kind is TroopClass.TRANSPORT and row.storage and row.cost]


def _build_machines(command: Command) -> None:
    """Build siege machines on the front until the realm has as many as the highest enemy walls have levels.

    The walls are those next to the realm. Fewer machines are built if gold or recruits run short; a city that
    offers none is passed over. None are built against walls with fewer levels than the profile's
    ``siege_walls`` (L4, B2).
    """
    levels = _highest_walls(command)
    if levels < command.profile.siege_walls:
        return
    machine_count = _machine_count(command)
    on_the_front = [
        (garrison, city) for garrison, city in _cities(command) if garrison.place in command.front
    ]
    for garrison, city in sorted(on_the_front, key=lambda entry: -entry[1].resource):
        if machine_count >= levels:
            return
        machines = [row for row in _offered_types(command, city) if row.siege_power and row.cost]
        if not machines:
            continue
        best_machine = max(machines, key=lambda row: (row.siege_power / row.cost, row.name))
        # at most a third of what the city can recruit, and for half of the gold
        count = min(levels - machine_count, city.resource // 3, int(command.gold // 2 // best_machine.cost))
        if count > 0 and command.spend(best_machine.cost * count):
            machine_count += count
            command.sheet.unit(garrison.place, garrison.id).add(
                "recruit", best_machine.name, count, "against high walls"
            )


def _highest_walls(command: Command) -> int:
    """Return the level of the highest walls on enemy land next to the realm; 0 without any."""
    lands = command.world.provinces
    near = (name for name in command.survey.borders(command.realm) if command.is_enemy_land(name))
    return max((lands[name].effective_fortification for name in near), default=0)


def _machine_count(command: Command) -> int:
    """Return the number of the realm's siege machines."""
    types = command.rules.troops
    counts = chain.from_iterable(unit.counts().items() for unit in command.world.of_realm(command.realm))
    return sum(number for name, number in counts if types[name].siege_power)


def _hire(command: Command) -> None:
    """Hire a commander in a city, if the bot wants more (L5).

    The realm's status has to allow it, and the gold has to suffice for two.
    """
    limit = command.rules.statuses[command.world.realms[command.realm].status].commanders
    serving = sum(len(unit.commanders) for unit in command.world.of_realm(command.realm))
    cities = [unit for unit, _ in _cities(command)]
    price = command.rules.commanders.price
    if serving < min(limit, command.profile.commanders) and cities and command.gold >= 2 * price:
        command.spend(price)
        hirer = max(
            cities, key=lambda unit: (unit.place in command.front, command.threat(unit.place), unit.place)
        )
        command.sheet.unit(hirer.place, hirer.id).order("hire_commander", 1, "somebody has to lead")


def _build_farms(command: Command) -> None:
    """Build production areas in own annexed land that is not in danger, by units that stay there (L8).

    While a place is in danger, only a part of the gold is spent on them (``HARD_TIMES``).
    """
    world = command.world
    budget = command.gold * (HARD_TIMES if command.danger else 1)
    for unit in (*command.garrisons, *command.armies):
        land = world.provinces[unit.place]
        orders = command.sheet.units.get(reference(unit))
        stays = unit.is_garrison or not (unit.key in command.busy or (orders and orders.plan))
        has_space = land.production_areas < command.atlas.locations[land.name].production_limit
        is_own = land.owner == land.annexed_to == command.realm
        if not (stays and has_space and is_own) or land.name in command.danger or land.name in command.sites:
            continue
        work = work_on(Structure.PRODUCTION_AREA, 0, command.rules)
        if soldiers(command.as_ordered(unit), command.rules) >= work.workers and budget >= work.gold:
            command.spend(work.gold)
            budget -= work.gold
            command.sites.add(land.name)
            command.sheet.unit(reference(unit), unit.place).order(
                "build", [Structure.PRODUCTION_AREA.value], "pays for itself in a few turns"
            )


def _build_walls(command: Command) -> None:
    """Add a level to the walls of threatened places on the front that have fewer than ``WALLS`` (L8).

    Garrisons with enough workers do so, as long as the gold suffices for twice the work.
    """
    for garrison in command.garrisons:
        land = command.world.provinces[garrison.place]
        is_threatened = land.name in command.front and command.threat(land.name) > 0
        if not is_threatened or land.fortification >= WALLS or land.name in command.sites:
            continue
        work = work_on(Structure.FORTIFICATION, land.fortification + 1, command.rules)
        workers = soldiers(command.as_ordered(garrison), command.rules)
        if workers >= work.workers and command.gold >= 2 * work.gold and command.spend(work.gold):
            command.sites.add(land.name)
            command.sheet.unit(garrison.place, garrison.id).order(
                "build", [Structure.FORTIFICATION.value], "against those over the border"
            )
