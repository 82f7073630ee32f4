"""The orders that a steward gave for a player who was away, in words, for that player."""

from collections.abc import Sequence

from gm.campaign.open import Campaign
from gm.campaign.stored import stored_turn
from gm.core.yaml.source import Source
from gm.store.inbox import decisions_of
from gm.text.languages import Translate


def steward_orders(campaign: Campaign, turn: int, realm: str, translate: Translate) -> Sequence[str] | None:
    """Return the orders, each in words, that a steward gave for a realm in a played turn.

    None if no steward acted for it.
    """
    if realm not in decisions_of(campaign.record(turn)).deputies:
        return None
    plan = stored_turn(campaign, turn)
    file = plan.readings[realm]
    source = Source(f"{realm}.yaml", file.data.decode("utf-8", "replace"))
    preview = campaign.spec.preview(campaign.table, plan.opened, realm, file.sheet, source, translate)
    return [tried_order.order for tried_order in preview.orders]
