"""The earlier turns that the pages of a turn show.

Figures and changes come from the turns' records; states and events are read only of the last few turns.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from gm.campaign.open import Campaign
from gm.core.values import Event
from gm.game.map_record import CHANGED, changes_record
from gm.store.formats import JsonObject

STANDING = "standing"
"""The key of a turn's record with the figures of all parties after it."""

ReadRecord = Callable[[int], JsonObject]  # returns a turn's record


def fields_of_past(campaign: Campaign, turn: int) -> dict[str, Any]:
    """Return the fields of a :class:`TurnResult` about all turns up to ``turn``; each record is read once."""
    record = cache(campaign.record)
    return {
        "course": course_until(campaign, turn, record),
        "changed": changed_until(turn, record),
        "past": past_until(campaign, turn),
    }


def course_until(
    campaign: Campaign, turn: int, record: ReadRecord
) -> tuple[Mapping[str, Mapping[str, float]], ...]:
    """Return the figures of all parties, by party and column, after each of the last turns up to ``turn``.

    Pages draw them. A state is read only where no figures were recorded.
    """
    spec = campaign.spec
    # one turn fewer than pages draw: they draw the turn after ``turn`` as well
    first = max(0, turn - (spec.course_turns - 1) + 1)
    turns = range(first, turn + 1) if spec.course_turns else ()
    recorded_figures = ((number, record(number).get(STANDING)) for number in turns)
    return tuple(
        spec.figures(campaign.table, campaign.state_after(number)) if figures is None else figures
        for number, figures in recorded_figures
    )


def changed_until(turn: int, record: ReadRecord) -> tuple[JsonObject, ...]:
    """Return the recorded changes on the map of the turns up to ``turn``, oldest first.

    Turns before one without a record are left out.
    """
    changes = list[JsonObject]()
    for number in range(turn, 0, -1):
        recorded = record(number).get(CHANGED)
        if recorded is None:
            break
        changes.append(recorded)
    return tuple(reversed(changes))


def past_until(campaign: Campaign, turn: int) -> tuple[tuple[Any, tuple[Event, ...]], ...]:
    """Return (state after it, its events) of each of the last turns up to ``turn``, for pages of the past."""
    turns = range(max(0, turn - campaign.spec.past_turns + 1), turn + 1)
    return tuple(
        (campaign.state_after(number), campaign.logged(number) if number else ()) for number in turns
    )


def changed_in(campaign: Campaign, after: Any, public: Sequence[Event]) -> JsonObject:
    """Return what everybody may know of the next turn's changes on the map, as its record stores it.

    ``after``: the state that it leaves; ``public``: its events for everybody, with those of corrections.
    """
    spec = campaign.spec
    table = campaign.table
    # "": as everybody sees a state
    owners_before_and_after = [
        spec.owners(table, spec.seen(table, state, "")) for state in (campaign.snapshot, after)
    ]
    changes = changes_record(spec, owners_before_and_after, public, after)
    return changes | {"name": spec.played_name(after)}
