"""One realm's headquarters for a turn (N2), and its order file: written as a player would, with comments on why."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from gm.game.values import View
from gm.games.medieval.bots.survey import survey_of
from gm.games.medieval.data.clauses_data import BotProfile
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, UNIT
from gm.games.medieval.state import INDEPENDENTS, Unit, UnitKind, World
from gm.games.medieval.state.strength import has_fighters
from gm.games.medieval.steps.economy import total_upkeep

_PLAIN = re.compile(r"[A-Z]{3}|[A-Z]{3}/[AFG]\d{1,3}|[AFG]\d{1,5}")
"""Codes and ids of units: everything else is quoted, whatever a map calls its places."""


@dataclass(slots=True)
class UnitSheet:
    """The orders of one unit: by word its value, as the grammar has it, and why. ``where`` stands beside its id."""

    where: str
    orders: dict[str, tuple[Any, str]] = field(default_factory=dict)
    plan: list[tuple[str, Any, str]] = field(default_factory=list)

    def order(self, word: str, value: Any, why: str = "") -> None:
        """Order something besides the plan; a second time, the later order stands."""
        self.orders[word] = (value, why)

    def add(self, word: str, name: str, value: object, why: str = "") -> None:
        """Add to an order that is made of names with values, like ``recruit: {Archers: 2}``."""
        known, reason = self.orders.get(word, ({}, ""))
        self.orders[word] = ({**known, name: value}, why or reason)

    def then(self, word: str, value: Any = None, why: str = "") -> None:
        self.plan.append((word, value, why))


class Sheet:
    """One realm's order file in the making. ``lists``: the headquarters' names by word, with why; ``units``: the orders
    to each unit by its reference."""

    def __init__(self, view: View, bot: str) -> None:
        self._view, self._bot = view, bot
        self.lists: dict[str, dict[str, str]] = {}
        self.units: dict[str, UnitSheet] = {}

    def headquarters(self, word: str, name: str, why: str = "") -> None:
        """Add a name to one of the headquarters' lists, like ``declare_war`` or ``annex``."""
        self.lists.setdefault(word, {})[name] = why

    def unit(self, reference: str, where: str = "") -> UnitSheet:
        """The orders of a unit, by its id, or by its province for a garrison."""
        return self.units.setdefault(reference, UnitSheet(where))

    def copy(self) -> "Sheet":
        """Another like it, to be changed."""
        found = Sheet(self._view, self._bot)
        found.lists = {word: dict(names) for word, names in self.lists.items()}
        for reference, each in self.units.items():
            found.units[reference] = UnitSheet(each.where, dict(each.orders), list(each.plan))
        return found

    def data(self) -> bytes:
        return "".join(f"{line}\n" for line in self._lines()).encode()

    def _lines(self) -> Iterator[str]:
        view = self._view
        yield f"# Turn {view.turn}: the orders of {_comment(view.realm)}, written by the bot '{self._bot}'."
        yield f"orders: {FORMAT}"
        yield f"game: {_quoted(view.game)}"
        yield f"realm: {_quoted(view.realm)}"
        yield f"turn: {view.turn}"
        yield f"key: {_quoted(view.key)}"
        if self.lists:
            yield "\nheadquarters:"
        for word in (each for each in HEADQUARTERS if each in self.lists):
            yield f"  {word}:"
            yield from (f"    - {_value(name)}{_remark(why)}" for name, why in self.lists[word].items())
        units = {reference: each for reference, each in self.units.items() if each.orders or each.plan}
        if units:
            yield "\nunits:"
        for reference, each in units.items():
            yield f"  {_value(reference)}:{_remark(each.where)}"
            for word in (name for name in UNIT if name in each.orders):
                value, why = each.orders[word]
                yield f"    {word}: {_value(value)}{_remark(why)}"
            if each.plan:
                yield "    plan:"
            for word, entry, why in each.plan:
                yield f"      - {word}{'' if entry is None else f': {_value(entry)}'}{_remark(why)}"


def _value(value: Any) -> str:
    """A value in YAML's flow style."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(name)}: {_value(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    text = str(value)
    return text if isinstance(value, int) or _PLAIN.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _remark(text: str) -> str:
    return f"  # {_comment(text)}" if text else ""


def _comment(text: str) -> str:
    """A text that stays on its line, whatever is in it."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


