"""What the order writer on the map offers in each phase: moves, help and convoys; retreats; builds."""

from collections.abc import Iterator, Mapping
from typing import Any

from gm.game.base.hooks import Scene
from gm.game.base.writer import Choices, Field, Here, Option, Pool, Verb, Way, Why, options, refusal
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.state import Diplomacy, Unit

MOVE, HOLD, SUPPORT, CONVOY, RETREAT, DISBAND, BUILD, WAIVE = (
    *("move", "hold", "support", "convoy", "retreat", "disband", "build", "waive"),
)
# The kinds of orders, and what else the tables have in a phase
Offer = tuple[tuple[Verb, ...], dict[str, Any]]
ONCE, LEFT = "unit {start}", "adjustments"
_COAST = Field(
    "coast", "Coast", options([("", "any"), *((f"/{each}C", f"{each}C") for each in "NSE")]), more=True
)
_VIA = Field("via", "How", options([("", "as it can"), ("via convoy", "via convoy")]), more=True)
_WHAT, _UNIT = Field("what", "Whom"), Field("unit", "What")


def choices(scene: Scene) -> Choices:
    """Everything that the scene's player can order now."""
    state: Diplomacy = scene.after
    board: Board = scene.table.board
    offer = {"moves": _moving, "retreats": _retreating, "adjustments": _adjusting}[state.phase](
        scene, board, state
    )
    verbs, more = offer
    twice = Why("{start} has an order already", "DP-10.3")
    own = tuple(each.area for each in _asked(state, scene.code))
    pools = {ONCE.replace("{start}", area): Pool("", 1, twice, shown=False) for area in own}
    return Choices(
        sections={"orders": "list"},
        verbs=verbs,
        own=own,
        empty="orders: []",
        beyond={
            MOVE: Why("{start} cannot reach {end}", "DP-3.2"),
            RETREAT: Why("nobody may retreat to {end}", "DP-6.2"),
        },
        pools={**pools, **more.pop("pools", {})},
        facts={code: (_fact(scene, board, state, code),) for code in board.areas},
        names={code: area.name for code, area in board.areas.items()},
        **more,
    )


def _asked(state: Diplomacy, power: str) -> list[Unit]:
    if state.phase == "retreats":
        return [each.unit for each in state.dislodged.values() if each.unit.power == power]
    return [*state.units_of(power)]


def _moving(scene: Scene, board: Board, state: Diplomacy) -> Offer:
    units = state.units_of(scene.code)
    fleets = {area for area, each in state.units.items() if each.kind == "F" and board.areas[area].is_sea}
    goals = {area: _goals(board, each, fleets) for area, each in state.units.items()}
    verbs = (
        Verb(
            MOVE,
            "Move",
            "orders",
            way=True,
            line="{start} - {end}[{coast}][ {via}]",
            fields=(_COAST, _VIA),
            pool=ONCE,
        ),
        Verb(HOLD, "Hold", "orders", line="{start} H", pool=ONCE),
        Verb(SUPPORT, "Support", "orders", line="{start} S {what}", fields=(_WHAT,), pool=ONCE),
        Verb(CONVOY, "Convoy", "orders", line="{start} C {what}", fields=(_WHAT,), pool=ONCE),
    )
    ways = {each.area: {end: Way(_there(scene, state, end)) for end in goals[each.area]} for each in units}
    helped = {each.area: Here({"what": options(_helped(board, state, each, goals))}) for each in units}
    carried = {area: Here({"what": options(_carried(board, state, area, goals))}) for area in fleets}
    own = {each.area for each in units}
    carried = {area: each for area, each in carried.items() if area in own and each.options["what"]}
    return verbs, {
        "ways": {MOVE: ways},
        "at": {HOLD: dict.fromkeys(own, Here()), SUPPORT: helped, CONVOY: carried},
    }


