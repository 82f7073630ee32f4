"""The world as one step of battles works on it: a draft, with the turn around it and the events so far."""

from __future__ import annotations

from collections.abc import Iterable

from gm.core.dice import Stream
from gm.core.events import Event
from gm.games.medieval.state import Unit, UnitKind, strength
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps.turn import Outcome, Plans, Turn


class Field(Draft):
    """A step's working copy. Relations, permissions and owners are those of ``world``: battles do not change them."""

    def __init__(self, turn: Turn) -> None:
        super().__init__(turn.state)
        self.turn = turn
        self.world = turn.state
        self.rules = turn.rules
        self.board = turn.board
        self.phase = turn.phase
        self.plans = Plans(turn)
        self.events: list[Event] = []
        self._skills: set[tuple[str, str, str]] = set(self.world.progress.skills)

    def new_fleet(self, realm: str, place: str) -> Unit | None:
        """A new, empty fleet whose move-points are used; none when the realm has no number free."""
        number = self.free_number(realm, UnitKind.FLEET, self.rules.units.number_limit)
        if number is None:
            return None
        fleet = Unit(realm=realm, kind=UnitKind.FLEET, number=number, place=place)
        self.put(fleet)
        self.mark(fleet, spent=True)
        return fleet

    def gain_once(self, realm: str, commander: str, tactic: str) -> bool:
        """Whether the commander may still gain in this tactic this turn; remembers that he now does (B2, B11)."""
        gain = (realm, commander, tactic)
        if gain in self._skills:
            return False
        self._skills.add(gain)
        return True

    # -- places ------------------------------------------------------------------------------------------------------

    def last_owner(self, place: str) -> str | None:
        """Who owned a province at the end of the previous phase (P7, B2, B3); none for a sea."""
        mark = self.world.progress.provinces.get(place)
        return mark.owner_last_phase if mark is not None else None

    def enemy_troops_at(self, realm: str, place: str) -> bool:
        """W13 as things stand now."""
        return any(
            strength.has_fighters(unit, self.rules) and self.world.hostile(realm, unit.realm, place)
            for unit in self.at(place)
        )

    def enemy_fleets_at(self, realm: str, sea: str) -> bool:
        """Whether ships at war with the realm are in this sea now."""
        return any(has_ships(unit) and self.world.hostile(realm, unit.realm, sea) for unit in self.at(sea))

    def meeting_places(self, units: Iterable[Unit]) -> list[str]:
        """The places where these units, as they were when the step began, are of two realms or more, in map order."""
        first: dict[str, str] = {}
        meeting = {unit.place for unit in units if first.setdefault(unit.place, unit.realm) != unit.realm}
        return sorted(meeting, key=self.board.place_order.__getitem__)

    # -- the step ----------------------------------------------------------------------------------------------------

    def dice(self, place: str, purpose: str) -> Stream:
        """The stream of this place and purpose (W12)."""
        return self.turn.dice(place, purpose)

    def emit(self, *events: Event) -> None:
        self.events += events

    def outcome(self) -> Outcome:
        """The world after the step, changed in one go, and its events: the battles', then the fates of orders."""
        world = self.finish()
        if self._skills != world.progress.skills:
            world = world.evolve(progress=world.progress.evolve(skills=frozenset(self._skills)))
        return Outcome(self.plans.world(world) if self.plans.events else world, (*self.events, *self.plans.events))


def has_ships(unit: Unit) -> bool:
    """Whether this is a fleet with a ship in it."""
    return unit.is_fleet and bool(unit.troops)


def realms_of(units: Iterable[Unit]) -> tuple[str, ...]:
    """The realms of these units by code."""
    return tuple(sorted({unit.realm for unit in units}))