class Command:
    """Who is friend and foe, what units still hold, what can be spent. ``foes``: the realms at war with this one, wars
    declared this turn included; ``busy``: keys of units that have their orders; ``gold``: after upkeep and reserve."""

    def __init__(self, view: View, profile: BotProfile) -> None:
        self.view, self.profile, self.realm = view, profile, view.realm
        self.world: World = view.state
        self.survey = survey_of(view.state, view.table)
        self.rules, self.atlas = self.survey.rules, self.survey.atlas
        self.sheet = Sheet(view, profile.name)
        own = self.world.of_realm(self.realm)
        self.upkeep = total_upkeep(own, self.rules)
        reserve = self.upkeep * profile.reserve_percent / 100
        self.gold: Decimal = max(Decimal(0), self.world.realms[self.realm].treasury - self.upkeep - reserve)
        self.foes = {code for code in self.world.realms if self.world.at_war(self.realm, code)}
        self.busy: set[str] = set()
        self._contested: dict[str, bool] = {}
        self._passable: dict[str, bool] = {}
        self._threats: dict[str, float] = {}
        self._holds: dict[str, Unit] = {}
        self._ids = {unit.id for unit in own}

    def spend(self, cost: Decimal) -> bool:
        """Spend so much, if it is left."""
        paid = cost <= self.gold
        if paid:
            self.gold -= cost
        return paid

    def fights(self, other: str, place: str) -> bool:
        """Whether our units and those of ``other`` fight when they meet at a place (W7, B1)."""
        return self.world.hostile(self.realm, other, place) if other == INDEPENDENTS else other in self.foes

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
        """Whether somebody at peace with us stands in enemy land there, and so may own it from phase 1 on (M13)."""
        neutral = {unit.realm for unit in self.survey.fighters(place)} - self.foes - {self.realm, INDEPENDENTS}
        return any(self.world.is_enemy_land(code, place) for code in neutral)

    def may_pass(self, place: str) -> bool:
        """P1: whether armies can march through without a fight."""
        if place not in self._passable:
            barred = self.world.provinces[place].owner in self.foes or self.is_contested(place)
            self._passable[place] = (
                not barred and self.world.has_permission(self.realm, place) and not self.is_falling(place)
            )
        return self._passable[place]

    def declare_war(self, other: str, why: str) -> None:
        """From this turn on they are enemies."""
        self.sheet.headquarters("declare_war", other, why)
        self.foes.add(other)
        self._contested.clear()
        self._passable.clear()

    def threat(self, place: str) -> float:
        """The power of who could be there within a turn: enemies count whole, neutrals in part, others not at all."""
        if place not in self._threats:
            total = 0.0
            for near, steps in self.survey.around(place, self.profile.watch).items():
                for code, force in self.survey.realm_forces.get(near, {}).items():
                    if code not in (self.realm, INDEPENDENTS) and not self.world.allied(self.realm, code):
                        menace = 1.0 if code in self.foes else self.profile.mistrust_percent / 100
                        total += menace * force.power / max(1, steps)
            self._threats[place] = total
        return self._threats[place]

    @cached_property
    def lands(self) -> tuple[str, ...]:
        """The provinces that the realm owns, in map order."""
        return tuple(land.name for land in self.world.owned_by(self.realm))

    @cached_property
    def front(self) -> tuple[str, ...]:
        """The own provinces that somebody else's border on, independents' too, in map order."""
        own = set(self.lands)
        return tuple(name for name in self.lands if not own.issuperset(self.survey.by_land[name]))

    def holds(self, unit: Unit) -> Unit:
        """A unit with the troops that it has after the transfers ordered so far."""
        return self._holds.get(unit.key, unit)

    def hand_over(self, giver: Unit, receiver: str, troops: Mapping[str, int]) -> None:
        """Order a transfer to an own army or fleet here, or to one that is formed here (F8)."""
        left, after = self.holds(giver), self.made(receiver, giver)
        for name, count in troops.items():
            left, ranks = left.take(name, count)
            after = after.add(name, ranks)
        self._transfer(left, after, {"troops": dict(troops)})

    def send_commanders(self, giver: Unit, receiver: str) -> None:
        """Order all commanders of a unit into another here."""
        left, after = self.holds(giver), self.made(receiver, giver)
        if left.commanders:
            after = after.evolve(commanders=(*after.commanders, *left.commanders))
            self._transfer(left.evolve(commanders=(), leader=None), after, {"commanders": [*left.commander_names]})

    def _transfer(self, left: Unit, after: Unit, what: Mapping[str, object]) -> None:
        self._holds |= {left.key: left, after.key: after}
        self.sheet.unit(reference(left), left.place).then("transfer", {"to": after.id, **what})

    def made(self, receiver: str, maker: Unit) -> Unit:
        """The own unit of this id as it is now; one that is formed this turn begins empty where its maker is."""
        key = f"{self.realm}/{receiver}"
        kind, number = UnitKind(receiver[0]), int(receiver[1:])
        formed = Unit(realm=self.realm, kind=kind, number=number, place=maker.place, aboard=maker.aboard)
        return self._holds.get(key) or self.world.units.get(key, formed)

    def form(self, maker: Unit, kind: UnitKind, why: str = "") -> str | None:
        """Order a new army or fleet; its id, or none when all numbers are taken (F5, F6)."""
        ids = (f"{kind.value}{number}" for number in range(1, self.rules.units.number_limit + 1))
        new_id = next((each for each in ids if each not in self._ids), None)
        if new_id is not None:
            self._ids.add(new_id)
            self.sheet.unit(reference(maker), maker.place).add("form", new_id, "", why)
        return new_id

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


def reference(unit: Unit) -> str:
    """How an order file names an own unit: a garrison by its province."""
    return unit.place if unit.is_garrison else unit.id
