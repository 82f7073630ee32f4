"""Battles of all sorts, always the same ones, and their whole story as text.

The forces are drawn by the game's own dice, which give the same numbers under every version of Python.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from hashlib import sha256
from itertools import combinations
from typing import Any, TypeVar

from msgspec import structs

from gm.core.codec import to_plain
from gm.core.dice import Dice, Stream
from gm.core.values import Record
from gm.games.medieval.combat.report import TroopCount, UnitRound
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.state import Commander, Unit, World
from gm.games.medieval.steps.conquest import (
    cross_border_battles_fought,
    land_battles_fought,
    sea_battles_fought,
)
from tests.medieval.testland import Played, commander, make_world, unit
from tests.medieval.warfare import fought, sure_rules

REALMS = ("AQU", "ENG", "FRA", "NOR")
SOLDIERS = ("Striker", "Target", "Tough Target", "Odd Target", "Rider", "Ram", "Longbowmen", "Elite Marines")
SHIPS = ("Ship", "Hulk", "Prize", "War Dhow")
STEPS = {"land": land_battles_fought, "border": cross_border_battles_fought, "sea": sea_battles_fought}
ORDERS = "units: {A1: {plan: [pillage, march: Paris]}, F1: {plan: [sail: North Sea]}}"
HIDDEN = ("audience", "phase", "step", "realm", "retreat_level")
"""What the story does not repeat."""

T = TypeVar("T")


def one_of(stream: Stream, choices: Sequence[T]) -> T:
    return choices[stream.below(len(choices))]


@cache
def ground_rules() -> Rules:
    """Battles that end soon, commanders who can be hurt, more luck than in battles whose dice are certain."""
    by = sure_rules(round_limit=9, best_chance_percent=90)
    return by.evolve(commanders=by.commanders.evolve(hit_points=Decimal("1.5")))


def forces(kind: str, number: int) -> tuple[World, dict[str, Any]]:
    """(the world, what its units did before) of a battle."""
    draw = Dice("forces", kind)(str(number))
    units: list[Unit] = []
    done: dict[str, Any] = {}
    for realm in (*REALMS, "IND") if kind == "land" else REALMS:
        for index in range(1, 2 + draw.below(2)):
            units += _sea_force(draw, realm, index) if kind == "sea" else [_army(draw, kind, realm, index)]
    if kind == "land":
        units.append(unit("FRA/G1", "Paris", _troops(draw, SOLDIERS, 2), **_options(draw, "FRA/G1")))
    for force in units:
        done[force.key] = _done(draw, kind, force)
    relations = {pair: draw.below(8) for pair in combinations(REALMS, 2)}
    level = draw.below(8)
    world = make_world(
        *units,
        war=[pair for pair, drawn in relations.items() if drawn < 5],
        allied=[pair for pair, drawn in relations.items() if drawn > 5],
        owners={
            "Paris": one_of(draw, REALMS[:3]),
            "Flanders": one_of(draw, REALMS),
            "Reims": one_of(draw, REALMS),
        },
        provinces={
            "Paris": {"fortification": level, "fortification_damage": draw.below(level + 1)},
            "Flanders": {"permissions": frozenset(REALMS[: draw.below(3)]), "harbour": bool(draw.below(2))},
        },
    )
    return world, done


def _troops(draw: Stream, names: Sequence[str], most: int) -> dict[str, list[int]]:
    ranks_of = {}
    for _ in range(1 + draw.below(most)):
        ranks = [0] * 5
        for _ in range(1 + draw.below(2)):
            ranks[draw.below(5)] += 1 + draw.below(4)
        ranks_of[one_of(draw, names)] = ranks
    return ranks_of


def _options(draw: Stream, key: str) -> dict[str, Any]:
    names = [f"{name} of {key}" for name in ("First", "Second")][: draw.below(3)]
    return {
        "commanders": [commander(name, *(draw.below(101) for _ in range(4))) for name in names],
        "leader": one_of(draw, names) if names and draw.below(4) else None,
        "retreat_level": 1 + draw.below(5),
        "follow": None if key.endswith("1") else one_of(draw, (None, "A1", "F1")),
        "defend_fortifications": bool(draw.below(4)),
        "marines": bool(draw.below(5)),
    }


def _army(draw: Stream, kind: str, realm: str, index: int) -> Unit:
    key = f"{realm}/A{index}"
    place = (
        one_of(draw, ("Paris", "Reims")) if kind == "border" else one_of(draw, ("Paris", "Paris", "Flanders"))
    )
    return unit(key, place, _troops(draw, SOLDIERS, 3), **_options(draw, key))


def _sea_force(draw: Stream, realm: str, index: int) -> Iterator[Unit]:
    """A fleet, and who is aboard."""
    key = f"{realm}/F{index}"
    place = one_of(draw, ("Channel", "Channel", "North Sea"))
    yield unit(key, place, _troops(draw, SHIPS, 2), **_options(draw, key))
    for more in range(draw.below(3)):
        owner = one_of(draw, (realm, realm, one_of(draw, REALMS)))
        army = f"{owner}/A{REALMS.index(realm) * 10 + index * 3 + more}"
        yield unit(army, place, _troops(draw, SOLDIERS, 2), aboard=key, **_options(draw, army))


def _done(draw: Stream, kind: str, force: Unit) -> dict[str, Any]:
    if kind == "border":
        return {
            "marched_phase": one_of(draw, (1, 1, 1, 0)),
            "came_from": "Reims" if force.place == "Paris" else "Paris",
        }
    came_from = {"Paris": ("Reims", "Flanders"), "Flanders": ("Kent", "Reims")}.get(
        force.place, ("London", "North Sea")
    )
    return {
        "came_from": one_of(draw, (None, *came_from)),
        "marched_phase": draw.below(2),
        "landed_phase": draw.below(2),
        "landed": bool(draw.below(2)),
    }


def battles(kind: str, number: int) -> Played:
    """Fight what the forces of this number have to fight."""
    world, done = forces(kind, number)
    owners = {place: world.provinces[place].owner for place in ("Paris", "Flanders", "Reims")}
    orders = {
        realm: ORDERS for realm in REALMS if f"{realm}/A1" in world.units and f"{realm}/F1" in world.units
    }
    return fought(
        world,
        STEPS[kind],
        seed=f"{kind} {number}",
        done=done,
        last_owners=owners,
        orders=orders,
        by=ground_rules(),
    )


def story(played: Played) -> str:
    """All that happened, and the units as they are now."""
    lines: list[str] = []
    for event in played.events:
        if isinstance(event, BattleFought):
            lines += battle_story(event)
        else:
            lines.append(_plain(event))
    for key, force in played.world.units.items():
        if force != played.before.units.get(key) or played.world.done(force) != played.before.done(force):
            lines.append(_state(played.world, force))
    for place, land in played.world.provinces.items():
        if land != played.before.provinces[place]:
            lines.append(f"{place}: damage {land.fortification_damage}")
    lines += [f"skill: {' '.join(gain)}" for gain in sorted(played.world.progress.skills)]
    return "\n".join(lines) + "\n"


def battle_story(event: BattleFought) -> Iterator[str]:
    """A battle from beginning to end."""
    report = event.report
    yield f"BattleFought: {event.battle} {event.place}: {', '.join(event.winners)}"
    for name in report.__struct_fields__:
        value = getattr(report, name)
        if name == "rounds":
            for battle_round in value:
                yield f"  round {battle_round.number}" + "".join(
                    f"; {_plain(retreat)}" for retreat in battle_round.retreats
                )
                yield from (f"    {_round_story(line)}" for line in battle_round.units)
        elif name in ("units", "ends", "captures", "rescues", "wounded", "skills"):
            yield from (f"  {_plain(line)}" for line in value)
        else:
            yield f"  {name}: {_plain(value)}"


def _round_story(line: UnitRound) -> str:
    """What a unit did and suffered; what is worked out of that stands there as a check sum."""
    caused = ", ".join(f"{hit.count} {hit.troop} {hit.damage}" for hit in line.caused)
    lost = [f"{casualty.count} {casualty.troop}" for casualty in line.casualties] + list(
        line.fallen_commanders
    )
    text = f"{line.unit}: {caused or 'nothing'}; takes {line.taken}, loses {', '.join(lost) or 'nobody'}"
    return f"{text} ({sha256(repr(line).encode()).hexdigest()[:6]})"


def _state(world: World, force: Unit) -> str:
    done = {name: value for name, value in to_plain(world.done(force)).items() if value}
    fields = {name: getattr(force, name) for name in ("place", "aboard", "troops", "commanders", "leader")}
    return f"{force.key}: {_plain({name: value for name, value in fields.items() if value})} / {_plain(done)}"


def _plain(value: object) -> str:
    """A value on one line; what is empty is left out."""
    match value:
        case TroopCount():
            return f"{value.count} {value.troop}"
        case Commander():
            return f"{value.name} {value.infantry} {value.cavalry} {value.siege} {value.naval}"
        case Record():
            fields = structs.asdict(value).items()
            parts = (
                f"{name} {_plain(field_value)}"
                for name, field_value in fields
                if name not in HIDDEN and (field_value or field_value is False)
            )
            return f"{type(value).__name__}: {', '.join(parts)}"
        case tuple() | list():
            return f"[{', '.join(_plain(element) for element in value)}]"
        case Mapping():
            return ", ".join(f"{key} {_plain(element)}" for key, element in value.items())
    return str(value)
