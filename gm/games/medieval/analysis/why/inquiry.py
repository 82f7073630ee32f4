"""A played turn to which questions are asked: its orders, followed step by step, and its events in words."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from gm.core.values import Event
from gm.game.answers import Explanation
from gm.games.medieval.analysis.trial import Place, Watched
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import STEPS
from gm.games.medieval.report.battle_entries import BattleEntry, battle_entries
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.gold_rows import clause_of_step
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import World
from gm.games.medieval.steps.outcomes import OrderSettled, TreasuryChanged
from gm.games.medieval.steps.turn import Outcome, Turn
from gm.text.languages import ENGLISH
from gm.text.pages import gold, signed

_TITLES = {step.name: step.title for step in STEPS}


class Moment(NamedTuple):
    """The phase and step of a turn in which something happened, and the world before that step."""

    phase: int
    step: str
    world_before: World


class Followed(Watched):
    """One realm's orders in a turn that is played once more.

    ``moments``: when each order was settled; ``spent``: by unit key, when the unit lost its other move-points
    (P7).
    """

    def __init__(self, realm: str, sheet: Orders, rules: Rules) -> None:
        super().__init__(realm, sheet, rules)
        self.moments: dict[Place, Moment] = {}
        self.spent: dict[str, Moment] = {}

    def __call__(self, stage: str, turn: Turn, outcome: Outcome) -> None:
        """Record when each order was settled, and when each own unit lost its other move-points (P7)."""
        orders_before = set(self.orders)
        super().__call__(stage, turn, outcome)
        moment = Moment(turn.phase, turn.step, turn.state)
        self.moments |= dict.fromkeys(self.orders.keys() - orders_before, moment)
        for unit in outcome.state.of_realm(self._realm):
            if outcome.state.done(unit).spent:
                self.spent.setdefault(unit.key, moment)


class Inquiry:
    """A played turn to which questions are asked, with answers in a language (its code).

    ``opened``: the world that the turn started from.
    """

    def __init__(self, result: MedievalResult, opened: World, language: str = ENGLISH) -> None:
        self.result = result
        self.opened = opened
        self.language = language
        self.formatter = MedievalFormatter(result.before, result.after, language=language)
        self.phrase = self.formatter.phrase
        self._followed: dict[str, Followed] = {}  # by realm

    @cached_property
    def battles(self) -> tuple[BattleEntry, ...]:
        """The turn's battles, as in the public report."""
        return battle_entries(self.result.public, self.formatter)

    def followed(self, realm: str) -> Followed:
        """Return a realm's orders, followed while the turn is played once more with the same dice."""
        if realm not in self._followed:
            result = self.result
            seed = self.result.proof.seed if self.result.proof else ""
            self._followed[realm] = Followed(realm, result.sheets[realm], result.rules)
            self._followed[realm].play(self.opened, result.sheets, result.atlas, seed)
        return self._followed[realm]

    def settled(self, realm: str) -> list[OrderSettled]:
        """Return the outcomes of a realm's orders, in the order of its file."""
        own_events = (
            event
            for event in self.result.events
            if isinstance(event, OrderSettled) and event.audience == realm
        )
        return sorted(own_events, key=lambda event: (event.line, event.column))

    def unit_of(self, event: OrderSettled) -> str:
        """Return the key of the unit that an order was given to; empty for headquarters."""
        realm = event.audience
        reference, _ = self.followed(realm).given(event)
        if not reference:
            return ""
        unit = self.opened.unit(realm, reference) or self.result.after.unit(realm, reference)
        return unit.key if unit is not None else f"{realm}/{reference}"

    def sentence(self, event: Event) -> Iterator[Explanation]:
        """Yield an event in words, with the clause of its step; nothing for one without a sentence."""
        text = self.formatter.format_event(event)
        if isinstance(event, BattleFought):
            entry = next((entry for entry in self.battles if entry.report is event.report), None)
            text = f"{entry.title}: {entry.sides}. {entry.result}" if text and entry else text
        if text:
            yield Explanation(self.in_phase(event, text), clause_of_step(event.step), 1)

    def in_phase(self, event: Event, text: str) -> str:
        """Return a sentence about an event with the phase before it, if the event was in one."""
        return self.phrase("Phase {phase}: {text}", phase=event.phase, text=text) if event.phase else text

    def step(self, name: str) -> str:
        """Return the title of a step of the turn; another name as it is."""
        return self.formatter.translate(_TITLES.get(name, name))

    def booked(self, event: TreasuryChanged, *, left: bool = False) -> Explanation:
        """Return a change of a treasury, with the gold after it; ``left``: that this is what was left."""
        purpose = self.formatter.translate(event.what)
        if event.place:
            purpose = self.phrase("{purpose} at {place}", purpose=purpose, place=event.place)
        change = self.phrase(
            "{change} for {purpose}: {gold} left." if left else "{change} for {purpose}: {gold}.",
            change=signed(event.amount),
            purpose=purpose,
            gold=gold(event.balance),
        )
        return Explanation(change, clause_of_step(event.step), 1)

    def about(self, name: str, *, until: int | None = None) -> Iterator[Event]:
        """Return the events before the index ``until`` that name a unit (by key) or place, in their order."""
        return (event for event in self.result.events[:until] if _is_about(event, name))


def _is_about(event: Event, name: str) -> bool:
    """Return whether an event is about a place or a unit; ``name``: the place's name or the unit's key."""
    if isinstance(event, BattleFought):
        report = event.report
        return name in (report.place, report.other_place) or any(unit.unit == name for unit in report.units)
    values = (getattr(event, field) for field in event.__struct_fields__)
    return any(value == name or (isinstance(value, (tuple, list)) and name in value) for value in values)
