"""The earlier turns that the pages of a turn show.

Figures and changes come from the turns' records; states and events are read of the last turns only.
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

ReadRecord = Callable[[int], JsonObject]


def fields_of_past(campaign: Campaign, turn: int) -> dict[str, Any]:
    """Return the fields of a result about the turns up to one; the record of each is read once."""
    record = cache(campaign.record)
    return {
        "course": course_until(campaign, turn, record),
        "changed": changed_until(turn, record),
        "past": past_until(campaign, turn),
    }


def course_until(
    campaign: Campaign, turn: int, record: ReadRecord
) -> tuple[Mapping[str, Mapping[str, float]], ...]:
    """Return the figures of all parties after each of the last turns up to one, for pages that draw them.

    A state is read only where no figures were recorded.
    """
    spec = campaign.spec
    first = max(0, turn - spec.course_turns + 2)
    turns = range(first, turn + 1) if spec.course_turns else ()
    recorded = ((number, record(number).get(STANDING)) for number in turns)
    return tuple(
        spec.figures(campaign.table, campaign.state_after(number)) if figures is None else figures
        for number, figures in recorded
    )


def changed_until(turn: int, record: ReadRecord) -> tuple[JsonObject, ...]:
    """Return the recorded changes on the map of the turns up to one, back to the first without a record."""
    changes = list[JsonObject]()
    for number in range(turn, 0, -1):
        recorded = record(number).get(CHANGED)
        if recorded is None:
            break
        changes.append(recorded)
    return tuple(reversed(changes))


def past_until(campaign: Campaign, turn: int) -> tuple[tuple[Any, tuple[Event, ...]], ...]:
    """Return the states and events of the last turns up to one, for pages that step back to them."""
    turns = range(max(0, turn - campaign.spec.past_turns + 1), turn + 1)
    return tuple(
        (campaign.state_after(number), campaign.logged(number) if number else ()) for number in turns
    )


def changed_in(campaign: Campaign, after: Any, public: Sequence[Event]) -> JsonObject:
    """Return what everybody may know of a turn's changes on the map, corrections before it among them.

    ``after``: the state that it left; ``public``: its events for everybody.
    """
    spec = campaign.spec
    table = campaign.table
    owners = [spec.owners(table, spec.seen(table, state, "")) for state in (campaign.snapshot, after)]
    return changes_record(spec, owners, public, after) | {"name": spec.played_name(after)}
