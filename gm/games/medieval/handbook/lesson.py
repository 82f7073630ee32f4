"""The tutorial's turn, played: its file read by the real reader and tried by the real turn, and what it may say of it.

Whatever the text claims (what things cost, how strong an army is, what becomes of each order) is worked out here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

from gm.game.answers import Preview
from gm.games.medieval.analysis.forecast import forecast
from gm.games.medieval.analysis.trial import preview_orders
from gm.games.medieval.data.atlas import Atlas, City
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.handbook.texts import Tutorial
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.orders.read import read_sheet
from gm.games.medieval.report.map_drawing import draw_map
from gm.games.medieval.report.map_moves import planned_moves
from gm.games.medieval.state import INDEPENDENTS, Unit, World
from gm.games.medieval.state.strength import hit_points, pace, total_combat
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.transfers import same_location_transfers
from gm.games.medieval.steps.turn import Turn
from gm.games.medieval.steps.units import new_armies_formed, new_fleets_formed
from gm.text.pages import counted, figure, gold, listed

FILE = "my-orders.yaml"
SECTIONS = ("headquarters", "units")


class LandRow(NamedTuple):
    """A province of the tutorial's map with its garrison; ``enter`` is the cost of a march there, empty for closed."""

    name: str
    owner: str
    revenue: Decimal
    city: City | None
    walls: str
    harbour: bool
    troops: str
    combat: int
    hit_points: Decimal
    enter: str = ""


class Lesson(NamedTuple):
    """The tutorial's position, its file, and all that its steps show. ``figures`` are its own, by name."""

    file: str
    preview: Preview
    lands: list[LandRow]
    neighbours: list[LandRow]
    recruits: list[TroopType]
    figures: Mapping[str, Any]
    map: str


def order_file(tutorial: Tutorial) -> str:
    """The whole file, put together from what the steps add."""

    def added(section: str) -> str:
        return "".join(step.orders for step in tutorial.steps if step.into == section)

    text = added("head") + "".join(f"\n{name}:\n{added(name)}" for name in SECTIONS if added(name))
    for step in tutorial.steps:
        if step.orders and step.into not in ("head", *SECTIONS):
            heading = f"  {step.into}:\n"
            if text.count(heading) != 1:
                raise ValueError(f"tutorial.yaml: step {step.id} goes below {step.into}, which is not there once")
            text = text.replace(heading, heading + step.orders)
    return text


def read_file(tutorial: Tutorial, text: str, world: World, rules: Rules, atlas: Atlas) -> Orders:
    """A file of the tutorial as the turn reads it. Raises ``ValueError`` when the reader has anything to say."""
    sheet, found = read_sheet(
        text.encode(),
        FILE,
        world=world,
        rules=rules,
        atlas=atlas,
        game=tutorial.map,
        realm=tutorial.realm,
        turn=world.turn + 1,
        key=tutorial.next_key if world.turn else tutorial.key,
    )
    if sheet is None or found:
        raise ValueError("the tutorial's file: " + "\n".join(each.render() for each in found))
    return sheet


def lesson(tutorial: Tutorial, world: World, rules: Rules, atlas: Atlas) -> Lesson:
    """Everything that the tutorial shows, from the start position of its map."""
    text, realm = order_file(tutorial), tutorial.realm
    sheet = read_file(tutorial, text, world, rules, atlas)
    city = atlas.city(atlas.realms[realm].capital)
    moves = tuple(planned_moves(sheet, world))
    return Lesson(
        file=text,
        preview=preview_orders(world, realm, sheet, rules, atlas, text.encode(), FILE),
        lands=[_row(world, rules, atlas, land.name) for land in world.owned_by(realm)],
        neighbours=_neighbours(realm, world, rules, atlas),
        recruits=[rules.troops[name] for name in (city.recruits if city else ())],
        figures=_figures(sheet, world, [move.end for move in moves], rules, atlas),
        map=draw_map(atlas, world, rules, realm=realm, moves=moves, zoom=tutorial.around, prefix="lesson"),
    )


