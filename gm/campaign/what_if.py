"""A played turn once more with one order file changed: what would have come of it, with the same dice by label."""

from __future__ import annotations

from dataclasses import replace

from gm.campaign.open import Campaign
from gm.campaign.play import checked_state, decided
from gm.campaign.receive import Offer
from gm.campaign.stored_turn import StoredTurn
from gm.game.turn_result import ReadOrders, TurnResult


def supposed_orders(campaign: Campaign, archived: StoredTurn, offer: Offer) -> ReadOrders:
    """A file as orders for that turn, of whichever party it says. ``sheet`` is none when it cannot be read."""
    return campaign.spec.read_orders(
        campaign.table,
        archived.opened,
        offer.data,
        offer.name,
        game=campaign.folder.settings.id,
        realm=None,
        key=None,
    )


def supposed_turn(campaign: Campaign, archived: StoredTurn, played: TurnResult, reading: ReadOrders) -> TurnResult:
    """The turn with this sheet in the place of its party's. The seed stays: each label rolls what it rolled then, so
    that only what the orders change is different.

    What the GM rejected of the orders stays rejected, as far as the new ones hold the like.
    """
    decisions = archived.plan.decisions
    mine = (each for each in decisions.rejections if each[0] == reading.realm)
    rejections = tuple(each for each in mine if _holds(campaign, reading, each[1]))
    readings = {realm: each for realm, each in archived.plan.readings.items() if realm != reading.realm}
    fresh, _ = decided(campaign, {reading.realm: reading}, decisions.evolve(rejections=rejections))
    readings |= fresh
    sheets = {realm: each.sheet for realm, each in readings.items() if each.sheet is not None}
    outcome = campaign.spec.play(campaign.table, archived.opened, sheets, archived.proof.seed)
    return replace(
        played,
        after=checked_state(campaign, outcome.state),
        events=(*archived.changes, *outcome.events),
        readings=readings,
    )


def _holds(campaign: Campaign, reading: ReadOrders, what: str) -> bool:
    """Whether the sheet has something of what was rejected."""
    try:
        campaign.spec.without(reading.sheet, what)
    except ValueError:
        return False
    return True
