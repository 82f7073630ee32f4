"""The outbox of notifications by hooks and players' channels, which records each before it is sent."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

from gm.campaign.open import Campaign
from gm.mail.game_mail import MAIL
from gm.mail.outbox import Outbox
from gm.store import StoreError
from gm.store.hooks import HOOKS

KEPT = timedelta(days=3)  # a notification that could not be sent for so long expires


def outbox_of(campaign: Campaign) -> Outbox:
    """Return the outbox of a game's notifications, sent or not; to change it the game's lock must be held."""
    settings = campaign.folder.settings
    return Outbox(campaign.folder.path / MAIL / HOOKS, settings.id, settings.seed, ".json")


def queue_safely(queue: Callable[[], object]) -> None:
    """Call ``queue``, which queues notifications, but ignore a ``StoreError``.

    A damaged journal of notifications must not delay a turn; it is reported when they are sent.
    """
    with suppress(StoreError):
        queue()
