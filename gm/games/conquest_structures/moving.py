"""Units claimed by lines and sent out, conflicts on links and in structures, capture (CS-6, CS-8, CS-9)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from gm.core import pipeline
from gm.core.values import grouped
from gm.game.base.events import LineSettled, OrderOutcome, settled
from gm.games.conquest_structures import events
from gm.games.conquest_structures.orders import Hold, Item, Line, Move, Orders, UnitsLine
from gm.games.conquest_structures.rules import Board, Rules, place_rank
from gm.games.conquest_structures.state import Conquest, Unit, strength

LineT = TypeVar("LineT", bound=Line)


class Workspace(pipeline.Workspace[Conquest, Rules, Board, Orders]):
    """The position during a step."""

    def put(self, units: Iterable[Unit], gone: Iterable[int] = ()) -> None:
        """Store new or changed units, and remove those of the numbers ``gone``."""
        self.state = self.state.with_units(units, gone)

    def lines(self, code: str, *kinds: type[LineT]) -> Iterator[tuple[str, LineT]]:
        """Yield (name, line) for a player's lines of some classes; the name is unique: ``RED 0``."""
        lines = self.turn.orders[code].lines if code in self.turn.orders else ()
        return ((f"{code} {number}", line) for number, line in enumerate(lines) if isinstance(line, kinds))


step = partial(pipeline.step, on=Workspace)  # Makes a step of a function that changes a workspace


@step("3 Movement", "CS-8.1", "CS-8.2", "CS-8.3", "CS-6.3", "CS-6.4", "CS-6.5", "CS-6.8", "CS-7.7")
def movement(work: Workspace) -> None:
    """Give each unit the first line that claims it, and let units with a move set out, all at once.

    Reads: units, links, hold and move lines. Writes: ordered, origin and target of units, sent. Emits: SetOut
    and, of lines by which no unit sets out, LineSettled; the others are settled when it is known which units
    arrived.
    """
    outcomes = []
    for code in work.state.living:
        for name, line in work.lines(code, Hold, Move):
            outcomes.append(_claim(work, code, name, line))
    for (place, target), units in work.state.on_links().items():
        ids = tuple(unit.id for unit in units)
        work.emit(events.SetOut(owner=units[0].owner, units=ids, place=place, target=target))
    work.events += filter(None, outcomes)


def _claim(work: Workspace, code: str, name: str, line: UnitsLine) -> LineSettled | None:
    """Let a player's line claim the units that it names (CS-6.8); ``name``: the line's (``RED 0``).

    Return its outcome; None if units set out, since it depends on which of them arrive.
    """
    own_units = [unit for unit in work.state.at(line.place) if unit.owner == code]
    candidates = _claimable(work, line, own_units)
    claimed, lacking = _chosen(line.items, candidates) if line.items else (candidates, 0)
    reason, figures = why_not_claim(work.board, line, own_units, claimed)
    if reason:
        return settled(code, line.written, OrderOutcome.FAILED, reason, **figures)
    if isinstance(line, Move):
        work.put(unit.evolve(ordered=True, origin=line.place, target=line.target) for unit in claimed)
        numbers = tuple(unit.number for unit in claimed)
        work.state = work.state.evolve(sent={**work.state.sent, name: numbers})
        return None
    work.put(unit.evolve(ordered=True) for unit in claimed)
    if lacking:
        figures = {"moved": len(claimed), "wanted": len(claimed) + lacking}
        return settled(code, line.written, OrderOutcome.REDUCED, "fewer-units", **figures)
    return settled(code, line.written)


def _claimable(work: Workspace, line: UnitsLine, units_there: Iterable[Unit]) -> list[Unit]:
    """Return the units that a line can claim, those with the fewest marks first (CS-6.9)."""
    claimable = [unit for unit in units_there if not unit.ordered]
    if isinstance(line, Move):
        claimable = [unit for unit in claimable if not unit.built_now and not unit.immobile(work.rules)]
    return sorted(claimable, key=lambda unit: (unit.marks, unit.number))


def _chosen(items: Iterable[Item], candidates: list[Unit]) -> tuple[list[Unit], int]:
    """Return (those of the candidates that the items name, how many named units are lacking) (CS-6.10)."""
    unclaimed = list(candidates)
    chosen = []
    lacking = 0
    # single units are chosen by their numbers first, so that no item with a count has them already
    for item in sorted(items, key=lambda item: not item.number):
        matching = [
            unit for unit in unclaimed if item.number in (0, unit.number) and item.type in ("", unit.type)
        ]
        # a type without a count is all units of it
        asked_count = 1 if item.number else item.count or len(matching)
        fitting = matching[:asked_count]
        lacking += asked_count - len(fitting)
        chosen += fitting
        unclaimed = [unit for unit in unclaimed if unit not in fitting]
    return chosen, lacking


