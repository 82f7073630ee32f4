"""Bots for Diplomacy: one orders by chance, one goes for centres, its units helping each other."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from gm.core.dice import Dice
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.state import Diplomacy, Unit

Values = Mapping[str, float]  # what it is worth to be in an area, by area


def random_lines(view: View) -> Iterator[str]:
    """Yield the lines of a file: each unit moves, holds or retreats by chance; each home builds something."""
    board: Board = view.table.board
    state: Diplomacy = view.state
    dice = Dice(view.seed, "wanderer")
    yield "orders:"
    for unit, places in _choices(board, state, view.realm):
        place = dice("way", unit.place).choice(["", *places])
        yield f"  - {_line(state, unit, place)}"
    builds = [dice("home", home).choice(_possible_units(board, home)) for home in _building_homes(view)]
    yield from _adjustment_lines(state, view.realm, builds)


def greedy_lines(view: View) -> Iterator[str]:
    """Yield the lines of a file: units go to where centres are to be had, two against one where they can."""
    board: Board = view.table.board
    state: Diplomacy = view.state
    values = _values(board, state, view.realm)
    yield "orders:"
    if state.phase == "moves":
        yield from _greedy_moves(view, values)
        return
    for unit, places in _choices(board, state, view.realm):
        best = max(places, key=lambda place: (values[area_of(place)], place), default="")
        yield f"  - {_line(state, unit, best)}"
    builds = [_possible_units(board, home)[0] for home in _building_homes(view)]
    yield from _adjustment_lines(state, view.realm, builds)


def _greedy_moves(view: View, values: Values) -> Iterator[str]:
    """Yield a line for each unit: its move, its help for another one, or that it holds."""
    state: Diplomacy = view.state
    choices = list(_choices(view.table.board, state, view.realm))
    goals = _goals(choices, values, Dice(view.seed, "greedy"))
    for unit, places in choices:
        goal = goals.get(unit.area, unit.place)
        if goal != unit.place:
            yield f"  - {_line(state, unit, goal)}"
        else:
            yield f"  - {_help_line(state, unit, places, goals)}"


def _goals(choices: list[tuple[Unit, tuple[str, ...]]], values: Values, dice: Dice) -> dict[str, str]:
    """Return the place that each unit goes to, or stays in, by its area; no two go to one area.

    ``choices``: the units with the places that they can go to. Those with the best one choose first.
    """

    def best_value(choice: tuple[Unit, tuple[str, ...]]) -> float:
        return max((values[area_of(place)] for place in choice[1]), default=0.0)

    goals: dict[str, str] = {}
    for unit, places in sorted(choices, key=best_value, reverse=True):
        taken = set(map(area_of, goals.values()))
        free = [place for place in (unit.place, *places) if area_of(place) not in taken]
        if not free:
            continue
        whim = dice("whim", unit.place)  # a little chance, so that the bot cannot be foreseen
        worth = {place: values[area_of(place)] + whim.below(30) / 100 for place in free}
        goals[unit.area] = max(free, key=lambda place: (worth[place], place))
    return goals


def _help_line(state: Diplomacy, unit: Unit, places: tuple[str, ...], goals: Mapping[str, str]) -> str:
    """Return the line of a unit that stays: its support for a move against another power; else it holds.

    ``places``: those that the unit could go to; ``goals``: as from :func:`_goals`.
    """
    areas = set(map(area_of, places))
    for area, goal in goals.items():
        target = area_of(goal)
        if area == unit.area or target not in areas:
            continue
        defender = state.units.get(target)
        if defender is not None and defender.power != unit.power:
            return f"{unit.name} S {state.units[area].name} - {target}"
    return f"{unit.name} H"


def _values(board: Board, state: Diplomacy, power: str) -> Values:
    """Return what each area is worth to a power, by itself and for what is next to it."""
    own = {area: _value(board, state, power, area) for area in board.areas}
    best_near = {area: max(own[near] for near in board.graph.neighbours(area)) for area in board.areas}
    return {area: own[area] + best_near[area] * 0.4 for area in board.areas}


def _value(board: Board, state: Diplomacy, power: str, area: str) -> float:
    """Return what an area is worth by itself: most if it is a free centre, then if it is another power's."""
    if area not in board.centres:
        return 0.1
    owner = state.owners.get(area)
    if owner is None:
        return 2.4
    if owner != power:
        return 2.0
    units_near = (state.units[near] for near in board.graph.neighbours(area) if near in state.units)
    in_danger = any(unit.power != power for unit in units_near)
    return 1.6 if in_danger else 0.0


def _choices(board: Board, state: Diplomacy, power: str) -> Iterator[tuple[Unit, tuple[str, ...]]]:
    """Yield the units that move or retreat now, each with the places that it can go to."""
    if state.phase == "retreats":
        for driven in state.dislodged_of(power):
            yield driven.unit, driven.to
    elif state.phase == "moves":
        for unit in state.units_of(power):
            yield unit, board.reached(unit)


def _line(state: Diplomacy, unit: Unit, place: str) -> str:
    """Return the line with which a unit goes to a place; empty or its own: it holds, or is disbanded."""
    if state.phase == "retreats":
        return f"{unit.name} R {place}" if place else f"{unit.name} D"
    return f"{unit.name} - {place}" if place not in ("", unit.place) else f"{unit.name} H"


def _building_homes(view: View) -> tuple[str, ...]:
    """Return the free homes in which the power builds now: at most as many as it may build units."""
    state: Diplomacy = view.state
    count = state.change.get(view.realm, 0) if state.phase == "adjustments" else 0
    return state.free_homes(view.table.board, view.realm)[: max(0, count)]


def _possible_units(board: Board, home: str) -> list[str]:
    """Return the units that can be built in a home, as orders call them, the army first."""
    fleets = [f"F {place}" for place in (*board.coasts(home), home) if place in board.fleet_ways]
    return [f"A {home}", *fleets]


def _adjustment_lines(state: Diplomacy, power: str, builds: list[str]) -> Iterator[str]:
    """Yield the lines that build these units, or disband what must go, first units outside of centres."""
    yield from (f"  - BUILD {unit}" for unit in builds)
    surplus = -state.change.get(power, 0) if state.phase == "adjustments" else 0
    if surplus > 0:
        units = sorted(state.units_of(power), key=lambda unit: (unit.area in state.owners, unit.place))
        yield from (f"  - DISBAND {unit.name}" for unit in units[:surplus])


def _file_lines(lines_of: Callable[[View], Iterator[str]], view: View) -> list[str]:
    """Return the lines of a bot's file; ``lines_of`` yields ``orders:`` and a line for each order."""
    lines = list(lines_of(view))
    return lines if len(lines) > 1 else ["orders: []"]


BOTS: Mapping[str, Bot] = {
    "greedy": BaseBot(
        "greedy", "goes for centres, two against one where it can", partial(_file_lines, greedy_lines)
    ),
    "random": BaseBot("random", "orders by chance", partial(_file_lines, random_lines)),
}
