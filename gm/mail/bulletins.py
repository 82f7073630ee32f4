"""What hooks and channels are told, written down until it is told: an outbox of their own."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

from gm.campaign.open import Campaign
from gm.mail.game_mail import MAIL
from gm.mail.outbox import Outbox
from gm.store import StoreError
from gm.store.hooks import HOOKS

KEPT = timedelta(days=3)  # then it is no news any more


def outbox_of(campaign: Campaign) -> Outbox:
    """Return what was told and is to be told; whoever changes it holds the lock."""
    settings = campaign.folder.settings
    return Outbox(campaign.folder.path / MAIL / HOOKS, settings.id, settings.seed, ".json")


def queue_safely(queue: Callable[[], object]) -> None:
    """Queue what hooks are to tell; a fault in their journal delays no turn and is told with them."""
    with suppress(StoreError):
        queue()
