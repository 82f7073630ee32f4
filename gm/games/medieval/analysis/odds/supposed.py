"""A battle between units at a place after supposed wars and moves (M8, M11)."""

from itertools import product

from gm.core.diagnostics import did_you_mean, nearest, says, shown
from gm.game.answers import OddsQuestion
from gm.game.values import the_one
from gm.games.medieval.analysis.odds.trials import PHASE, BattleSetup, made_turn
from gm.games.medieval.combat.battle import BORDER, LAND, SEA
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import INDEPENDENTS, Unit, UnitProgress, World, pair


def supposed_setup(world: World, rules: Rules, atlas: Atlas, question: OddsQuestion) -> BattleSetup:
    """Return the battle between the units at a place, after the question's wars and moves.

    Raises ``ValueError`` for unknown units and places and for impossible moves.
    """
    party = question.party or ""
    notes = []
    for a, b in question.wars:
        world = _at_war(world, a, b)
    progress: dict[str, UnitProgress] = {}
    targets: dict[str, None] = {}  # a set in the order of the moves
    for reference, typed in question.moves:
        unit = unit_meant(world, reference, party)
        target = _place_meant(atlas, typed)
        world = _after_move(world, atlas, unit, target, progress)
        targets[target] = None
        if not atlas.is_open(unit.place, target):
            notes.append(f"{unit.key} is in {unit.place}: that is not next to {target}.")
    if question.place is None and len(targets) != 1:
        raise ValueError(says("say with --at which battle is meant: the moves end at different places"))
    place = _place_meant(atlas, question.place) if question.place is not None else next(iter(targets))
    turn = made_turn(world, rules, atlas, progress)
    border_place = _across_border(world, progress, place)
    kind = SEA if atlas.is_sea(place) else LAND
    if border_place:
        kind = BORDER
    return BattleSetup(turn, kind, place, border_place, tuple(notes))


def unit_meant(world: World, reference: str, party: str) -> Unit:
    """Return the unit with troops that a ``reference`` names: ``ENG/A1``, or ``A1`` of the ``party``.

    Without a party, ``A1`` is the only unit with troops of this id. Raises ``ValueError`` if there is no such
    unit, or if there are several.
    """
    typed = reference.strip().upper()
    units = {key: unit for key, unit in world.units.items() if not unit.empty}
    own_key = f"{party}/{typed}"
    keys = [key for key in units if key in (typed, own_key) or (not party and key.endswith(own_key))]
    if len(keys) == 1:
        return units[keys[0]]
    if keys:
        raise ValueError(says("several realms have a unit {0}: write {1} or {2}", typed, keys[0], keys[1]))
    hint = did_you_mean(
        nearest(typed, [*units, *(unit.id for unit in units.values() if unit.realm == party)])
    )
    unknown = says("there is no unit {0} with troops", shown(reference))
    raise ValueError(says("{0}: {1}", unknown, hint) if hint else unknown)


def _place_meant(atlas: Atlas, typed: str) -> str:
    """Return the place of the map that was typed. Raises ``ValueError`` for an unknown one."""
    return the_one(typed, atlas.locations, "place of this map")


def _at_war(world: World, a: str, b: str) -> World:
    """Return the world with two realms at war, and no longer allied.

    Raises ``ValueError`` for an unknown code, or if both are the same.
    """
    for code in (a, b):
        if code not in world.realms:
            hint = did_you_mean(nearest(code, world.realms))
            hint = hint or says("this game has {0}", ", ".join(world.realms))
            raise ValueError(says("no realm has the code {0}: {1}", shown(code), hint))
    if a == b:
        raise ValueError(says("{0} cannot be at war with itself", a))
    realms = pair(a, b)
    return world.evolve(wars=world.wars | {realms}, alliances=world.alliances - {realms})


def _after_move(
    world: World, atlas: Atlas, unit: Unit, target: str, progress: dict[str, UnitProgress]
) -> World:
    """Return the world with a unit and its cargo at its target; record in ``progress`` that the unit moved.

    Raises ``ValueError`` for a move that is impossible.
    """
    if unit.is_garrison:
        raise ValueError(says("{0} is a garrison: it stays where it is", unit.key))
    if unit.realm == INDEPENDENTS:
        raise ValueError(says("{0} belongs to nobody: it stays where it is", unit.key))
    if unit.is_fleet != atlas.is_sea(target):
        pattern = "{0} cannot fight in {1}" if unit.is_fleet else "{0} cannot march in {1}"
        raise ValueError(says(pattern, unit.key, target))
    if unit.place == target and not unit.aboard:
        raise ValueError(says("{0} is in {1} already", unit.key, target))
    hostile = unit.aboard is not None and world.is_enemy_land(unit.realm, target)
    progress[unit.key] = arrived(unit, hostile=hostile)
    cargo = [army.evolve(place=target) for army in world.cargo(unit.key)] if unit.is_fleet else []
    return world.with_units([unit.evolve(place=target, aboard=None), *cargo])


def arrived(unit: Unit, *, hostile: bool) -> UnitProgress:
    """Return the progress of a unit after it has marched, sailed or landed from its place to another.

    A unit aboard lands. ``hostile``: whether the other place is enemy land, so that it has to fight for the
    landing.
    """
    landed = unit.aboard is not None
    origin = None if landed else unit.place
    marched = 0 if landed else PHASE
    ashore = PHASE if landed and hostile else 0
    return UnitProgress(came_from=origin, marched_phase=marched, landed=landed, landed_phase=ashore)


def _across_border(world: World, progress: dict[str, UnitProgress], place: str) -> str:
    """Return the other place of a battle at a border of ``place``; empty if there is none (M11).

    There is one if armies at war march from each of the two places to the other.
    """
    # (army at its target, where it came from)
    marching = [
        (world.units[key], done.came_from) for key, done in progress.items() if world.units[key].is_army
    ]
    for (unit, origin), (enemy, enemy_origin) in product(marching, repeat=2):
        crossing = unit.place == place == enemy_origin and enemy.place == origin
        if crossing and world.at_war(unit.realm, enemy.realm):
            return enemy.place
    return ""
