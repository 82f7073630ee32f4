"""One realm's headquarters for a turn: who is friend and foe, what its units still hold, what it can spend (N2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cached_property

from gm.game.values import View
from gm.games.medieval.bots.sheet import Sheet
from gm.games.medieval.bots.survey import Force, Survey, force_of, summed, survey_of
from gm.games.medieval.data.clauses_data import BotProfile
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import INDEPENDENTS, Ranks, Unit, UnitKind, World
from gm.games.medieval.state.strength import has_fighters
from gm.games.medieval.steps.economy import total_upkeep


class Budget:
    """A realm's gold for the turn: upkeep is paid first, and a reserve of so many percent of it stays."""

    def __init__(self, world: World, realm: str, rules: Rules, reserve_percent: int) -> None:
        self.upkeep = total_upkeep(world.of_realm(realm), rules)
        reserve = self.upkeep * reserve_percent / 100
        self.left = max(Decimal(0), world.realms[realm].treasury - self.upkeep - reserve)

    def afford(self, cost: Decimal) -> bool:
        """Whether so much is left."""
        return cost <= self.left

    def spend(self, cost: Decimal) -> bool:
        """Spend so much, if it is left."""
        paid = self.afford(cost)
        if paid:
            self.left -= cost
        return paid


class Command:
    """``profile`` is the bot's. ``foes`` are the realms at war with this one, wars declared this turn included."""

    def __init__(self, view: View, profile: BotProfile) -> None:
        self.view = view
        self.realm = view.realm
        self.world: World = view.state
        self.survey: Survey = survey_of(view.state, view.table)
        self.rules = self.survey.rules
        self.atlas = self.survey.atlas
        self.profile = profile
        self.sheet = Sheet(view, profile.name)
        self.budget = Budget(self.world, self.realm, self.rules, profile.reserve_percent)
        self.foes = {code for code in self.world.realms if self.world.at_war(self.realm, code)}
        self._contested: dict[str, bool] = {}
        self._threats: dict[str, float] = {}
        self._holds: dict[str, Unit] = {}
        self._numbers = {
            kind: {unit.number for unit in self.world.of_realm(self.realm) if unit.kind is kind} for kind in UnitKind
        }
        self._busy: set[str] = set()

    def fights(self, other: str, place: str) -> bool:
        """Whether our units and those of ``other`` fight when they meet at a place (W7, B1)."""
        if other == INDEPENDENTS:
            return self.world.hostile(self.realm, other, place)
        return other in self.foes

    def hostile_at(self, place: str) -> list[Unit]:
        """The soldiers at a place who would fight ours."""
        return [unit for unit in self.survey.fighters(place) if self.fights(unit.realm, place)]

    def is_contested(self, place: str) -> bool:
        """Whether there is or may be a battle at a place although nobody comes: plans there cannot be relied on."""
        if place not in self._contested:
            self._contested[place] = bool(self.hostile_at(place))
        return self._contested[place]

    def is_enemy_land(self, place: str) -> bool:
        """P2, with the wars of this turn."""
        owner = self.world.provinces[place].owner
        if self.is_falling(place):
            return False
        return self.world.is_enemy_land(self.realm, place) if owner == INDEPENDENTS else owner in self.foes

    def is_falling(self, place: str) -> bool:
        """Whether somebody with whom we are at peace stands in enemy land there, and so may own it from phase 1 on
        (M13): whoever may enter now may not then."""
        return any(
            code not in self.foes and code not in (self.realm, INDEPENDENTS) and self.world.is_enemy_land(code, place)
            for code in {unit.realm for unit in self.survey.fighters(place)}
        )

    def may_pass(self, place: str) -> bool:
        """P1: whether armies can march through without a fight."""
        if self.world.provinces[place].owner in self.foes or self.is_contested(place) or self.is_falling(place):
            return False
        return self.world.has_permission(self.realm, place)

    def declare_war(self, other: str, why: str) -> None:
        """From this turn on they are enemies."""
        self.sheet.headquarters("declare_war", other, why)
        self.foes.add(other)
        self._contested.clear()

    @cached_property
    def lands(self) -> tuple[str, ...]:
        """The provinces that the realm owns, in map order."""
        return tuple(land.name for land in self.world.owned_by(self.realm))

    def threat(self, place: str) -> float:
        """The power of those who could be at a place within a turn: enemies count whole, neutrals in part, friends and
        the independents, who never leave, not at all."""
        if place not in self._threats:
            total = 0.0
            for near, steps in self.survey.around(place, self.profile.watch).items():
                for code, force in self.survey.realm_forces.get(near, {}).items():
                    total += self._menace(code) * force.power / max(1, steps)
            self._threats[place] = total
        return self._threats[place]

    def _menace(self, code: str) -> float:
        if code in (self.realm, INDEPENDENTS) or self.world.allied(self.realm, code):
            return 0.0
        return 1.0 if code in self.foes else self.profile.mistrust_percent / 100

    @cached_property
    def front(self) -> tuple[str, ...]:
        """The own provinces that somebody else's border on, independents' too, in map order."""
        owner = {name: land.owner for name, land in self.world.provinces.items()}
        return tuple(
            name for name in self.lands if any(owner[near] != self.realm for near in self.survey.by_land[name])
        )

    def holds(self, unit: Unit) -> Unit:
        """A unit with the troops that it has after the transfers ordered so far."""
        return self._holds.get(unit.key, unit)

    def hand_over(self, giver: Unit, receiver: str, troops: Mapping[str, int]) -> None:
        """Order a transfer to an own army or fleet here, or to one that is formed here (F8)."""
        left = self.holds(giver)
        moved: dict[str, Ranks] = {}
        for name, count in troops.items():
            left, ranks = left.take(name, count)
            moved[name] = ranks
        self._holds[giver.key] = left
        before = self.made(receiver, giver)
        for name, ranks in moved.items():
            before = before.add(name, ranks)
        self._holds[before.key] = before
        entry = {"to": receiver, "troops": dict(troops)}
        self.sheet.unit(reference(giver), giver.place).then("transfer", entry)

    def send_commanders(self, giver: Unit, receiver: str) -> None:
        """Order all commanders of a unit into another here."""
        names = [who.name for who in self.holds(giver).commanders]
        if not names:
            return
        after = self.made(receiver, giver)
        self._holds[after.key] = after.evolve(commanders=(*after.commanders, *self.holds(giver).commanders))
        self._holds[giver.key] = self.holds(giver).evolve(commanders=(), leader=None)
        self.sheet.unit(reference(giver), giver.place).then("transfer", {"to": receiver, "commanders": names})

    def made(self, receiver: str, maker: Unit) -> Unit:
        """The own unit of this id as it is now; one that is formed this turn begins empty where its maker is."""
        key = f"{self.realm}/{receiver}"
        known = self._holds.get(key) or self.world.units.get(key)
        if known is not None:
            return known
        kind, number = UnitKind(receiver[0]), int(receiver[1:])
        return Unit(realm=self.realm, kind=kind, number=number, place=maker.place, aboard=maker.aboard)

    def form(self, maker: Unit, kind: UnitKind, why: str = "") -> str | None:
        """Order a new army or fleet; its id, or none when all numbers are taken (F5, F6)."""
        taken = self._numbers[kind]
        number = next((each for each in range(1, self.rules.units.number_limit + 1) if each not in taken), None)
        if number is None:
            return None
        taken.add(number)
        new_id = f"{kind.value}{number}"
        self.sheet.unit(reference(maker), maker.place).add("form", new_id, "", why)
        return new_id

    def engage(self, *keys: str) -> None:
        """These units have orders for this turn: nobody else is to give them any."""
        self._busy.update(keys)

    def is_busy(self, unit: Unit) -> bool:
        """Whether the unit has something to do already."""
        return unit.key in self._busy

    @cached_property
    def garrisons(self) -> tuple[Unit, ...]:
        """The own garrisons that nobody fights, in order."""
        mine = self.world.of_realm(self.realm)
        return tuple(unit for unit in mine if unit.is_garrison and not self.is_contested(unit.place))

    @cached_property
    def armies(self) -> tuple[Unit, ...]:
        """The own armies ashore that nobody fights, in order."""
        mine = (unit for unit in self.world.of_realm(self.realm) if unit.is_army and not unit.aboard)
        return tuple(unit for unit in mine if has_fighters(unit, self.rules) and not self.is_contested(unit.place))

    def force(self, units: Iterable[Unit]) -> Force:
        """Units as they are after the transfers, in the open."""
        return summed(force_of(self.holds(unit), self.rules) for unit in units)


def reference(unit: Unit) -> str:
    """How an order file names an own unit: a garrison by its province."""
    return unit.place if unit.is_garrison else unit.id
