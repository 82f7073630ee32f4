"""The eight stages of a turn, in the rules' order (CS-1.2, CS-15.1)."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from operator import attrgetter
from typing import Any

from gm.core.pipeline import Stage
from gm.game.base.events import LineSettled, OrderOutcome, settled
from gm.games.conquest_structures import events
from gm.games.conquest_structures.moving import Workspace, capture, crossings, meetings, movement, step
from gm.games.conquest_structures.orders import Build, Concede, Selector
from gm.games.conquest_structures.rules import place_rank
from gm.games.conquest_structures.state import NEUTRAL, Unit, cities


@step("1 PopCap", "CS-7.1", "CS-7.2", "CS-7.3")
def popcap(work: Workspace) -> None:
    """Count each player's capacity, from cities owned and units, and report it to them.

    Reads: owners, units. Writes: nothing. Emits: PopCapCounted.
    """
    for code in work.state.living:
        allowed, used, free = work.state.capacity(code, work.rules)
        work.emit(events.PopCapCounted(audience=code, owner=code, allowed=allowed, used=used, free=free))


@step("2 Build", "CS-7.4", "CS-7.5", "CS-7.6", "CS-4.4", "CS-4.6", "CS-6.2")
def build(work: Workspace) -> None:
    """Carry out builds as far as PopCap allows, unit by unit as written.

    Reads: owners, units, build lines. Writes: units. Emits: UnitsBuilt, LineSettled.
    """
    outcomes = []
    for code in work.state.living:
        for _, line in work.lines(code, Build):
            outcomes.append(_build(work, code, line))
    work.events.sort(key=attrgetter("place"))  # reports tell of builds by place, not by player
    work.events += outcomes


def _build(work: Workspace, code: str, line: Build) -> LineSettled:
    """Build what a player's line asks for, as far as PopCap allows; return the line's outcome."""
    may_build = work.rules.kind_of(line.place).builds
    if work.state.owners[line.place] != code or not may_build:
        reason = "base-not-owned" if may_build else "no-base"
        return settled(code, line.written, OrderOutcome.FAILED, reason, place=line.place)
    _, _, free = work.state.capacity(code, work.rules)
    types = _fitting_types(work, line, free)
    if types:
        units = tuple(f"u{number}" for number, _ in enumerate(types, work.state.next_unit))
        work.state = work.state.with_new(line.place, types, built_now=True)
        work.emit(events.UnitsBuilt(owner=code, place=line.place, units=units))
    built = len(types)
    asked_count = sum(item.count for item in line.items)
    if built == asked_count:
        return settled(code, line.written)
    needs = sum(item.count * work.rules.units[item.type].popcap for item in line.items)
    fate, reason = (OrderOutcome.REDUCED, "popcap-for-some") if built else (OrderOutcome.FAILED, "no-popcap")
    return settled(code, line.written, fate, reason, free=free, needs=needs, built=built, wanted=asked_count)


def _fitting_types(work: Workspace, line: Build, free: int) -> list[str]:
    """Return the types of the units of a line that fit into the ``free`` PopCap, one by one.

    A unit that does not fit is passed over, later cheaper ones are still tried (CS-7.5).
    """
    types: list[str] = []
    for item in line.items:
        cost = work.rules.units[item.type].popcap
        count = min(item.count, free // cost if cost else item.count)
        types += [item.type] * count
        free -= count * cost
    return types


@step("5 Supply", "CS-10.1", "CS-10.2", "CS-10.3", "CS-10.4", "CS-10.6", "CS-10.7", "CS-10.8", "CS-10.9")
def supply(work: Workspace) -> None:
    """Supply the units of each network from its sources, in the player's order if these do not suffice.

    Reads: owners, units, supply priorities. Writes: which units are out of supply. Emits: NetworkSupplied,
    LineSettled.
    """
    for code in work.state.living:
        priority = work.turn.orders[code].priority if code in work.turn.orders else ()
        own_units = work.state.units_of(code)
        for places in work.board.networks(work.state.owned_by(code)):
            units = [unit for unit in own_units if unit.place in places]
            if units:
                _supply_network(work, places, units, priority)
        for selector in priority:
            if any(_selects(selector, unit) for unit in own_units):
                work.emit(settled(code, selector.written))
            else:
                work.emit(settled(code, selector.written, OrderOutcome.FAILED, "priority-of-nobody"))


def _supply_network(
    work: Workspace, places: tuple[str, ...], units: list[Unit], priority: tuple[Selector, ...]
) -> None:
    """Let one network, the structures ``places``, supply the units in it (CS-10.4, CS-10.6 to CS-10.8)."""
    sources = sum(work.rules.kind_of(place).supply for place in places)
    needs = {unit.id: work.rules.units[unit.type].supply for unit in units}
    suffices = sum(needs.values()) <= sources
    supplied = units if suffices else _supplied_units(sources, needs, in_order(work, units, priority))
    short = [unit for unit in units if unit not in supplied]
    # a shortage goes by the player's own list, before the default, if that names a unit here (``in_order``)
    by_priority = bool(short) and any(_is_selected(unit, priority) for unit in units)
    work.put(unit.evolve(unsupplied=True) for unit in short)
    fields: dict[str, Any] = {
        "places": places,
        "sources": sources,
        "needs": sum(needs.values()),
        "chosen": by_priority,
        "supplied": tuple(unit.id for unit in units if unit in supplied),
        "short": tuple(unit.id for unit in short),
    }
    clause = "CS-10.4"
    if short:
        clause = "CS-10.6" if by_priority else "CS-10.8"
    work.emit(events.NetworkSupplied(owner=units[0].owner, **fields, clause=clause))


def _supplied_units(sources: int, needs: Mapping[str, int], units: Iterable[Unit]) -> list[Unit]:
    """Return the units that ``sources`` points of supply suffice for, one after another (CS-10.7).

    ``needs``: the supply for each, by unit id. A unit gets all of it or nothing; later ones are still tried.
    """
    sources_left = sources
    supplied = []
    for unit in units:
        if needs[unit.id] <= sources_left:
            sources_left -= needs[unit.id]
            supplied.append(unit)
    return supplied


def _is_selected(unit: Unit, priority: Iterable[Selector]) -> bool:
    """Return whether the player's supply priority names a unit."""
    return any(_selects(selector, unit) for selector in priority)


