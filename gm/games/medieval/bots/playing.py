"""A bot's turn: war and peace, and where the gold goes or is taken. Bots differ in figures, not in skill."""

from collections import Counter
from collections.abc import Mapping

from gm.core.dice import Dice
from gm.core.values import Record
from gm.game.values import Bot, View
from gm.games.medieval.analysis.forecast import annexed_revenue
from gm.games.medieval.bots.attacks import Attacks
from gm.games.medieval.bots.command import Command, Sheet
from gm.games.medieval.bots.groups import appoint_leaders, groups_of, march_the_rest
from gm.games.medieval.bots.landings import Landings
from gm.games.medieval.bots.survey import troop_force
from gm.games.medieval.data.atlas import City
from gm.games.medieval.data.clauses_data import BotProfile, bot_profiles
from gm.games.medieval.data.rules import TroopClass, TroopType
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.standings import STAND_IN
from gm.games.medieval.state import INDEPENDENTS, Unit
from gm.games.medieval.state.strength import soldiers, storage, total_combat
from gm.games.medieval.steps.construction import work_on
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.provinces import annexation_price, annexed_counts

LOST_LAND = 2.0  # How much more a province is worth that was ours and is still annexed to us
PATIENCE = 3  # No bot starts a war before this turn: first it takes what belongs to nobody
WAR_CHANCE = 40
"""Percent: how likely it is in a turn that a war is begun that could be. It keeps bots from all doing so at once."""

FRIENDS = 2  # With so many allies a bot is content
RICH = 3  # With so many turns' upkeep in hand, a realm can feed more than it earns for a while
WALLS = 5  # The level at which a bot is content with its walls
TOO_MANY = 1.5  # Against so many times its own power an army does not hope to keep a province


class ProfileBot(Record):
    """A bot for any realm in any position; ``name`` is its profile's in the rules data."""

    name: str

    @property
    def about(self) -> str:
        return bot_profiles()[self.name].about

    def orders(self, view: View) -> bytes:
        """N3: an ordinary order file, made of nothing but the public position and the realm's own treasury."""
        return drafted(view, bot_profiles()[self.name]).data()


def drafted(view: View, profile: BotProfile) -> Sheet:
    """What a realm orders that is played like this."""
    command = Command(view, profile)
    if not command.world.realms[view.realm].defeated:
        _play(command, to_win=profile.name != STAND_IN)
    return command.sheet


def _play(command: Command, *, to_win: bool) -> None:
    """Relations first, then ships, armies and at last the gold. A bot that does not play to win stands in for a player:
    it defends the realm, and wants nothing that is not annexed to it (N1-N3)."""
    world, profile, value = command.world, command.profile, command.survey.value

    def annexed(place: str) -> bool:
        return world.provinces[place].annexed_to == command.realm

    def wanted(place: str) -> bool:
        """Enemies' land, and what belongs to nobody if the bot wants to grow."""
        return annexed(place) or (to_win and (profile.expands or world.provinces[place].owner != INDEPENDENTS))

    def prize(place: str) -> float:
        return value[place] * (LOST_LAND if to_win and annexed(place) else 1.0)

    _seek_peace(command)
    _declare_war(command)
    _seek_allies(command)
    if profile.pillages:
        _plunder(command)
    appoint_leaders(command)
    groups = groups_of(command)
    if profile.voyage:
        Landings(command, groups, wanted, prize).order()
    attacks = Attacks(command, groups, wanted, prize)
    attacks.order()
    march_the_rest(command, groups, attacks.blocked)
    _annex(command)
    _hire(command)
    if profile.builds:
        _build(command)
    if profile.ships:
        _build_ships(command)
    _recruit(command, to_win=to_win)


def _seek_peace(command: Command) -> None:
    """With those who are too strong, with those out of reach, and with more than one wants to fight at once."""
    profile, power = command.profile, command.survey.power
    enemies = sorted(code for code in command.foes if not command.world.realms[code].defeated)
    if not profile.peace_percent or not enemies:
        return
    near = command.survey.within_reach(command.realm, overseas=bool(profile.voyage))
    weakest = min(enemies, key=lambda code: (code not in near, power[code], code))
    for code in enemies:
        if power[code] * 100 >= power[command.realm] * profile.peace_percent:
            command.sheet.headquarters("offer_peace", code, "too strong for us")
        elif code not in near:
            command.sheet.headquarters("offer_peace", code, "too far away to fight")
        elif len(enemies) > max(1, profile.wars) and code != weakest:
            command.sheet.headquarters("offer_peace", code, "one enemy at a time")


