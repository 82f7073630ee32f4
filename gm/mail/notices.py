"""Letters to the GM about what the mail cannot settle by itself, each told once."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from datetime import datetime, timedelta

from gm.core.diagnostics import SourceError
from gm.mail.compose import Writer
from gm.mail.credentials import LoginError
from gm.mail.game_mail import FOR_GM, GameMail
from gm.mail.letter import Letter, without_keys
from gm.mail.mail_log import mark_of
from gm.mail.source import MailboxError
from gm.mail.status import undelivered
from gm.store import StoreError
from gm.store.disk import make_folder, write_file

FATAL = (OSError, StoreError, SourceError, MailboxError, LoginError)
"""What is no letter's fault: a full disk, a broken game folder or mailbox. It stops everything."""
FAILURE_FOLDER = "trouble"
_AT_ONCE = 40
"""Undelivered letters that one notice tells of."""


def note_failure(mail: GameMail, letter: Letter, error: Exception, now: datetime) -> str:
    """Keep the details of an error of the program over a letter and tell the GM, once for each; a sentence about it.
    The letter stays in the mailbox and is tried again in every round; nobody else's waits for it."""
    from gm import __version__

    path = mail.folder / FAILURE_FOLDER / f"{mark_of(letter)[:16]}.txt"
    if not path.exists():
        make_folder(path.parent)
        # an error may quote the letter, and this file is to be sent to somebody
        details = without_keys("".join(traceback.format_exception(error)))
        write_file(path, f"gm {__version__}, fetching a letter\n\n{details}".encode("utf-8", "replace"))
    name = path.relative_to(mail.game_folder).as_posix()
    values = {"sender": letter.sender or "(nobody)", "subject": letter.subject or "(none)", "path": name}
    mail.queue(Writer(mail, now).notice(f"trouble {mark_of(letter)}", "A letter waits for you", "trouble", values), now)
    return (
        f"The letter of {values['sender']} shows an error in gm itself and stays in the mailbox. The details are in "
        f"{name} of the game's folder: please send that file to whoever maintains gm."
    )


def notify_stray(mail: GameMail, letter: Letter, why: str, games: Sequence[str], now: datetime) -> None:
    """Tell of a letter that nobody knows where to put, so many times a day. ``games``: whose players have its sender's
    address."""
    settings = mail.settings
    if mail.outbox.asked_for("gm stray ", now - timedelta(days=1)) >= settings.care.notices_a_day * len(settings.gms):
        return
    values = {
        "sender": letter.sender or "(nobody)",
        "subject": letter.subject or "(none)",
        "why": why,
        "games": ", ".join(games),
        "files": len(letter.files),
        "aside": settings.inward.aside,
    }
    mail.queue(Writer(mail, now).notice(f"stray {mark_of(letter)}", "A letter for no game", "stray", values), now)


def notify_wrong_keys(mail: GameMail, realm: str, number: int, now: datetime) -> None:
    """Tell, once a turn, that somebody tries keys."""
    values = {"guessed": mail.campaign.spec.party_word, "code": realm, "number": number}
    notice = Writer(mail, now).notice(f"guesses {mail.seat_mark(realm)}", f"Wrong keys for {realm}", "guesses", values)
    mail.queue(notice, now)


def notify_undelivered(mail: GameMail, now: datetime) -> bool:
    """Tell what failed or came back since it was told last; whether there is anything. What was for the GM himself is
    left out: a letter about it would be lost in the same way. 'gm status' shows it."""
    before = [each.once for each in mail.outbox.messages if each.once.startswith("gm lost ")]
    known = {number for once in before for number in once.split()}
    new = [each for each in undelivered(mail) if each.kind != FOR_GM and each.id not in known][:_AT_ONCE]
    if not new:
        return False
    values = {
        "lost": [(each.to, each.subject, each.state.value, each.words) for each in new],
        "realms": sorted({each.realm for each in new if each.realm}),
    }
    purpose = f"lost {' '.join(each.id for each in new)}"
    mail.queue(Writer(mail, now).notice(purpose, "Letters that did not arrive", "lost", values), now)
    return True
