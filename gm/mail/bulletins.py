"""The outbox of notifications by hooks and channels, which records each before it is sent."""

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
    """Return the outbox of sent and waiting notifications; the lock must be held to change it."""
    settings = campaign.folder.settings
    return Outbox(campaign.folder.path / MAIL / HOOKS, settings.id, settings.seed, ".json")


def queue_safely(queue: Callable[[], object]) -> None:
    """Queue notifications; a fault in their journal delays no turn and is reported with them."""
    with suppress(StoreError):
        queue()