def _declare_war(command: Command) -> None:
    """On the weakest neighbour who is weak enough, if one's hands are free."""
    profile, survey = command.profile, command.survey
    enemies = [code for code in command.foes if not command.world.realms[code].defeated]
    if not profile.war_percent or len(enemies) >= profile.wars or command.view.turn < PATIENCE:
        return
    mine, power = survey.power[command.realm], survey.power
    near = survey.within_reach(command.realm, overseas=bool(profile.voyage))
    weak = [code for code in near if power[code] * 100 <= mine * profile.war_percent and can_attack(command, code)]
    if not weak or not Dice(command.view.seed)("war").percent(WAR_CHANCE):
        return
    # the more of their provinces border on ours, the better
    touched = {near for name in command.lands for near in survey.by_land[name]}
    contact = Counter(command.world.provinces[near].owner for near in touched)
    victim = min(weak, key=lambda code: (power[code] / (1 + contact[code]), code))
    command.declare_war(victim, f"power {power[victim]:.0f} against our {mine:.0f}")


def can_attack(command: Command, code: str) -> bool:
    """F1 allows it, and no unit of either would be caught in the other's land or aboard the other's ships."""
    world, realm = command.world, command.realm
    if code in command.foes or world.allied(realm, code) or world.realms[code].defeated:
        return False
    for mine, other in ((realm, code), (code, realm)):
        lands = {land.name for land in world.owned_by(other)}
        if any(each.place in lands or (each.aboard or "").startswith(f"{other}/") for each in world.of_realm(mine)):
            return False
    return True


def _seek_allies(command: Command) -> None:
    """With neutral neighbours, until one has friends enough; never so many that they would own most of the cities that
    a shared victory takes (V1): a game that ends so soon is none."""
    if not command.profile.allies:
        return
    world, realm = command.world, command.realm
    cities = [name for name in command.atlas.provinces if command.atlas.city(name) is not None]
    owned = Counter(world.provinces[name].owner for name in cities)
    friends = [code for code in world.realms if world.allied(realm, code)]
    for code in command.survey.neighbours[realm]:
        theirs = sum(owned[each] for each in {realm, *friends, code})
        too_much = theirs * 100 * 2 >= len(cities) * command.rules.victory.cities_percent
        known = code in command.foes or code in friends or world.realms[code].defeated
        if len(friends) < FRIENDS and not known and not too_much:
            friends.append(code)
            command.sheet.headquarters("offer_alliance", code, "good fences, good friends")


def _annex(command: Command) -> None:
    """L6: land that is owned and not yet annexed pays its price back in a turn."""
    room = command.rules.statuses[command.world.realms[command.realm].status].annexed_provinces
    room -= annexed_counts(command.world).get(command.realm, 0)
    lands = [land for land in command.world.owned_by(command.realm) if land.annexed_to != command.realm]
    wanted = [land for land in lands if not command.is_contested(land.name)]
    yields = {land.name: province_revenue(land, command.atlas, command.rules) for land in wanted}
    for land in sorted(wanted, key=lambda land: -yields[land.name]):
        price = annexation_price(land.name, command.atlas)
        if room > 0 and yields[land.name] > 0 and command.spend(price):
            room -= 1
            command.sheet.headquarters("annex", land.name, f"for {price:f} gold, and {yields[land.name]:f} a turn")


def _liking(row: TroopType, count: int, *, to_win: bool) -> float:
    """The most power for the gold and the room that there is, or the most hit points for a piece of gold (N2)."""
    return troop_force(row, count).power if to_win else float(row.hit_points / (row.cost or 1))


