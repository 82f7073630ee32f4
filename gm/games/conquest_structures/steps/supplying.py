"""Stages 5 to 8: supply, penalty, restoration, victory and defeat (CS-10 to CS-12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, settled
from gm.games.conquest_structures.events import Conceded, Drawn, Eliminated, MarkLost, MarkTaken, NetworkSupplied, Won
from gm.games.conquest_structures.orders import Concede, Outcome, Selector, Turn, lines_of
from gm.games.conquest_structures.rules import Rules, place_rank
from gm.games.conquest_structures.state import CONCEDED, DEFEATED, NEUTRAL, WINNER, Conquest, Unit, cities, is_immobile


@step("5 Supply", "CS-10.1", "CS-10.2", "CS-10.3", "CS-10.4", "CS-10.6", "CS-10.7", "CS-10.8", "CS-10.9")
def supply(turn: Turn) -> Outcome:
    """Each network's sources feed the units in it; where they do not suffice, in the order that its player wants.
    Reads: owners, units, supply priorities. Writes: which units are out of supply.
    Emits: NetworkSupplied, LineSettled."""
    state = turn.state
    short: list[Unit] = []
    events: list[Event] = []
    for code in state.living:
        wishes = turn.orders[code].priority if code in turn.orders else ()
        for places in state.networks(code, turn.board):
            units = [unit for unit in state.units_of(code) if unit.place in places]
            if units:
                event = _network(turn.rules, code, places, units, wishes)
                events.append(event)
                short += [unit.evolve(unsupplied=True) for unit in units if unit.id in event.short]
        for wish in wishes:
            meant = any(_meant(wish, unit) for unit in state.units_of(code))
            fate = () if meant else (Fate.FAILED, "priority-of-nobody")
            events.append(settled(code, wish.written, *fate))
    return Outcome(state.with_units(short), tuple(events))


def _network(
    rules: Rules, code: str, places: tuple[str, ...], units: list[Unit], wishes: tuple[Selector, ...]
) -> NetworkSupplied:
    """How one network feeds its units."""
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
    """Units in the order in which they get lines: by the list, then the default order (CS-10.6, CS-10.8, CS-10.9)."""
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
    Reads: units. Writes: marks. Emits: MarkTaken."""
    rules = turn.rules
    marked = [
        unit.evolve(marks=min(rules.marks.cap, unit.marks + rules.marks.per_missed_check))
        for unit in turn.state.units.values()
        if unit.unsupplied
    ]
    events = [
        MarkTaken(owner=unit.owner, unit=unit.id, place=unit.place, marks=unit.marks, immobile=is_immobile(unit, rules))
        for unit in sorted(marked, key=lambda each: place_rank(each.place))
    ]
    return Outcome(turn.state.with_units(marked), tuple(events))


@step("7 Restoration", "CS-11.2", "CS-11.3")
def restoration(turn: Turn) -> Outcome:
    """Each unit that passed the check loses a mark if it has one. Neutral units need no supply (CS-10.10), and pass.
    Reads: units. Writes: marks. Emits: MarkLost."""
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


@step("8 Victory, defeat and concession", "CS-12.1", "CS-12.2", "CS-12.3", "CS-12.4", "CS-12.7", "CS-12.8")
def ending(turn: Turn) -> Outcome:
    """Who holds every city wins; who holds nothing is out; who concedes leaves all he has to the neutrals. Then, if the
    settings say so, the only player left has won, and at the last turn the game is counted out.
    Reads: owners, units, concessions. Writes: players, owners, units, winners. Emits: Won, Eliminated, Conceded, Drawn,
    LineSettled.
    """
    state = turn.state
    events: list[Event] = []
    holders = {state.owners[place] for place in cities(turn.board, turn.rules)}
    if len(holders) == 1 and NEUTRAL not in holders:
        state = _won(state, tuple(holders))
        events += [Won(owner=winner, how="cities") for winner in holders]
    beaten = [code for code in state.living if not state.owned_by(code)]
    state = state.with_parties({code: {"status": DEFEATED, "out": True} for code in beaten})
    events += [Eliminated(owner=code) for code in beaten]
    for code in turn.state.living:
        line = next((each for each in lines_of(turn, code) if isinstance(each, Concede)), None)
        if line is None:
            continue
        events.append(settled(code, line.written))
        if state.parties[code].out or state.winners is not None:
            continue
        state = state.with_owners(dict.fromkeys(state.owned_by(code), NEUTRAL))
        state = state.with_units(unit.evolve(owner=NEUTRAL) for unit in state.units_of(code))
        state = state.with_party(code, status=CONCEDED, out=True)
        events.append(Conceded(owner=code))
    if state.winners is None:
        state, last = _last_ones(turn, state)
        events += last
    return Outcome(state, tuple(events))


def _won(state: Conquest, winners: tuple[str, ...]) -> Conquest:
    return state.with_parties({code: {"status": WINNER} for code in winners}).evolve(winners=winners)


def _last_ones(turn: Turn, state: Conquest) -> tuple[Conquest, list[Event]]:
    """CS-12.7, CS-12.8."""
    living = state.living
    if not living:
        return state.evolve(winners=()), [Drawn(turn=turn.number)]
    if len(living) == 1 and state.settings.last_player_wins:
        return _won(state, living), [Won(owner=living[0], how="last", clause="CS-12.7")]
    if state.settings.max_turns is not None and turn.number >= state.settings.max_turns:
        counted = {code: state.standing(code, turn.board, turn.rules) for code in living}
        best = max(counted.values())
        winners = tuple(code for code in living if counted[code] == best)
        return _won(state, winners), [Won(owner=code, how="count", clause="CS-12.8") for code in winners]
    return state, []
