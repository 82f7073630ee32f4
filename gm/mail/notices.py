"""Letters to the GM about what the mail cannot settle by itself, each told once; and what the GM tells all players."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from gm.campaign.open import Campaign
from gm.core.diagnostics import SourceError, has_unprintable
from gm.mail.compose import Writer
from gm.mail.game_mail import FOR_GM, GameMail, mark_of
from gm.mail.letter import Letter, without_keys
from gm.mail.settings import MAIL_FILE, LoginError
from gm.mail.source import MailboxError
from gm.mail.status import published_turns, undelivered
from gm.store import StoreError
from gm.store.disk import make_folder, write_file

FATAL = (OSError, StoreError, SourceError, MailboxError, LoginError)
"""What is no letter's fault: a full disk, a broken game folder or mailbox. It stops everything."""
_AT_ONCE = 40  # undelivered letters that one notice tells of


def note_failure(mail: GameMail, letter: Letter, error: Exception, now: datetime) -> str:
    """Keep the details of an error of the program over a letter and tell the GM, once for each; a sentence about it.
    The letter stays in the mailbox and is tried again in every round; nobody else's waits for it."""
    from gm import __version__

    path = mail.folder / "trouble" / f"{mark_of(letter)[:16]}.txt"
    if not path.exists():
        make_folder(path.parent)
        # an error may quote the letter, and this file is to be sent to somebody
        details = without_keys("".join(traceback.format_exception(error)))
        write_file(path, f"gm {__version__}, fetching a letter\n\n{details}".encode("utf-8", "replace"))
    name = path.relative_to(mail.game_folder).as_posix()
    mail.queue(Writer(mail, now).notice(f"trouble {mark_of(letter)}", "trouble", letter=letter, path=name), now)
    return (
        f"The letter of {letter.sender or '(nobody)'} shows an error in gm itself and stays in the mailbox. The "
        f"details are in {name} of the game's folder: please send that file to whoever maintains gm."
    )


def notify_stray(mail: GameMail, letter: Letter, why: str, games: Sequence[str], now: datetime) -> None:
    """Tell of a letter that is nobody's, so many times a day. ``games``: whose players have its sender's address."""
    settings = mail.settings
    if mail.outbox.asked_for("gm stray ", now) >= settings.care.notices_a_day * len(settings.gms):
        return
    values = {"letter": letter, "why": why, "games": games, "aside": settings.inward.aside}
    mail.queue(Writer(mail, now).notice(f"stray {mark_of(letter)}", "stray", **values), now)


def notify_wrong_keys(mail: GameMail, realm: str, number: int, now: datetime) -> None:
    """Tell, once a turn, that somebody tries keys."""
    mail.queue(Writer(mail, now).notice(f"guesses {mail.seat_mark(realm)}", "guesses", code=realm, number=number), now)


def notify_undelivered(mail: GameMail, now: datetime) -> bool:
    """Tell what failed or came back since it was told last; whether there is anything. What was for the GM himself is
    left out: a letter about it would be lost in the same way. 'gm status' shows it."""
    before = [each.once for each in mail.outbox.messages if each.once.startswith("gm lost ")]
    known = {number for once in before for number in once.split()}
    new = [each for each in undelivered(mail) if each.kind != FOR_GM and each.id not in known][:_AT_ONCE]
    if new:
        purpose, realms = f"lost {' '.join(each.id for each in new)}", {each.realm for each in new if each.realm}
        mail.queue(Writer(mail, now).notice(purpose, "lost", lost=new, realms=sorted(realms)), now)
    return bool(new)


# -- what the GM tells all players, from the journal's lines; done a second time, it changes nothing -------------------

ANNOUNCEMENTS = "announcements"  # the folder of the game's mail in which the texts are kept


def queue_deadline(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Tell the players of a change of the deadline, if the game has mail; ``entry``: the journal's line about it. Who
    has not been sent the newest turn yet reads of it there. Returns how many letters are new."""
    if "letters" not in entry or not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign)
    if campaign.newest_turn not in published_turns(mail) or campaign.winners is not None:
        return 0
    writer = Writer(mail, datetime.fromisoformat(str(entry["letters"])))
    told = (seat.code for seat in campaign.seats if not seat.out and mail.address(seat.code))
    return sum(mail.queue(writer.deadline(realm, entry), writer.now) for realm in told)


def queue_announcement(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Send the players what the GM announced; the same. Its text is in the game already."""
    mail, mark = GameMail(campaign), str(entry["announcement"])
    text = (mail.folder / ANNOUNCEMENTS / f"{mark}.txt").read_text(encoding="utf-8")
    writer = Writer(mail, datetime.fromisoformat(str(entry["letters"])))
    letters = (writer.announcement(realm, str(entry["subject"]), text, mark) for realm in entry["realms"])
    return sum(mail.queue(letter, writer.now) for letter in letters if letter.to)


LONGEST, LONGEST_SUBJECT = 20_000, 120
"""Bytes of an announcement, and characters of its subject."""


def announced(file: str, data: bytes, subject: str | None) -> tuple[str, str]:
    """Subject and text of an announcement. Raises ``StoreError`` for what is no text, too long, or without either."""
    if len(data) > LONGEST:
        raise StoreError(f"{file} is longer than {LONGEST} bytes: put it somewhere and announce where.")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").expandtabs(4)
    except UnicodeDecodeError as error:
        raise StoreError(f"{file} is no text in UTF-8 (byte {error.start + 1}).") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if has_unprintable(line):
            raise StoreError(f"{file}:{number}: there is a character in this line that cannot be seen.")
    if text.lower().startswith("subject:"):
        first, _, text = text.partition("\n")
        subject = subject or first.partition(":")[2]
    subject, text = " ".join((subject or "").split()), text.strip("\n")
    if not subject or has_unprintable(subject) or len(subject) > LONGEST_SUBJECT:
        limit = f"at most {LONGEST_SUBJECT} characters"
        raise StoreError(f"Give it a subject of {limit}: --subject, or a first line 'Subject: ...' in {file}.")
    if not text.strip():
        raise StoreError(f"There is nothing to say in {file}.")
    return subject, text


def readers(post: GameMail, only: tuple[str, ...]) -> list[str]:
    """The realms whose players are meant. Raises ``StoreError`` for one that has no player who can be written to."""
    codes = [seat.code for seat in post.campaign.seats]
    for each in only:
        code = each.upper()
        if code not in codes:
            raise StoreError(f"This game has no realm {each}; it has {', '.join(codes)}.")
        if not post.address(code):
            raise StoreError(f"{code} has no address: give it one with 'gm seat {code} --email ADDRESS'.")
    wanted = set(map(str.upper, only)) or set(codes)
    found = [code for code in codes if code in wanted and post.address(code)]
    if not found:
        raise StoreError("No player of this game has an address.")
    return found