def _recruit(command: Command, *, to_win: bool) -> None:
    """L4: troops where they are needed most, as long as the realm can feed them."""
    revenue = annexed_revenue(command.world, command.realm, command.rules, command.atlas)
    limit = revenue * command.profile.upkeep_percent / 100
    upkeep = command.upkeep
    order, cities = command.atlas.place_order, _cities(command)
    threats = {unit.place: command.threat(unit.place) for unit, _ in cities}
    cities.sort(key=lambda each: (each[0].place not in command.front, -threats[each[0].place], order[each[0].place]))
    for garrison, city in cities:
        orders = command.sheet.unit(garrison.place, garrison.id)
        recruited, _ = orders.orders.get("recruit", ({}, ""))
        room = city.resource - sum(recruited.values())
        rows = [row for row in _offered(command, city) if not row.ship and row.kind is not TroopClass.SIEGE]
        affordable = [row for row in rows if row.cost <= command.gold]
        thrifty = upkeep >= limit and command.gold < RICH * command.upkeep and threats[garrison.place] <= 0
        if room <= 0 or not affordable or thrifty:
            continue
        counts = {row.name: min(room, int(command.gold // row.cost)) if row.cost else room for row in affordable}
        best = max(affordable, key=lambda row: (_liking(row, counts[row.name], to_win=to_win), -row.cost, row.name))
        count = counts[best.name]
        command.spend(best.cost * count)
        upkeep += best.upkeep * count
        orders.add("recruit", best.name, count, f"{'on' if garrison.place in command.front else 'behind'} the front")


def _cities(command: Command) -> list[tuple[Unit, City]]:
    """The garrisons of cities that nobody fights, each with its city."""
    found = ((unit, command.atlas.city(unit.place)) for unit in command.garrisons)
    return [(unit, city) for unit, city in found if city is not None]


def _offered(command: Command, city: City) -> list[TroopType]:
    return [command.rules.troops[name] for name in city.recruits if name in command.rules.troops]


def _build_ships(command: Command) -> None:
    """L4: transports in the largest own harbour, up to the storage that the bot wants."""
    have = sum(storage(unit, command.rules) for unit in command.world.of_realm(command.realm))
    ports = [each for each in _cities(command) if command.world.provinces[each[0].place].harbour]
    for garrison, city in sorted(ports, key=lambda each: -each[1].resource):
        rows = _offered(command, city)
        ships = [row for row in rows if row.kind is TroopClass.TRANSPORT and row.storage and row.cost]
        if have >= command.profile.ships or not ships:
            continue
        best = min(ships, key=lambda row: (row.cost / row.storage, row.name))
        wanted = -(-(command.profile.ships - have) // best.storage)
        count = min(wanted, city.resource // 2, int(command.gold // 2 // best.cost))
        if count > 0 and command.spend(best.cost * count):
            have += best.storage * count
            command.sheet.unit(garrison.place, garrison.id).add("recruit", best.name, count, "for landings")


def _hire(command: Command) -> None:
    """L5: commanders, when there is gold left over and the player's status allows them."""
    limit = command.rules.statuses[command.world.realms[command.realm].status].commanders
    serving = sum(len(unit.commanders) for unit in command.world.of_realm(command.realm))
    cities = [unit for unit, _ in _cities(command)]
    price = command.rules.commanders.price
    if serving < min(limit, command.profile.commanders) and cities and command.gold >= 2 * price:
        command.spend(price)
        first = max(cities, key=lambda unit: (unit.place in command.front, command.threat(unit.place), unit.place))
        command.sheet.unit(first.place, first.id).order("hire_commander", 1, "somebody has to lead")


def _build(command: Command) -> None:
    """L8: farms in safe land, then walls on the front, by garrisons that have the hands for it."""
    for garrison in command.garrisons:
        land = command.world.provinces[garrison.place]
        fields = land.production_areas < command.atlas.locations[land.name].production_limit
        fortify = land.name in command.front and land.fortification < WALLS and command.threat(land.name) > 0
        chosen = Structure.FORTIFICATION if fortify else Structure.PRODUCTION_AREA
        if not (fortify or (fields and land.annexed_to == command.realm)):
            continue
        work = work_on(chosen, land.fortification + 1, command.rules)
        hands = soldiers(command.holds(garrison), command.rules)
        if hands >= work.workers and command.gold >= 2 * work.gold and command.spend(work.gold):
            why = "against those over the border" if fortify else "pays for itself in a few turns"
            command.sheet.unit(garrison.place, garrison.id).order("build", [chosen.value], why)


def _plunder(command: Command) -> None:
    """Armies in land that is not annexed to their realm pillage it when too many enemies are near."""
    done: set[str] = set()
    for army in command.armies:
        land = command.world.provinces[army.place]
        if land.annexed_to == command.realm or land.name in done or army.key in command.busy:
            continue
        strong_enough = total_combat(army, command.rules) >= command.rules.movement.pillage_combat
        hopeless = command.threat(land.name) > TOO_MANY * command.survey.force(army).power
        gold = province_revenue(land, command.atlas, command.rules)
        if strong_enough and hopeless and gold > 0:
            done.add(land.name)
            command.busy.add(army.key)
            why = f"{gold:f} gold for us, and none for whoever comes"
            command.sheet.unit(army.id, f"in {army.place}").then("pillage", None, why)


BOTS: Mapping[str, Bot] = {name: ProfileBot(name) for name in (STAND_IN, "builder", "conqueror", "raider")}
"""The bots that come with the game, by name."""
