"""The attacks that units may order next turn, with their odds.

All units count as they are now, and no other unit comes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from gm.core.codec import encode
from gm.games.medieval.analysis.odds.chances import Chances, chances_of
from gm.games.medieval.analysis.odds.supposed import arrived
from gm.games.medieval.analysis.odds.trials import BattleSetup, made_turn
from gm.games.medieval.combat.battle import LAND, SEA, has_ships
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Unit, UnitKind, UnitProgress, World, in_order
from gm.games.medieval.state.strength import has_fighters, pace
from gm.games.medieval.state.world import Units
from gm.text.languages import Translate
from gm.text.pages import listed

# how often a battle is fought, at least and at most: the more units could attack, the less often
LEAST = 4
MOST = 60
IN_ALL = 1000  # about so many fights for all units together, one battle each
ARMY = 6  # a garrison of so many troops may form an army


def fights_for(world: World) -> int:
    """Return how many times each battle of a world is fought: an even number, for pairs of fights."""
    can_attack = sum(unit.troop_count >= (ARMY if unit.is_garrison else 1) for unit in world.units.values())
    return max(LEAST, min(MOST, IN_ALL // max(1, can_attack) // 2 * 2))


class Scenes:
    """Makes battles out of a world, each with only the units nearby."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas, fights: int) -> None:
        """Prepare battles of a position, each fought at most ``fights`` times."""
        self.turn = made_turn(world, rules, atlas, {})
        self.world = self.turn.state
        self.rules = rules
        self.atlas = atlas
        self._fights = fights

    def scene(self, setup: BattleSetup, units: Iterable[Unit], done: dict[str, UnitProgress]) -> BattleSetup:
        """Return a battle setup with these units, and of the others only those nearby.

        ``done``: the units' progress this turn, by key.
        """
        moved_by_key = {unit.key: unit for unit in units}
        near = (setup.place, *self.atlas.graph.neighbours(setup.place))
        world = setup.turn.state
        units_near = chain.from_iterable(map(world.at, near))
        staying = (unit for unit in units_near if unit.key not in moved_by_key)
        present = Units({unit.key: unit for unit in in_order([*staying, *moved_by_key.values()])})
        scene = world.evolve(units=present, progress=world.progress.evolve(units=done))
        return setup.evolve(turn=setup.turn.evolve(state=scene))

    def chances(self, scene: BattleSetup) -> Chances | None:
        """Return the odds of a scene's battle; None without a battle.

        The seed of the trials is made of the kind of battle, the place, its province and all units, so that
        the same scene always has the same odds.
        """
        world = scene.turn.state
        seed = encode([scene.kind, scene.place, world.provinces.get(scene.place), list(world.units.values())])
        return chances_of(scene.turn, scene.battle, seed, self._fights)


