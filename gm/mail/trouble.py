"""A letter that shows an error in the program itself: noted once, told to the GM, and left in the mailbox.

It is tried again in every round, so that nothing of it is lost when the program is mended; nobody else's letter waits.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from datetime import datetime, timedelta

from gm.core.diagnostics import SourceError
from gm.mail.compose import Writer
from gm.mail.letter import Letter, without_keys
from gm.mail.login import LoginError
from gm.mail.post import Post, mark_of
from gm.mail.sources import MailboxError
from gm.store import StoreError
from gm.store.disk import make_folder, write_file

FATAL = (OSError, StoreError, SourceError, MailboxError, LoginError)
"""What is no letter's fault: a full disk, a broken game folder or mailbox. It stops everything."""

FOLDER = "trouble"


def note_trouble(post: Post, letter: Letter, error: Exception, now: datetime) -> str:
    """Keep the details of an error and tell the GM, once for each letter; returns a sentence about it."""
    from gm import __version__

    path = post.mail / FOLDER / f"{mark_of(letter)[:16]}.txt"
    if not path.exists():
        make_folder(path.parent)
        # an error may quote the letter, and this file is to be sent to somebody
        told = without_keys("".join(traceback.format_exception(error)))
        details = f"gm {__version__}, fetching a letter\n\n{told}"
        write_file(path, details.encode("utf-8", "replace"))
    name = f"{path.parent.parent.name}/{path.parent.name}/{path.name}"
    values = {"sender": letter.sender or "(nobody)", "subject": letter.subject or "(none)", "path": name}
    post.queue(Writer(post, now).notice(f"trouble {mark_of(letter)}", "A letter waits for you", "trouble", values), now)
    return (
        f"The letter of {values['sender']} shows an error in gm itself and stays in the mailbox. The details are in "
        f"{name} of the game's folder: please send that file to whoever maintains gm."
    )


def tell_of_stray(post: Post, letter: Letter, why: str, games: Sequence[str], now: datetime) -> None:
    """Tell the GM of a letter that nobody knows where to put, so many times a day. ``games``: whose players have its
    sender's address."""
    settings = post.settings
    if post.outbox.asked_for("gm stray ", now - timedelta(days=1)) >= settings.care.notices_a_day * len(settings.gms):
        return
    values = {
        "sender": letter.sender or "(nobody)",
        "subject": letter.subject or "(none)",
        "why": why,
        "games": ", ".join(games),
        "files": len(letter.files),
        "aside": settings.inward.aside,
    }
    post.queue(Writer(post, now).notice(f"stray {mark_of(letter)}", "A letter for no game", "stray", values), now)
