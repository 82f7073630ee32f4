"""Stages 5 to 7: supply, penalty, restoration (CS-10, CS-11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, settled
from gm.games.conquest_structures.board import Board, place_rank
from gm.games.conquest_structures.events import MarkLost, MarkTaken, NetworkSupplied
from gm.games.conquest_structures.orders import Selector
from gm.games.conquest_structures.rules import Rules
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Unit, is_immobile
from gm.games.conquest_structures.turn import Outcome, Turn


def networks(state: Conquest, owner: str, board: Board) -> Iterator[tuple[str, ...]]:
    """The connected blocks of a player's structures (CS-10.4), each in order, the lowest first."""
    left = dict.fromkeys(state.owned_by(owner))
    while left:
        block, edge = set[str](), [next(iter(left))]
        while edge:
            place = edge.pop()
            if place not in block:
                block.add(place)
                edge += [each for each in board.neighbours(place) if state.owners[each] == owner]
        for place in block:
            del left[place]
        yield tuple(sorted(block, key=place_rank))


@step("5 Supply", "CS-10.1", "CS-10.2", "CS-10.3", "CS-10.4", "CS-10.6", "CS-10.7", "CS-10.8", "CS-10.9")
def supply(turn: Turn) -> Outcome:
    """Each network's sources feed the units in it; where they do not suffice, in the order that its player wants.

    Reads: owners, units, supply priorities. Writes: which units are out of supply. Emits: NetworkSupplied, LineSettled.
    """
    state = turn.state
    short: list[Unit] = []
    events: list[Event] = []
    for code in state.living:
        wishes = turn.orders[code].priority if code in turn.orders else ()
        for places in networks(state, code, turn.board):
            event = _network(state, turn.rules, code, places, wishes)
            if event is not None:
                events.append(event)
                short += [unit.evolve(unsupplied=True) for unit in state.units_of(code) if unit.id in event.short]
        for wish in wishes:
            if any(_meant(wish, unit) for unit in state.units_of(code)):
                events.append(settled(code, wish.written))
            else:
                events.append(settled(code, wish.written, Fate.FAILED, "priority-of-nobody"))
    return Outcome(state.with_units(short), tuple(events))


def _network(
    state: Conquest, rules: Rules, code: str, places: tuple[str, ...], wishes: tuple[Selector, ...]
) -> NetworkSupplied | None:
    """How one network feeds its units; none when nobody is in it."""
    units = [unit for unit in state.units_of(code) if unit.place in places]
    if not units:
        return None
    sources = sum(rules.kind_of(place).supply for place in places)
    needs = sum(rules.units[unit.type].supply for unit in units)
    fed, left = [], sources
    for unit in in_order(units, rules, wishes):
        need = rules.units[unit.type].supply
        # a unit gets all its lines or none, and later ones are still tried (CS-10.7)
        if need <= left:
            left -= need
            fed.append(unit.id)
    short = tuple(unit.id for unit in units if unit.id not in fed)
    chosen = bool(short) and any(_meant(wish, unit) for wish in wishes for unit in units)
    return NetworkSupplied(
        owner=code,
        places=places,
        sources=sources,
        needs=needs,
        supplied=tuple(unit.id for unit in units if unit.id in fed),
        short=short,
        chosen=chosen,
        clause="CS-10.6" if chosen else "CS-10.8" if short else "CS-10.4",
    )


def in_order(units: list[Unit], rules: Rules, wishes: tuple[Selector, ...]) -> list[Unit]:
    """The units in the order in which they get lines: as the list says, then by the default order (CS-10.6, CS-10.8,
    CS-10.9)."""
    keys: Mapping[str, Callable[[Unit], tuple[str, int]]] = {
        "most_marks": lambda unit: ("", -unit.marks),
        "infantry_first": lambda unit: ("", list(rules.units).index(unit.type)),
        "structure_id": lambda unit: place_rank(unit.place),
        "unit_id": lambda unit: ("", unit.number),
    }
    left = sorted(units, key=lambda unit: [keys[each](unit) for each in rules.supply_default])
    found: list[Unit] = []
    for wish in wishes:
        meant = [unit for unit in left if _meant(wish, unit)]
        found += meant
        left = [unit for unit in left if unit not in meant]
    return [*found, *left]


def _meant(wish: Selector, unit: Unit) -> bool:
    if wish.number:
        return unit.number == wish.number
    return wish.type in ("", unit.type) and wish.place in ("", unit.place)


@step("6 Penalty", "CS-11.1", "CS-11.3")
def penalty(turn: Turn) -> Outcome:
    """Each unit out of supply gets a mark; with as many as the rules say it is immobile.

    Reads: units. Writes: marks. Emits: MarkTaken.
    """
    rules = turn.rules
    changed, events = [], []
    for unit in turn.state.units.values():
        if unit.unsupplied:
            after = unit.evolve(marks=min(rules.marks.cap, unit.marks + rules.marks.per_missed_check))
            changed.append(after)
            event = MarkTaken(
                owner=unit.owner,
                unit=unit.id,
                place=unit.place,
                marks=after.marks,
                immobile=is_immobile(after, rules),
            )
            events.append(event)
    events.sort(key=lambda event: place_rank(event.place))
    return Outcome(turn.state.with_units(changed), tuple(events))


@step("7 Restoration", "CS-11.2", "CS-11.3")
def restoration(turn: Turn) -> Outcome:
    """Each unit that passed the check loses a mark if it has one. Neutral units need no supply (CS-10.10), and pass.

    Reads: units. Writes: marks. Emits: MarkLost.
    """
    rules = turn.rules
    changed, events = [], []
    for unit in turn.state.units.values():
        if unit.unsupplied:
            changed.append(unit.evolve(unsupplied=False))
        elif unit.marks:
            after = unit.evolve(marks=max(0, unit.marks + rules.marks.per_passed_check))
            changed.append(after)
            if unit.owner != NEUTRAL:
                freed = is_immobile(unit, rules) and not is_immobile(after, rules)
                event = MarkLost(owner=unit.owner, unit=unit.id, place=unit.place, marks=after.marks, freed=freed)
                events.append(event)
    events.sort(key=lambda event: place_rank(event.place))
    return Outcome(turn.state.with_units(changed), tuple(events))
