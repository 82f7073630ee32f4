"""Grace: the first time that a player's orders are missing at the deadline, the turn is due once more, later."""

from datetime import datetime

from gm.campaign.open import GRACE, Campaign
from gm.store.deadlines import fixed, local_moment
from gm.store.journal import journal_of


def grace_deadline(campaign: Campaign, now: datetime) -> datetime | None:
    """Return until when the coming turn waits for missing orders, counted from its deadline or from ``now`` if later.

    None: the game has no grace, this turn had its own already, or the next turn would be due before it.
    """
    due = campaign.calendar
    turn = campaign.next_turn
    if due.grace_rule is None or due.never or due.hold or _had_grace(campaign, turn):
        return None
    until = fixed(max(now, due.of_turn(turn)) + due.grace_rule.span, due.zone).replace(second=0, microsecond=0)
    slot = due.free(until.replace(tzinfo=None))
    moment = local_moment(slot, due.zone)
    return moment if moment < due.of_turn(turn + 1) else None


def _had_grace(campaign: Campaign, turn: int) -> bool:
    entries = journal_of(campaign.folder.path).entries
    return any(entry.get("what") == GRACE and entry["turn"] == turn for entry in entries)