class Attacks:
    """The attacks of all realms in one world."""

    def __init__(self, scenes: Scenes, translate: Translate = str) -> None:
        self._scenes = scenes
        self._translate = translate
        self._world = scenes.world
        self._atlas = scenes.atlas
        self._known: dict[tuple[str, ...], Chances | None] = {}  # by the place and the keys of units
        self._meets_enemies = cache(self._enemies_at)

    def of_realm(
        self, realm: str, enter: Mapping[str, Sequence[Any]]
    ) -> dict[str, dict[int, tuple[int, str]]]:
        """Return a realm's attacks: by the unit's id, and by the index of the place that it may attack.

        Each is (wins in a hundred such battles, the same in words with the losses). A garrison's are those of
        an army of all its soldiers. ``enter``: by word, the answers about entering each place
        (``TurnChoices``).
        """
        forces = [(unit, self._force_of(unit)) for unit in self._world.of_realm(realm)]
        # (unit, the army or fleet that goes, places that it may attack)
        attackers = [
            (unit, force, list(self._targets(force, enter))) for unit, force in forces if force is not None
        ]
        attacks = {}
        for unit, force, targets in attackers:
            attacks_of_unit: dict[int, tuple[int, str]] = {}
            for place in targets:
                friends = [
                    friend
                    for friend, _, targets_of_friend in attackers
                    if _can_go_together(unit, friend) and place in targets_of_friend
                ]
                attack = self._attack(force, friends, place, unit.place if unit.is_garrison else "")
                if attack:
                    attacks_of_unit[self._atlas.place_order[place]] = attack
            if attacks_of_unit:
                attacks[unit.id] = attacks_of_unit
        return attacks

    def _force_of(self, unit: Unit) -> Unit | None:
        """Return the unit as it can move: a garrison as an army of all its soldiers.

        None for an empty unit, and for a garrison with too few soldiers.
        """
        rules = self._scenes.rules
        if not unit.is_garrison:
            return None if unit.empty else unit
        troops = {name: ranks for name, ranks in unit.troops.items() if not rules.troops[name].ship}
        # a number that no army of the realm has
        army = unit.evolve(kind=UnitKind.ARMY, number=unit.number + rules.units.number_limit, troops=troops)
        return army if army.troop_count >= ARMY else None

    def _attack(self, unit: Unit, friends: list[Unit], place: str, home: str) -> tuple[int, str] | None:
        """Return (a unit's wins of a hundred at a place, its odds in words); None if nobody fights there.

        ``friends``: units that could go with it; ``home``: a garrison's province, empty for other units.
        """
        _ = self._translate
        chances_alone = self.chances([unit], place)
        if chances_alone is None:
            return None
        pattern = _("with all of {place} wins {chance}, {losses}") if home else _("wins {chance}, {losses}")
        says = pattern.format(
            place=home, chance=chances_alone.words(unit.realm, _), losses=chances_alone.losses(unit.realm, _)
        )
        chances_together = (
            self.chances([unit, *friends], place) if friends and not chances_alone.sure(unit.realm) else None
        )
        if chances_together:
            units = listed([friend.id for friend in friends], last=_("and"))
            says += _("; wins {chance} with {units}").format(
                chance=chances_together.brief(unit.realm, _), units=units
            )
        return round(100 * chances_alone.share(unit.realm)), says

    def chances(self, units: list[Unit], place: str) -> Chances | None:
        """Return the odds of these units if they go into a place together; None without a battle."""
        units = list(in_order(units))
        cache_key = (place, *[unit.key for unit in units])
        if cache_key not in self._known:
            self._known[cache_key] = self._chances(units, place)
        return self._known[cache_key]

    def _chances(self, units: list[Unit], place: str) -> Chances | None:
        """Return the odds of these units, with all aboard, at a place; None if nobody fights there."""
        progress = {unit.key: arrived(unit, hostile=True) for unit in units}
        moved_units = [unit.evolve(place=place, aboard=None) for unit in units]
        cargo = chain.from_iterable(self._world.cargo(unit.key) for unit in units if unit.is_fleet)
        moved_units += [army.evolve(place=place) for army in cargo]
        setup = BattleSetup(self._scenes.turn, SEA if units[0].is_fleet else LAND, place)
        return self._scenes.chances(self._scenes.scene(setup, moved_units, progress))

    def _targets(self, unit: Unit, enter: Mapping[str, Sequence[Any]]) -> Iterator[str]:
        """Yield the places with enemies that a unit can reach in a turn, roughly the nearest first.

        Places behind enemies are out of reach. An army aboard only lands: it gets no further than that.
        ``enter``: by word, the answers about entering each place; they are numbers where one may enter.
        """
        word = "sail" if unit.is_fleet else "march"
        if unit.aboard:
            word = "unload"
        costs = enter[word]
        order = self._atlas.place_order
        points_left = {unit.place: 0 if unit.aboard else pace(unit, self._scenes.rules)}
        waiting = [unit.place]
        met = set()
        for place in waiting:
            for near in self._atlas.open_neighbours(place, sea=unit.is_fleet):
                cost = costs[order[near]]
                if not isinstance(cost, int) or near in met:
                    continue
                points_after = points_left[place] - max(0, cost)  # a landing left to dice is below 0
                if points_after < 0 or points_after <= points_left.get(near, -1):
                    continue
                if self._meets_enemies(unit.realm, near, fleet=unit.is_fleet):
                    met.add(near)
                    yield near
                elif not unit.aboard:
                    points_left[near] = points_after
                    waiting.append(near)

    def _enemies_at(self, realm: str, place: str, *, fleet: bool) -> bool:
        """Return whether a realm's fleet, or else its army, would meet units at a place that fight it."""
        fights = has_ships if fleet else lambda other: has_fighters(other, self._scenes.rules)
        return any(
            fights(other) and self._world.hostile(realm, other.realm, place)
            for other in self._world.at(place)
        )


def _can_go_together(unit: Unit, other: Unit) -> bool:
    """Return whether another unit stands beside this army or fleet and can go the same way with it."""
    is_together = other.place == unit.place and other.kind is unit.kind and other.aboard == unit.aboard
    return is_together and other.key != unit.key and not unit.is_garrison
