"""What the results of a played turn announced of the next turn, as its files tell it.

A report that is written again, and a replay, announce what was true then, not what has changed since (W12).
"""

from collections.abc import Iterator
from typing import Any

from gm.campaign.open import Campaign
from gm.store.formats import JsonObject


def results_of(campaign: Campaign, turn: int) -> Iterator[tuple[str, JsonObject]]:
    """Yield (realm, data) of each results file of a turn; files that cannot be read are left out."""
    for path in sorted((campaign.folder.turn_path(turn) / "results").glob("*.yaml")):
        try:
            yield path.stem, campaign.spec.results_data(path.read_bytes(), str(path))
        except ValueError:
            continue  # the audit and the replay report it


def announced_with(campaign: Campaign, turn: int) -> dict[str, Any]:
    """Return what a turn's results announced of the next one: ``next_seal`` and ``deadline``, if known.

    A report that is written again says the same as the first: later changes were announced by letter. Where
    the turn's record lacks the deadline, as in earlier versions, the results are read. The keys that they
    announced are left out: a new player's report must not show the former player's key.
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
