"""What the results of a played turn said of the next one, as its files tell it.

A report that is written again, and a replay, say what was true then and not what became of it since (W12).
"""

from collections.abc import Iterator
from typing import Any

from gm.campaign.open import Campaign
from gm.store.formats import JsonObject


def results_of(campaign: Campaign, turn: int) -> Iterator[tuple[str, JsonObject]]:
    """Yield (realm, data) of each results file of a turn that can be read."""
    for path in sorted((campaign.folder.turn_path(turn) / "results").glob("*.yaml")):
        try:
            yield path.stem, campaign.spec.results_data(path.read_bytes(), str(path))
        except ValueError:
            continue  # whoever compares the file says so


def announced_with(campaign: Campaign, turn: int) -> dict[str, Any]:
    """Return what a turn's results announced of the next one: its seal and its deadline.

    A report that is written again says the same as the first: later changes were announced by letter. Results
    of an earlier version are read for the deadline, which its record lacks. Keys are those of today's
    players, so that a new player's report does not show the former player's key.
    """
    record = campaign.record(turn)
    results = dict(results_of(campaign, turn))
    announcement: dict[str, Any] = {}
    seal = record.get("next_seal")
    if seal:
        announcement["next_seal"] = str(seal)
    deadlines = [str(data.get("next_deadline", "")) for data in results.values() if "realm" in data]
    if "next_deadline" in record:
        announcement["deadline"] = str(record["next_deadline"])
    elif deadlines:
        announcement["deadline"] = deadlines[0]
    return announcement
