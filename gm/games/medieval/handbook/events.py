"""The order of events on one page: the pipeline's own list, with what each step's clauses let a player order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gm.core.pipeline import Stage, Step
from gm.games.medieval.handbook.texts import remarks
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.pipeline import FINAL, FIRST, MOVEMENT

STAGES = (FIRST, MOVEMENT, FINAL)


@dataclass(frozen=True, slots=True)
class EventRow:
    """A step of the turn: its title, the clause that it is, further clauses, the words that order it, and a remark."""

    title: str
    clause: str
    further: tuple[str, ...]
    words: tuple[str, ...]
    remark: str


@dataclass(frozen=True, slots=True)
class StageRow:
    """A part of the turn with its steps in order; ``repeats`` if it is gone through once in each phase."""

    title: str
    repeats: bool
    steps: tuple[EventRow, ...]


def order_of_events() -> tuple[StageRow, ...]:
    """First, Movement and Final Events, as the turn runs them. Raises ``KeyError`` for a step without a remark."""
    return tuple(_stage(f"{stage.name.title()} Events", stage) for stage in STAGES)


def _stage(title: str, stage: Stage) -> StageRow:
    return StageRow(title, stage.again is not None, tuple(_event(each) for each in stage.steps))


def _event(step: Step) -> EventRow:
    main, *further = step.clauses
    return EventRow(
        title=step.title,
        clause=main,
        further=tuple(clause for clause in further if clause[0] == main[0] and clause not in _mains()),
        words=tuple(_ordered_by(step)),
        remark=remarks()[main],
    )


@cache
def _mains() -> frozenset[str]:
    """The clauses that are events themselves; where another step names one, it only takes part in it."""
    return frozenset(step.clauses[0] for stage in STAGES for step in stage.steps)


def _ordered_by(step: Step) -> Iterator[str]:
    """The words of an order file that belong to the step: those whose clause it is."""
    own = {clause for clause in step.clauses if clause == step.clauses[0] or clause not in _mains()}
    for words in (HEADQUARTERS, UNIT, PLAN):
        yield from (word.name for word in words.values() if word.order and own & set(word.clause.split(", ")))