def in_order(work: Workspace, units: list[Unit], priority: tuple[Selector, ...]) -> list[Unit]:
    """Return units in the order of supply: the player's list, then the default (CS-10.6, 10.8, 10.9)."""
    # all keys of one form, so that mypy knows it: (text, number)
    keys: Mapping[str, Callable[[Unit], tuple[str, int]]] = {
        "most_marks": lambda unit: ("", -unit.marks),
        "infantry_first": lambda unit: ("", list(work.rules.units).index(unit.type)),
        "structure_id": lambda unit: place_rank(unit.place),
        "unit_id": lambda unit: ("", unit.number),
    }

    def rank(unit: Unit) -> tuple[int, list[tuple[str, int]]]:
        """Return the sort key of a unit: its first entry in the list, or the end of it; then the default."""
        entries = (number for number, selector in enumerate(priority) if _selects(selector, unit))
        return next(entries, len(priority)), [keys[key_name](unit) for key_name in work.rules.supply_default]

    return sorted(units, key=rank)


def _selects(selector: Selector, unit: Unit) -> bool:
    """Return whether a selector names a unit: by its number, or else by its type and place (empty: any)."""
    if selector.number:
        return unit.number == selector.number
    return selector.type in ("", unit.type) and selector.place in ("", unit.place)


@step("6 Penalty", "CS-11.1", "CS-11.3")
def penalty(work: Workspace) -> None:
    """Add marks to each unit out of supply, up to a limit; enough marks make a unit immobile.

    Reads: units. Writes: marks. Emits: MarkTaken.
    """
    rule = work.rules.marks
    for unit in [unit for unit in work.state.by_place if unit.unsupplied]:
        marks = min(rule.cap, unit.marks + rule.per_missed_check)
        after = unit.evolve(marks=marks)
        work.put([after])
        fields: dict[str, Any] = {"owner": unit.owner, "unit": unit.id, "place": unit.place}
        work.emit(events.MarkTaken(**fields, marks=marks, immobile=after.immobile(work.rules)))


