"""One played turn as questions are asked about it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from gm.core.events import Event
from gm.game.answers import Explanation
from gm.games.medieval.analysis.trial import Place, Watched
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import STAGES, play_turn
from gm.games.medieval.report.battle_entries import BattleEntry, battle_entries
from gm.games.medieval.report.books import clause_of_step
from gm.games.medieval.report.turn_result import MedievalFormatter, MedievalResult
from gm.games.medieval.state import World
from gm.games.medieval.steps.turn import OrderSettled, Outcome, TreasuryChanged, Turn
from gm.text.pages import gold, signed

TITLES = {step.name: step.title for stage in STAGES for step in stage.steps}


class Moment(NamedTuple):
    """When an order was settled, and the world as the step that did it found it."""

    phase: int
    step: str
    seen: World


class Followed(Watched):
    """One realm's orders in a turn that is played once more: when each was settled, what it took, and when a unit lost
    all its move-points (P7)."""

    def __init__(self, realm: str, sheet: Orders, result: MedievalResult) -> None:
        super().__init__(realm, sheet, result.rules)
        self.moments: dict[Place, Moment] = {}
        self.spent: dict[str, Moment] = {}

    def __call__(self, stage: str, seen: Turn, outcome: Outcome) -> None:
        known = set(self.orders)
        super().__call__(stage, seen, outcome)
        moment = Moment(seen.phase, seen.step, seen.state)
        self.moments |= dict.fromkeys(self.orders.keys() - known, moment)
        for unit in outcome.state.of_realm(self._realm):
            if outcome.state.done(unit).spent:
                self.spent.setdefault(unit.key, moment)


class Inquiry:
    """A turn with everything that an answer is made from. ``opened``: the world that it started from."""

    def __init__(self, result: MedievalResult, opened: World) -> None:
        self.result, self.opened = result, opened
        self.speaker = MedievalFormatter(result.before, result.after)
        self._followed: dict[str, Followed] = {}

    @cached_property
    def battles(self) -> tuple[BattleEntry, ...]:
        return battle_entries(self.result.events, self.speaker)

    def followed(self, realm: str) -> Followed:
        """The realm's orders followed through the turn, which is played again for it with the same dice."""
        if realm not in self._followed:
            result = self.result
            found = self._followed[realm] = Followed(realm, result.sheets[realm], result)
            seed = result.proof.seed if result.proof else ""
            play_turn(self.opened, result.sheets, rules=result.rules, atlas=result.atlas, seed=seed, watch=found)
        return self._followed[realm]

    def settled(self, realm: str) -> list[OrderSettled]:
        """The realm's outcomes in the order of its file."""
        own = (each for each in self.result.events if isinstance(each, OrderSettled) and each.audience == realm)
        return sorted(own, key=lambda each: (each.line, each.column))

    def unit_of(self, event: OrderSettled) -> str:
        """The key of the unit that an order was given to; empty for headquarters."""
        realm = event.audience
        reference, _ = self.followed(realm).given(event)
        if not reference:
            return ""
        unit = self.opened.unit(realm, reference) or self.result.after.unit(realm, reference)
        return unit.key if unit is not None else f"{realm}/{reference}"

    def sentence(self, event: Event) -> Iterator[Explanation]:
        """An event in words, with the clause of its step; nothing for a book entry."""
        text = self.speaker.say(event)
        if isinstance(event, BattleFought):
            entry = next((each for each in self.battles if self.result.events[each.index] is event), None)
            text = f"{entry.title}: {entry.sides}. {entry.result}" if text and entry else text
        if text:
            yield Explanation(f"{phase_of(event)}{text}", clause_of_step(event.step), 1)

    def booked(self, event: TreasuryChanged, left: str = "") -> Explanation:
        """A change of a treasury, with what was there then."""
        at = f" at {event.place}" if event.place else ""
        change = f"{signed(event.amount)} for {event.what}{at}: {gold(event.balance)}{left}."
        return Explanation(change, clause_of_step(event.step), 1)

    def about(self, name: str, *, until: int | None = None) -> Iterator[Event]:
        """Every event that names this unit (by its key) or place, in order, up to the one of this index."""
        return (event for event in self.result.events[:until] if _names(event, name))


def phase_of(event: Event) -> str:
    """What stands before a sentence about an event that happened in a phase."""
    return f"Phase {event.phase}: " if event.phase else ""


def _names(event: Event, name: str) -> bool:
    if isinstance(event, BattleFought):
        report = event.report
        return name in (report.place, report.other_place) or any(unit.unit == name for unit in report.units)
    values = (getattr(event, name) for name in event.__struct_fields__)
    return any(value == name or (isinstance(value, (tuple, list)) and name in value) for value in values)