def why_not_claim(
    board: Board, line: UnitsLine, units_there: list[Unit], claimed: list[Unit]
) -> tuple[str, dict[str, object]]:
    """Return (reason, figures): why a line makes no sense now, or claims no unit (CS-14.5, CS-14.6).

    The reason is a key of the game's reasons, empty if it claims some; the figures are filled into its
    sentence. ``units_there``: all of the party's units in the place; ``claimed``: those that the line claims.
    """
    if not units_there:
        return "no-units-there", {"place": line.place}
    if isinstance(line, Move) and not board.graph.borders(line.place, line.target):
        neighbours = board.neighbours(line.place)
        return "not-adjacent", {"place": line.place, "target": line.target, "neighbours": neighbours}
    numbers_there = {0, *(unit.number for unit in units_there)}  # 0: the item names no single unit
    missing = [item.number for item in line.items if item.number not in numbers_there]
    if missing:
        return "unit-not-there", {"unit": f"u{missing[0]}", "place": line.place}
    if claimed:
        return "", {}
    named_units = _named_by(line.items, units_there) if line.items else units_there
    unclaimed = [unit for unit in named_units if not unit.ordered]
    if not unclaimed:
        return "already-ordered" if named_units else "no-such-units", {}
    return "built-this-turn" if all(unit.built_now for unit in unclaimed) else "immobile", {}


def _named_by(items: Iterable[Item], units: Iterable[Unit]) -> list[Unit]:
    """Return the units whose number or type an item names."""
    numbers = {item.number for item in items}
    types = {item.type for item in items}
    return [unit for unit in units if unit.number in numbers or unit.type in types]


@step("4 Conflict: on the links", "CS-9.1", "CS-9.3", "CS-9.4", "CS-9.9")
def crossings(work: Workspace) -> None:
    """Let units that move into each other's structures fight on the link; losers stay where they set out.

    Reads: targets. Writes: target, bumped and left of the losers. Emits: FoughtOnLink, Bumped.
    """
    links = work.state.on_links()
    for (a, b), forth in links.items():
        back = links.get((b, a), ())
        # each pair of structures only once, from the lower one; all units from a structure are of one party
        if place_rank(a) > place_rank(b) or not back or forth[0].owner == back[0].owner:
            continue
        strengths = {units[0].owner: strength(units, work.rules) for units in (forth, back)}
        winner = _winner(strengths)
        clause = "CS-9.4" if winner else "CS-9.9"
        work.emit(events.FoughtOnLink(place=a, other=b, strengths=strengths, winner=winner, clause=clause))
        losers = [unit for unit in (*forth, *back) if unit.owner != winner]
        for unit in losers:
            # bumped out of the structure that it could not enter, back to where it set out
            ends: dict[str, Any] = {"place": unit.target, "target": unit.place}
            work.emit(events.Bumped(owner=unit.owner, unit=unit.id, **ends, on_link=True, clause="CS-9.9"))
        work.put(
            unit.evolve(target=None, bumped=True, left=(*unit.left, str(unit.target))) for unit in losers
        )


def _winner(strengths: Mapping[str, int]) -> str | None:
    """Return the party that is stronger than all others (CS-9.4); None for a tie."""
    highest = max(strengths.values())
    strongest = [owner for owner, strength in strengths.items() if strength == highest]
    return strongest[0] if len(strongest) == 1 else None


@step(
    "4 Conflict: in the structures",
    "CS-9.2",
    "CS-9.5",
    "CS-9.6",
    "CS-9.7",
    "CS-9.10",
    "CS-9.13",
    "CS-9.14",
    "CS-9.16",
)
def meetings(work: Workspace) -> None:
    """Let the units that no fight on a link has stopped arrive.

    Then, round by round, every structure with several parties is judged on the same position and its losers
    move at once, until no such structure is left. Reads: units, owners as at the start of the stage
    (CS-9.12). Writes: place, bumped and left of units. Emits: FoughtAt, Bumped, Destroyed.
    """
    work.put(unit.evolve(place=unit.target, target=None) for unit in work.state.units.values() if unit.target)
    number = 0
    while contested := _contested(work.state):
        number += 1
        # all are judged, and all retreats chosen, in the same position; only then units move (CS-9.15)
        losers = list[Unit]()
        for place, units in contested.items():
            losers += _judge(work, place, units, number)
        bumped = [_bump(work, unit) for unit in losers]
        gone = [unit.number for unit, after in zip(losers, bumped, strict=True) if after is None]
        work.put(filter(None, bumped), gone)


def _contested(state: Conquest) -> dict[str, tuple[Unit, ...]]:
    """Return the units in each structure that has units of several parties, by structure."""
    return {
        place: units for place, units in state.occupied().items() if any(_strangers(units, units[0].owner))
    }


def _strangers(units: Iterable[Unit], owner: str) -> Iterator[Unit]:
    """Yield the units of all parties but ``owner``."""
    return (unit for unit in units if unit.owner != owner)


def _strengths(units: Iterable[Unit], rules: Rules) -> dict[str, int]:
    """Return the strength of each party among some units, by its code (CS-9.3)."""
    by_owner = grouped(units, lambda unit: unit.owner)
    return {owner: strength(by_owner[owner], rules) for owner in sorted(by_owner)}


