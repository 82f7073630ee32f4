"""One played turn as questions are asked about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from gm.core.events import Event
from gm.game.answers import Explanation
from gm.games.medieval.analysis.trial import Place, Watched
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import STAGES, play_turn
from gm.games.medieval.report.battle_entries import BattleEntry, battle_entries
from gm.games.medieval.report.books import clause_of_step
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import World
from gm.games.medieval.steps.turn import Outcome, Turn

TITLES = {step.name: step.title for stage in STAGES for step in stage.steps}


@dataclass(frozen=True, slots=True)
class Moment:
    """When an order was settled, and the world as the step that did it found it."""

    phase: int
    step: str
    seen: World


class Followed(Watched):
    """One realm's orders in a turn that is played once more: when each was settled, what it took, and when a unit lost
    all its move-points (P7)."""

    def __init__(self, realm: str, sheet: Orders, record: MedievalResult) -> None:
        super().__init__(realm, sheet, record.rules)
        self.moments: dict[Place, Moment] = {}
        self.spent: dict[str, Moment] = {}
        self._of = realm

    def __call__(self, stage: str, seen: Turn, outcome: Outcome) -> None:
        known = set(self.orders)
        super().__call__(stage, seen, outcome)
        moment = Moment(seen.phase, seen.step, seen.state)
        for place in self.orders.keys() - known:
            self.moments[place] = moment
        for unit in outcome.state.of_realm(self._of):
            if outcome.state.done(unit).spent:
                self.spent.setdefault(unit.key, moment)

    @property
    def units(self) -> Mapping[Place, tuple[str, Any]]:
        """(reference, order) of every order to a unit, by where it is written."""
        return self._units


class Case:
    """A turn with everything that an answer is made from. ``opened``: the world that it started from."""

    def __init__(self, record: MedievalResult, opened: World) -> None:
        self.record = record
        self.opened = opened
        self.speaker = MedievalFormatter(record.before, record.after)
        self._followed: dict[str, Followed] = {}

    @cached_property
    def battles(self) -> tuple[BattleEntry, ...]:
        return battle_entries(self.record.events, self.speaker)

    def followed(self, realm: str) -> Followed:
        """The realm's orders followed through the turn, which is played again for it with the same dice."""
        found = self._followed.get(realm)
        if found is None:
            record = self.record
            found = self._followed[realm] = Followed(realm, record.sheets[realm], record)
            seed = record.proof.seed if record.proof else ""
            play_turn(self.opened, record.sheets, rules=record.rules, atlas=record.atlas, seed=seed, watch=found)
        return found

    def told(self, event: Event, depth: int = 0) -> Explanation | None:
        """An event in words, with the clause of its step; none for a book entry."""
        text = self.speaker.say(event)
        if not text:
            return None
        if isinstance(event, BattleFought):
            entry = self.battle_of(event)
            text = f"{entry.title}: {entry.sides}. {entry.result}" if entry else text
        when = f"Phase {event.phase}: " if event.phase else ""
        return Explanation(f"{when}{text}", clause_of_step(event.step), depth)

    def battle_of(self, event: BattleFought) -> BattleEntry | None:
        """The battle's entry."""
        return next((each for each in self.battles if self.record.events[each.index] is event), None)

    def about(self, name: str, *, until: int | None = None) -> Iterator[Event]:
        """Every event that names this unit (by its key) or place, in order, up to the one of this index."""
        for event in self.record.events[:until]:
            if _names(event, name):
                yield event


def _names(event: Event, name: str) -> bool:
    if isinstance(event, BattleFought):
        report = event.report
        return name in (report.place, report.other_place) or any(unit.unit == name for unit in report.units)
    for field in fields(event):
        value = getattr(event, field.name)
        if value == name or (isinstance(value, (tuple, list)) and name in value):
            return True
    return False
