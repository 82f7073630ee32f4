"""Programs that play Diplomacy: one by chance, one that goes for centres and helps itself."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from gm.core.dice import Dice
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.state import Diplomacy, Unit

Worth = Mapping[str, float]


def random_lines(view: View) -> Iterator[str]:
    """Each unit moves, holds or retreats by chance; each home builds something."""
    dice, board, state = Dice(view.seed, "wanderer"), view.table.board, view.state
    yield "orders:"
    for unit, ways in _asked(board, state, view.realm):
        place = dice("way", unit.place).choice(["", *ways])
        yield f"  - {_line(state, unit, place)}"
    yield from _adjusting(
        state, view.realm, [dice("home", each).choice(_built(board, each)) for each in _homes(view)]
    )


def greedy_lines(view: View) -> Iterator[str]:
    """Units go to where centres are to be had, two against one where they can.

    Who has nowhere to go helps.
    """
    board, state, power = view.table.board, view.state, view.realm
    dice, worth = Dice(view.seed, "greedy"), _worth(board, state, power)
    asked = list(_asked(board, state, power))
    yield "orders:"
    if state.phase != "moves":
        for unit, ways in asked:
            best = max(ways, key=lambda place: (worth[area_of(place)], place), default="")
            yield f"  - {_line(state, unit, best)}"
        yield from _adjusting(state, power, [_built(board, each)[0] for each in _homes(view)])
        return
    goals: dict[str, str] = {}  # by the area of the unit: the place that it goes to
    for unit, ways in sorted(
        asked, key=lambda each: max((worth[area_of(way)] for way in each[1]), default=0.0), reverse=True
    ):
        free = [way for way in (unit.place, *ways) if area_of(way) not in map(area_of, goals.values())]
        if free:
            whim = dice("whim", unit.place)
            goals[unit.area] = max(free, key=lambda way: (worth[area_of(way)] + whim.below(30) / 100, way))
    for unit, ways in asked:
        yield f"  - {_helping(board, state, unit, ways, goals)}"


def _helping(
    board: Board, state: Diplomacy, unit: Unit, ways: tuple[str, ...], goals: Mapping[str, str]
) -> str:
    """The unit's move; or, if it has none that pays, its help for one next to it that meets somebody."""
    goal, near = goals.get(unit.area, unit.place), {area_of(each) for each in ways}
    if goal != unit.place:
        return _line(state, unit, goal)
    for other, target in goals.items():
        strange = area_of(target) in state.units and state.units[area_of(target)].power != unit.power
        if other != unit.area and area_of(target) in near and strange and target != state.units[other].place:
            return f"{unit.name} S {state.units[other].name} - {area_of(target)}"
    return f"{unit.name} H"


def _worth(board: Board, state: Diplomacy, power: str) -> Worth:
    """What it is worth to be in each area: centres that are not one's own, what is next to them, homes in
    danger.
    """

    def own(area: str) -> float:
        if area not in board.centres:
            return 0.1
        owner = state.owners.get(area)
        if owner == power:
            foes = any(
                state.units[near].power != power
                for near in board.graph.neighbours(area)
                if near in state.units
            )
            return 1.6 if foes else 0.0
        return 2.4 if owner is None else 2.0

    base = {area: own(area) for area in board.areas}
    spread = {area: max(base[near] for near in board.graph.neighbours(area)) for area in board.areas}
    return {area: base[area] + spread[area] * 0.4 for area in board.areas}


def _asked(board: Board, state: Diplomacy, power: str) -> Iterator[tuple[Unit, tuple[str, ...]]]:
    """The units that take orders now, with where they can go."""
    if state.phase == "retreats":
        yield from ((each.unit, each.to) for each in state.dislodged.values() if each.unit.power == power)
    elif state.phase == "moves":
        yield from ((each, board.reached(each)) for each in state.units_of(power))


def _line(state: Diplomacy, unit: Unit, place: str) -> str:
    if state.phase == "retreats":
        return f"{unit.name} R {place}" if place else f"{unit.name} D"
    return f"{unit.name} - {place}" if place and place != unit.place else f"{unit.name} H"


def _homes(view: View) -> tuple[str, ...]:
    state: Diplomacy = view.state
    count = state.change.get(view.realm, 0) if state.phase == "adjustments" else 0
    return state.free_homes(view.table.board, view.realm)[: max(0, count)]


def _built(board: Board, home: str) -> list[str]:
    fleets = [f"F {place}" for place in (*board.coasts(home), home) if place in board.fleet_ways]
    return [f"A {home}", *fleets]


def _adjusting(state: Diplomacy, power: str, builds: list[str]) -> Iterator[str]:
    yield from (f"  - BUILD {each}" for each in builds)
    if state.phase == "adjustments" and state.change.get(power, 0) < 0:
        gone = sorted(state.units_of(power), key=lambda unit: (unit.area in state.owners, unit.place))
        yield from (f"  - DISBAND {each.name}" for each in gone[: -state.change[power]])


def _lines(lines: Callable[[View], Iterator[str]], view: View) -> list[str]:
    found = list(lines(view))
    return found if len(found) > 1 else ["orders: []"]


BOTS: Mapping[str, Bot] = {
    "greedy": BaseBot(
        "greedy", "goes for centres, two against one where it can", partial(_lines, greedy_lines)
    ),
    "random": BaseBot("random", "orders by chance", partial(_lines, random_lines)),
}