def _formed(world: World, sheet: Orders, rules: Rules, atlas: Atlas) -> World:
    """The world when the new units are formed and filled, before anybody moves (F5-F8)."""
    turn = Turn(state=world, number=world.turn + 1, rules=rules, board=atlas, orders={sheet.realm: sheet}, seed="")
    for each in (turn_opens, new_armies_formed, new_fleets_formed, same_location_transfers):
        turn = replace(turn, state=each(turn.at_step(each.name, 0)).state)
    return turn.state


def _row(world: World, rules: Rules, atlas: Atlas, name: str, enter: str = "") -> LandRow:
    land = world.provinces[name]
    level = rules.fortification(land.fortification)
    guards = [unit for unit in world.at(name) if not unit.is_fleet and not unit.empty]
    return LandRow(
        name=name,
        owner="" if land.owner == INDEPENDENTS else world.realms[land.owner].name,
        revenue=province_revenue(land, atlas, rules),
        city=atlas.city(name),
        walls=f"{level.name}, level {land.fortification}" if level else "",
        harbour=land.harbour,
        troops="; ".join(map(_inside, guards)),
        combat=sum(total_combat(unit, rules) for unit in guards),
        hit_points=sum((hit_points(unit, rules) for unit in guards), Decimal(0)),
        enter=enter,
    )


def _inside(unit: Unit) -> str:
    troops = [f"{unit.count(name)} {name}" for name in unit.troops]
    return ", ".join([*troops, *(each.name for each in unit.commanders)])


def _neighbours(realm: str, world: World, rules: Rules, atlas: Atlas) -> list[LandRow]:
    """The foreign provinces over an open border, those that can be entered first."""
    own = [land.name for land in world.owned_by(realm)]
    rows = []
    for name in dict.fromkeys(each for land in own for each in atlas.open_neighbours(land, sea=False)):
        enemy = world.is_enemy_land(realm, name)
        cost = rules.movement.march_enemy if enemy else rules.movement.march_permitted
        enter = counted(cost, "move-point") if enemy or world.has_permission(realm, name) else ""
        if name not in own:
            rows.append(_row(world, rules, atlas, name, enter))
    return sorted(rows, key=lambda row: not row.enter)


def _figures(sheet: Orders, world: World, ends: list[str], rules: Rules, atlas: Atlas) -> dict[str, Any]:
    """``tutorial.treasury`` and so on; of an army or a defended province ``tutorial.A1.combat`` and ``hit_points``."""
    realm = sheet.realm
    books = forecast(world, realm, sheet, rules, atlas)
    own = [land.name for land in world.owned_by(realm)]
    targets = list(dict.fromkeys(ends))
    figures: dict[str, Any] = {
        "provinces": len(own),
        "treasury": gold(books.treasury),
        "upkeep": gold(books.upkeep),
        "revenue": gold(books.expected_revenue),
        "cost": gold(books.garrison_expenses),
        "surplus": gold(books.surplus),
        "decay": gold(books.decay),
        "annex": gold(sum((atlas.locations[name].revenue for name in targets), Decimal(0))),
        "targets": listed(targets),
    }
    for unit in _formed(world, sheet, rules, atlas).of_realm(realm):
        if not unit.is_garrison:
            figures |= {
                f"{unit.id}.combat": total_combat(unit, rules),
                f"{unit.id}.hit_points": figure(hit_points(unit, rules)),
                f"{unit.id}.pace": pace(unit, rules),
            }
    for name in (*targets, *own):
        row = _row(world, rules, atlas, name)
        figures |= {
            f"{name}.combat": row.combat,
            f"{name}.hit_points": figure(row.hit_points),
            f"{name}.resource": row.city.resource if row.city else 0,
        }
    return {f"tutorial.{name}": value for name, value in figures.items()}