def _goals(board: Board, unit: Unit, fleets: set[str]) -> tuple[str, ...]:
    """The areas that a unit can be ordered to, over sea where fleets stand, too."""
    near = {area_of(each) for each in board.reached(unit)}
    if unit.kind == "A" and board.is_coastal(unit.area):
        near |= {
            code for code in board.areas if board.is_coastal(code) and board.sea_way(unit.area, code, fleets)
        }
    return tuple(code for code in board.areas if code in near - {unit.area})


def _helped(
    board: Board, state: Diplomacy, unit: Unit, goals: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Whom a unit can support, and in what."""
    near = {area_of(each) for each in board.reached(unit)}
    for area, other in state.units.items():
        if area != unit.area and area in near:
            yield f"{other.name}", f"{board.areas[area].name} to hold"
        for goal in goals[area]:
            if area != unit.area and goal in near:
                yield f"{other.name} - {goal}", f"{board.areas[area].name} to {board.areas[goal].name}"


def _carried(
    board: Board, state: Diplomacy, fleet: str, goals: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    for area, other in state.units.items():
        for goal in goals[area] if other.kind == "A" and board.is_coastal(area) else ():
            if board.is_coastal(goal) and board.may_carry(fleet, area, goal):
                yield f"{other.name} - {goal}", f"{board.areas[area].name} to {board.areas[goal].name}"


def _retreating(scene: Scene, board: Board, state: Diplomacy) -> Offer:
    mine = {area: each for area, each in state.dislodged.items() if each.unit.power == scene.code}
    verbs = (
        Verb(
            RETREAT,
            "Retreat",
            "orders",
            way=True,
            line="{start} R {end}[{coast}]",
            fields=(_COAST,),
            pool=ONCE,
        ),
        Verb(DISBAND, "Disband", "orders", line="{start} D", pool=ONCE),
    )
    ways = {area: {area_of(to): Way("free") for to in each.to} for area, each in mine.items()}
    return verbs, {"ways": {RETREAT: ways}, "at": {DISBAND: dict.fromkeys(mine, Here())}}


def _adjusting(scene: Scene, board: Board, state: Diplomacy) -> Offer:
    count = state.change.get(scene.code, 0)
    left = Pool(
        "Builds left" if count > 0 else "Units to go",
        abs(count),
        refusal(scene, "enough" if count > 0 else "none-to-go", target="{start}"),
    )
    if count < 0:
        verb = Verb(DISBAND, "Disband", "orders", line="{start} D", pool=LEFT, once=True)
        return (verb,), {
            "at": {DISBAND: {each.area: Here() for each in state.units_of(scene.code)}},
            "pools": {LEFT: left},
        }
    verbs = (
        Verb(BUILD, "Build", "orders", line="BUILD {unit}", fields=(_UNIT,), pool=LEFT, once=True),
        Verb(WAIVE, "Build nothing", "orders", start=False, line="WAIVE", pool=LEFT),
    )
    homes = state.free_homes(board, scene.code)
    return verbs, {
        "at": {BUILD: {home: Here({"unit": _built(board, home)}) for home in homes}},
        "pools": {LEFT: left},
    }


def _built(board: Board, home: str) -> tuple[Option, ...]:
    fleets = [place for place in (home, *board.coasts(home)) if place in board.fleet_ways]
    return options(
        [
            (f"A {home}", "an army"),
            *((f"F {place}", f"a fleet{place[3:].replace('/', ', ')}") for place in fleets),
        ]
    )


def _there(scene: Scene, state: Diplomacy, area: str) -> str:
    unit = state.units.get(area)
    return (
        "empty"
        if unit is None
        else "yours"
        if unit.power == scene.code
        else str(state.parties[unit.power].name)
    )


def _fact(scene: Scene, board: Board, state: Diplomacy, code: str) -> str:
    area, owner, unit = board.areas[code], state.owners.get(code), state.units.get(code)
    centre = (
        f", a centre of {state.parties[owner].name}" if owner else ", a free centre" if area.centre else ""
    )
    there = f"{unit.name} of {state.parties[unit.power].name}" if unit else "nobody"
    return f"{area.name} ({code}){centre}; in it {there}."
