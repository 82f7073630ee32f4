"""What the order writer on the map offers in each phase: moves, help and convoys; retreats; builds."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from gm.game.base.hooks import Scene
from gm.game.base.writer import Choices, Ends, Field, Here, Option, Pool, Verb, Way, Why, options, refusal
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.state import Diplomacy, Unit

MOVE = "move"
HOLD = "hold"
SUPPORT = "support"
CONVOY = "convoy"
RETREAT = "retreat"
DISBAND = "disband"
BUILD = "build"
WAIVE = "waive"
_ONE_ORDER = "unit {start}"  # the pool that lets each unit have one order
_ADJUSTMENTS = "adjustments"  # the pool of builds, or of units that must go

_COAST = Field(
    "coast",
    "Coast",
    options([("", "any"), ("/NC", "NC"), ("/SC", "SC"), ("/EC", "EC")]),
    more=True,
)
_VIA = Field("via", "How", options([("", "as it can"), ("via convoy", "via convoy")]), more=True)
_WHOM = Field("what", "Whom")
_UNIT = Field("unit", "What")


class _Offer(NamedTuple):
    """What can be ordered in a phase; ``ways``, ``at`` and ``pools`` as in :class:`Choices`."""

    verbs: tuple[Verb, ...]
    at: Mapping[str, Mapping[str, Here]]
    ways: Mapping[str, Mapping[str, Ends]] = {}
    pools: Mapping[str, Pool] = {}


def choices(scene: Scene) -> Choices:
    """Return everything that the scene's player can order now."""
    state: Diplomacy = scene.after
    board: Board = scene.table.board
    offers = {"moves": _moves, "retreats": _retreats, "adjustments": _adjustments}
    offer = offers[state.phase](scene, board, state)
    own = tuple(unit.area for unit in state.ordered_units(scene.code))
    twice = Why("{start} has an order already", "DP-10.3")
    single = {_ONE_ORDER.replace("{start}", area): Pool("", 1, twice, shown=False) for area in own}
    return Choices(
        sections={"orders": "list"},
        verbs=offer.verbs,
        own=own,
        empty="orders: []",
        ways=offer.ways,
        at=offer.at,
        beyond={
            MOVE: Why("{start} cannot reach {end}", "DP-3.2"),
            RETREAT: Why("nobody may retreat to {end}", "DP-6.2"),
        },
        pools={**single, **offer.pools},
        facts={code: (_fact(board, state, code),) for code in board.areas},
        names={code: area.name for code, area in board.areas.items()},
    )


def _moves(scene: Scene, board: Board, state: Diplomacy) -> _Offer:
    """Return the moves, holds, supports and convoys that a power can order."""
    move = Verb(
        MOVE,
        "Move",
        "orders",
        way=True,
        line="{start} - {end}[{coast}][ {via}]",
        fields=(_COAST, _VIA),
        pool=_ONE_ORDER,
    )
    verbs = (
        move,
        Verb(HOLD, "Hold", "orders", line="{start} H", pool=_ONE_ORDER),
        Verb(SUPPORT, "Support", "orders", line="{start} S {what}", fields=(_WHOM,), pool=_ONE_ORDER),
        Verb(CONVOY, "Convoy", "orders", line="{start} C {what}", fields=(_WHOM,), pool=_ONE_ORDER),
    )
    units = state.units_of(scene.code)
    fleets = {area for area, unit in state.units.items() if unit.kind == "F" and board.areas[area].is_sea}
    goals = {area: _goals(board, unit, fleets) for area, unit in state.units.items()}
    ways = {}
    supports = {}
    convoys = {}
    for unit in units:
        ways[unit.area] = {goal: Way(_occupant(scene, state, goal)) for goal in goals[unit.area]}
        supports[unit.area] = Here({"what": options(_supports(board, state, unit, goals))})
        carried = options(_convoys(board, state, unit.area, goals)) if unit.area in fleets else ()
        if carried:
            convoys[unit.area] = Here({"what": carried})
    holds = {unit.area: Here() for unit in units}
    return _Offer(verbs, {HOLD: holds, SUPPORT: supports, CONVOY: convoys}, {MOVE: ways})


def _goals(board: Board, unit: Unit, fleets: Collection[str]) -> tuple[str, ...]:
    """Return the areas that a unit can be ordered to go to, over sea where ``fleets`` are, too."""
    areas = set(board.areas_reached(unit))
    if unit.kind == "A" and board.is_coastal(unit.area):
        areas |= {
            code for code in board.areas if board.is_coastal(code) and board.sea_way(unit.area, code, fleets)
        }
    areas.discard(unit.area)
    return tuple(code for code in board.areas if code in areas)


