"""Stage 4: crossings, meetings with their rounds of bumps, capture (CS-9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, LineSettled, settled
from gm.games.conquest_structures.events import Bumped, Captured, Destroyed, FoughtAt, FoughtOnLink
from gm.games.conquest_structures.orders import Move, Outcome, Turn
from gm.games.conquest_structures.rules import Board, Rules, place_rank
from gm.games.conquest_structures.state import WITHIN_A_TURN, Conquest, Unit, is_immobile, strength


@step("4 Conflict: on the links", "CS-9.1", "CS-9.3", "CS-9.4", "CS-9.9")
def crossings(turn: Turn) -> Outcome:
    """Units that move into each other's structures fight on the link; who loses stands where he set out.
    Reads: targets. Writes: target, bumped and left of the losers. Emits: FoughtOnLink, Bumped."""
    state, rules = turn.state, turn.rules
    moving: dict[tuple[str, str], list[Unit]] = {}
    for unit in state.units.values():
        if unit.target is not None:
            moving.setdefault((unit.place, unit.target), []).append(unit)
    losers: list[Unit] = []
    events: list[Event] = []
    for a, b in sorted(moving, key=lambda link: (place_rank(link[0]), place_rank(link[1]))):
        there, back = moving[a, b], moving.get((b, a), [])
        if place_rank(a) > place_rank(b) or not back or there[0].owner == back[0].owner:
            continue
        one, other = strength(there, rules), strength(back, rules)
        winner = None if one == other else there[0].owner if one > other else back[0].owner
        strengths = {there[0].owner: one, back[0].owner: other}
        clause = "CS-9.4" if winner else "CS-9.9"
        events.append(FoughtOnLink(place=a, other=b, strengths=strengths, winner=winner, clause=clause))
        for unit in (each for each in (*there, *back) if each.owner != winner):
            goal = str(unit.target)
            what: dict[str, Any] = {
                "owner": unit.owner,
                "unit": unit.id,
                "place": goal,
                "target": unit.place,
                "clause": "CS-9.9",
            }
            events.append(Bumped(**what, on_link=True))
            losers.append(unit.evolve(target=None, bumped=True, left=(*unit.left, goal)))
    return Outcome(state.with_units(losers), tuple(events))


@step(
    "4 Conflict: in the structures", "CS-9.2", "CS-9.5", "CS-9.6", "CS-9.7", "CS-9.10", "CS-9.13", "CS-9.14", "CS-9.16"
)
def meetings(turn: Turn) -> Outcome:
    """All others arrive. Then, round by round, every structure with several parties is judged on the same position and
    its losers move at once, until no such structure is left.
    Reads: units, owners as at the start of the stage (CS-9.12). Writes: place, bumped and left of units. Emits:
    FoughtAt, Bumped, Destroyed.
    """
    arrived = [unit.evolve(place=unit.target, target=None) for unit in turn.state.units.values() if unit.target]
    state = turn.state.with_units(arrived)
    events: list[Event] = []
    number = 0
    while contested := _contested(state.occupied()):
        number += 1
        bumped: list[Unit] = []
        for place, units in contested.items():
            verdict, losers = _judged(place, units, number, turn.rules)
            events.append(verdict)
            bumped += losers
        state, told = _bumped(state, bumped, turn.rules, turn.board)
        events += told
    return Outcome(state, tuple(events))


def _contested(occupied: Mapping[str, tuple[Unit, ...]]) -> Mapping[str, tuple[Unit, ...]]:
    """The structures in which several parties stand."""
    return {place: units for place, units in occupied.items() if len({unit.owner for unit in units}) > 1}


def _judged(place: str, units: Sequence[Unit], number: int, rules: Rules) -> tuple[FoughtAt, list[Unit]]:
    """(how the conflict ends, who is bumped out of it) (CS-9.3 to CS-9.6)."""
    strengths = {
        owner: strength((unit for unit in units if unit.owner == owner), rules)
        for owner in sorted({unit.owner for unit in units})
    }
    winner, *tied = (owner for owner, each in strengths.items() if each == max(strengths.values()))
    if not tied:
        verdict = FoughtAt(place=place, round=number, strengths=strengths, winner=winner)
        return verdict, [unit for unit in units if unit.owner != winner]
    stays = tuple(unit.id for unit in units if unit.defends)
    verdict = FoughtAt(place=place, round=number, strengths=strengths, winner=None, stays=stays, clause="CS-9.5")
    return verdict, [unit for unit in units if not unit.defends]


def _bumped(
    state: Conquest, losers: Iterable[Unit], rules: Rules, board: Board
) -> tuple[Conquest, list[Bumped | Destroyed]]:
    """All bumped units at once, each choosing alone on the position in which it was judged (CS-9.15)."""
    events: list[Bumped | Destroyed] = []
    moved, gone = [], []
    for unit in losers:
        immobile = is_immobile(unit, rules)
        target = None if immobile else _retreat(state, unit, board)
        what: dict[str, Any] = {"owner": unit.owner, "unit": unit.id, "place": unit.place}
        if target is None:
            events.append(Destroyed(**what, immobile=immobile, clause="CS-9.17" if immobile else "CS-9.13"))
            gone.append(unit.number)
        else:
            events.append(Bumped(**what, target=target))
            moved.append(unit.evolve(place=target, bumped=True, left=(*unit.left, unit.place)))
    return state.with_units(moved, gone), events


def _retreat(state: Conquest, unit: Unit, board: Board) -> str | None:
    """CS-9.14: where a bumped unit goes; none when there is nowhere."""
    if unit.origin is not None and not unit.bumped:
        return unit.origin
    open_to = [
        place for place in board.neighbours(unit.place) if state.owners[place] == unit.owner and place not in unit.left
    ]
    if unit.came_from in open_to:
        return unit.came_from
    alone = [place for place in open_to if all(each.owner == unit.owner for each in state.at(place))]
    return next(iter((*alone, *open_to)), None)


@step("4 Capture", "CS-9.11", "CS-9.12", "CS-9.19", "CS-15.4")
def capture(turn: Turn) -> Outcome:
    """Each structure that is reached goes to the party that stands there; others keep their owner.
    Reads: units, move lines. Writes: owners, came_from; what only counts within the stage is forgotten. Emits:
    Captured, LineSettled."""
    state = turn.state
    taken = {
        place: units[0].owner for place, units in state.occupied().items() if units[0].owner != state.owners[place]
    }
    events = [Captured(place=place, owner=owner, formerly=state.owners[place]) for place, owner in taken.items()]
    after = state.with_owners(taken).with_units(map(_arrived, state.units.values())).evolve(sent={})
    return Outcome(after, (*events, *_fates(turn)))


def _fates(turn: Turn) -> Iterator[LineSettled]:
    """What became of the lines by which units set out: who arrived, and who was bumped back or destroyed (CS-15.4)."""
    for code in sorted(turn.orders):
        for number, line in enumerate(turn.orders[code].lines):
            sent = turn.state.sent.get(f"{code} {number}", ())
            if not isinstance(line, Move) or not sent:
                continue
            left = [turn.state.units[each] for each in sent if each in turn.state.units]
            arrived = [unit for unit in left if unit.place == line.target]
            about: dict[str, Any] = {"about": (*(f"u{each}" for each in sent), line.target)}
            asked = sum(1 if item.number else item.count for item in line.items) if line.items else len(sent)
            if not arrived:
                reason = "bumped-back" if left else "destroyed"
                yield settled(code, line.written, Fate.FAILED, reason, target=line.target, **about)
            elif len(arrived) < len(sent):
                figures = {"arrived": len(arrived), "sent": len(sent), "target": line.target}
                yield settled(code, line.written, Fate.REDUCED, "some-bumped", **figures, **about)
            elif len(sent) < asked:
                figures = {"moved": len(sent), "wanted": asked}
                yield settled(code, line.written, Fate.REDUCED, "fewer-units", **figures, **about)
            else:
                yield settled(code, line.written, **about)


def _arrived(unit: Unit) -> Unit:
    """A unit as it stands when the stage is over. ``came_from`` is the last structure that it left, if it ended
    elsewhere than it began."""
    began = unit.origin or (unit.left[0] if unit.bumped else unit.place)
    last = unit.left[-1] if unit.left else unit.origin
    return unit.evolve(came_from=last if unit.place != began else unit.came_from, **WITHIN_A_TURN)