@step("7 Restoration", "CS-11.2", "CS-11.3")
def restoration(work: Workspace) -> None:
    """Take a mark from each supplied unit that has one.

    Neutral units need no supply (CS-10.10) and recover, too, without an event. Reads: units. Writes: marks;
    clears which units are out of supply. Emits: MarkLost.
    """
    for unit in work.state.by_place:
        # what the rules add for a passed check is below 0
        marks = unit.marks if unit.unsupplied else max(0, unit.marks + work.rules.marks.per_passed_check)
        after = unit.evolve(marks=marks, unsupplied=False)
        work.put([after])
        if not unit.unsupplied and unit.marks and unit.owner != NEUTRAL:
            freed = unit.immobile(work.rules) and not after.immobile(work.rules)
            fields: dict[str, Any] = {"owner": unit.owner, "unit": unit.id, "place": unit.place}
            work.emit(events.MarkLost(**fields, marks=marks, freed=freed))


@step("8 Victory, defeat and concession", "CS-12.1", "CS-12.2", "CS-12.3", "CS-12.4", "CS-12.7", "CS-12.8")
def ending(work: Workspace) -> None:
    """Decide who wins and who is out: a player with all cities has won, one without a structure is out.

    What a player who concedes has becomes neutral. Then, if the settings say so, the only player left has
    won, and at the last turn the game is scored. Reads: owners, units, concessions. Writes: players,
    owners, units, winners. Emits: Won, Eliminated, Conceded, Drawn, LineSettled.
    """
    parties = work.state.living
    holders = {work.state.owners[place] for place in cities(work.board, work.rules)}
    if len(holders) == 1 and NEUTRAL not in holders:
        _win(work, tuple(holders), "cities", "CS-12.1")
    for code in parties:
        if not work.state.owned_by(code):
            work.state = work.state.eliminated(code, "defeated")
            work.emit(events.Eliminated(owner=code))
    for code in parties:
        for _, line in islice(work.lines(code, Concede), 1):  # further ones say the same
            work.emit(settled(code, line.written))
            # nobody who is defeated has anything left to give up, nor has anybody after a victory
            if not work.state.parties[code].out and work.state.winners is None:
                work.state = work.state.with_owners(dict.fromkeys(work.state.owned_by(code), NEUTRAL))
                work.put(unit.evolve(owner=NEUTRAL) for unit in work.state.units_of(code))
                work.state = work.state.eliminated(code, "conceded")
                work.emit(events.Conceded(owner=code))
    if work.state.winners is None:
        _last_ones(work)


def _win(work: Workspace, winners: tuple[str, ...], how: str, clause: str) -> None:
    """End the game with these winners; ``how``: the reason, a value of ``Won.how``."""
    work.state = work.state.with_parties({code: {"status": "winner"} for code in winners}).evolve(
        winners=winners
    )
    work.events += (events.Won(owner=code, how=how, clause=clause) for code in winners)


def _last_ones(work: Workspace) -> None:
    """End the game when no player is left, or one if the settings say so, or at the last turn.

    CS-12.7, CS-12.8.
    """
    living = work.state.living
    settings = work.state.settings
    if not living:
        work.state = work.state.evolve(winners=())
        work.emit(events.Drawn(turn=work.turn.number))
    elif len(living) == 1 and settings.last_player_wins:
        _win(work, living, "last", "CS-12.7")
    elif settings.max_turns is not None and work.turn.number >= settings.max_turns:
        standings = {code: work.state.standing(code, work.board, work.rules) for code in living}
        highest = max(standings.values())
        _win(work, tuple(code for code in living if standings[code] == highest), "count", "CS-12.8")


STAGES = (
    Stage("1 PopCap", (popcap,)),
    Stage("2 build", (build,)),
    Stage("3 movement", (movement,)),
    Stage("4 conflict and capture", (crossings, meetings, capture)),
    Stage("5 supply", (supply,)),
    Stage("6 penalty", (penalty,)),
    Stage("7 restoration", (restoration,)),
    Stage("8 victory, defeat and concession", (ending,)),
)