def _supports(
    board: Board, state: Diplomacy, unit: Unit, goals: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Yield the supports that a unit can give: (how it is written, title).

    ``goals``: the areas that each unit can be ordered to go to, by the unit's area.
    """
    reached = board.areas_reached(unit)
    for area, other in state.units.items():
        if area == unit.area:
            continue
        name = board.areas[area].name
        if area in reached:
            yield other.name, f"{name} to hold"
        for goal in goals[area]:
            if goal in reached:
                yield f"{other.name} - {goal}", f"{name} to {board.areas[goal].name}"


def _convoys(
    board: Board, state: Diplomacy, fleet: str, goals: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Yield the convoys that the fleet in a sea can be part of: (how it is written, title).

    ``goals``: as for :func:`_supports`.
    """
    armies = {area: unit for area, unit in state.units.items() if unit.kind == "A" and board.is_coastal(area)}
    for area, army in armies.items():
        for goal in filter(board.is_coastal, goals[area]):
            if board.may_carry(fleet, area, goal):
                yield f"{army.name} - {goal}", f"{board.areas[area].name} to {board.areas[goal].name}"


def _retreats(scene: Scene, board: Board, state: Diplomacy) -> _Offer:
    """Return the retreats that a power can order."""
    retreat = Verb(
        RETREAT,
        "Retreat",
        "orders",
        way=True,
        line="{start} R {end}[{coast}]",
        fields=(_COAST,),
        pool=_ONE_ORDER,
    )
    disband = Verb(DISBAND, "Disband", "orders", line="{start} D", pool=_ONE_ORDER)
    ways = {}
    disbands = {}
    for driven in state.dislodged_of(scene.code):
        ways[driven.unit.area] = {area_of(place): Way("free") for place in driven.to}
        disbands[driven.unit.area] = Here()
    return _Offer((retreat, disband), {DISBAND: disbands}, {RETREAT: ways})


def _adjustments(scene: Scene, board: Board, state: Diplomacy) -> _Offer:
    """Return the builds that a power can order, or the units that it can disband."""
    change = state.change.get(scene.code, 0)
    if change < 0:
        verb = Verb(DISBAND, "Disband", "orders", line="{start} D", pool=_ADJUSTMENTS, once=True)
        units = {unit.area: Here() for unit in state.units_of(scene.code)}
        pool = Pool("Units to go", -change, refusal(scene, "none-to-go", target="{start}"))
        return _Offer((verb,), {DISBAND: units}, pools={_ADJUSTMENTS: pool})
    reason = "enough" if change else "none-to-go"
    pool = Pool("Builds left" if change else "Units to go", change, refusal(scene, reason, target="{start}"))
    verbs = (
        Verb(BUILD, "Build", "orders", line="BUILD {unit}", fields=(_UNIT,), pool=_ADJUSTMENTS, once=True),
        Verb(WAIVE, "Build nothing", "orders", start=False, line="WAIVE", pool=_ADJUSTMENTS),
    )
    homes = state.free_homes(board, scene.code)
    builds = {home: Here({"unit": _possible_units(board, home)}) for home in homes}
    return _Offer(verbs, {BUILD: builds}, pools={_ADJUSTMENTS: pool})


def _possible_units(board: Board, home: str) -> tuple[Option, ...]:
    """Return the units that can be built in a home."""
    units = [(f"A {home}", "an army")]
    for place in (home, *board.coasts(home)):
        if place in board.fleet_ways:
            coast = place[3:].replace("/", ", ")
            units.append((f"F {place}", f"a fleet{coast}"))
    return options(units)


def _occupant(scene: Scene, state: Diplomacy, area: str) -> str:
    """Return the label of an area: whose unit is there."""
    unit = state.units.get(area)
    if unit is None:
        return "empty"
    return "yours" if unit.power == scene.code else str(state.parties[unit.power].name)


def _fact(board: Board, state: Diplomacy, code: str) -> str:
    """Return a sentence about an area: whose centre it is, and who is there."""
    area = board.areas[code]
    owner = state.owners.get(code)
    unit = state.units.get(code)
    centre = ", a free centre" if area.centre else ""
    if owner:
        centre = f", a centre of {state.parties[owner].name}"
    occupant = f"{unit.name} of {state.parties[unit.power].name}" if unit else "nobody"
    return f"{area.name} ({code}){centre}; in it {occupant}."