def _judge(work: Workspace, place: str, units: Sequence[Unit], number: int) -> list[Unit]:
    """Judge a conflict in a structure; return the units that lose it and are bumped (CS-9.3 to CS-9.6).

    Without a winner only defenders stay. ``number``: the round's. Emits: FoughtAt.
    """
    strengths = _strengths(units, work.rules)
    winner = _winner(strengths)
    if winner:
        staying = [unit for unit in units if unit.owner == winner]
        tie: dict[str, Any] = {}
    else:
        staying = [unit for unit in units if unit.defends]
        tie = {"stays": tuple(unit.id for unit in staying), "clause": "CS-9.5"}
    work.emit(events.FoughtAt(place=place, round=number, strengths=strengths, winner=winner, **tie))
    return [unit for unit in units if unit not in staying]


def _bump(work: Workspace, unit: Unit) -> Unit | None:
    """Return a unit after it was bumped, in its new place; None if it is destroyed (CS-9.13, CS-9.17).

    Emits: Bumped or Destroyed.
    """
    immobile = unit.immobile(work.rules)
    target = None if immobile else _retreat(work, unit)
    fields: dict[str, Any] = {"owner": unit.owner, "unit": unit.id, "place": unit.place}
    if target is None:
        clause = "CS-9.17" if immobile else "CS-9.13"
        work.emit(events.Destroyed(**fields, immobile=immobile, clause=clause))
        return None
    work.emit(events.Bumped(**fields, target=target))
    return unit.evolve(place=target, bumped=True, left=(*unit.left, unit.place))


def _retreat(work: Workspace, unit: Unit) -> str | None:
    """Return the structure that a bumped unit retreats to; None if there is none (CS-9.14).

    It is where the unit set out this turn, if this is its first bump; else a neighbouring structure of its
    party that it was not bumped out of: the one that it came from, else one without enemies, else any.
    """
    if unit.origin is not None and not unit.bumped:
        return unit.origin
    beside = [place for place in work.board.neighbours(unit.place) if place not in unit.left]
    own = [place for place in beside if work.state.owners[place] == unit.owner]
    if unit.came_from in own:
        return unit.came_from
    without_enemies = [place for place in own if not any(_strangers(work.state.at(place), unit.owner))]
    best_first = [*without_enemies, *own]
    return best_first[0] if best_first else None


@step("4 Capture", "CS-9.11", "CS-9.12", "CS-9.19", "CS-15.4")
def capture(work: Workspace) -> None:
    """Give each structure with units in it to their party; others keep their owner.

    Reads: units, move lines. Writes: owners, came_from; clears what only counts within the stage. Emits:
    Captured, LineSettled.
    """
    before = work.state
    # after the conflicts all units in a structure are of one party
    reached = {place: units[0].owner for place, units in before.occupied().items()}
    captured = {place: owner for place, owner in reached.items() if owner != before.owners[place]}
    for place, owner in captured.items():
        work.emit(events.Captured(place=place, owner=owner, formerly=before.owners[place]))
    for code in sorted(work.turn.orders):
        for name, line in work.lines(code, Move):
            if name in before.sent:
                work.emit(_outcome(before, code, line, before.sent[name]))
    work.state = before.with_owners(captured).with_units(map(_arrived, before.units.values())).evolve(sent={})


def _outcome(now: Conquest, code: str, line: Move, sent: tuple[int, ...]) -> LineSettled:
    """Return the outcome of a move by which the units of the numbers ``sent`` set out (CS-15.4).

    It depends on how many arrived, and whether the others were bumped or destroyed.
    """
    survivors = [now.units[number] for number in sent if number in now.units]
    arrived = [unit for unit in survivors if unit.place == line.target]
    about: dict[str, Any] = {"about": (*(f"u{number}" for number in sent), line.target)}
    # a type without a count is all units of it: it adds 0, so that no unit of it can be lacking
    wanted_count = sum(1 if item.number else item.count for item in line.items)
    if not line.items:
        wanted_count = len(sent)
    if not arrived:
        reason = "bumped-back" if survivors else "destroyed"
        return settled(code, line.written, OrderOutcome.FAILED, reason, target=line.target, **about)
    if len(arrived) < len(sent):
        figures = {"arrived": len(arrived), "sent": len(sent), "target": line.target}
        return settled(code, line.written, OrderOutcome.REDUCED, "some-bumped", **figures, **about)
    if len(sent) < wanted_count:
        return settled(
            code,
            line.written,
            OrderOutcome.REDUCED,
            "fewer-units",
            moved=len(sent),
            wanted=wanted_count,
            **about,
        )
    return settled(code, line.written, **about)


def _arrived(unit: Unit) -> Unit:
    """Return a unit as it is when the stage is over.

    ``came_from`` is the last structure that it left, if it ended elsewhere than it began.
    """
    # a unit without an order to move began where it was bumped out first, or stayed in its place
    began = unit.origin or (unit.left[0] if unit.bumped else unit.place)
    if unit.place == began:
        return unit.rested()
    last_left = unit.left[-1] if unit.left else unit.origin
    return unit.rested().evolve(came_from=last_left)
