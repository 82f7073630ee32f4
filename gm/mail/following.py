"""Letters to players after a change of the game: a new player, an undone turn, a new deadline.

The command that makes the change calls one of these functions for it. Each takes the journal's line about the
change (``entry``), queues the letters and returns how many are new. Called a second time for the same line,
it changes nothing.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec.json import decode

from gm.campaign.moves import extensions_left
from gm.campaign.open import Campaign
from gm.campaign.play import played_turn, report_files
from gm.campaign.recovery import REOPEN
from gm.mail.announcing import ANNOUNCEMENTS
from gm.mail.channels import outbox_of, queue_safely
from gm.mail.compose import DEADLINE, EPILOGUE, ORDERS, REMINDER, RESULTS, Writer
from gm.mail.game_mail import PUBLISHED, GameMail
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.rendering import HANDBOOK, file_word, template_files, turn_files
from gm.mail.requests import join_code
from gm.mail.service import Service
from gm.mail.status import SUBSCRIBED, note_preference, published_turns, waiting
from gm.store.folder import MAIL_FILE
from gm.store.hooks import TURN
from gm.text.languages import ENGLISH

_LOOK_BACK = 3  # turns whose reports are in a dossier, the newest included


def _dossier(mail: GameMail, realm: str, now: datetime) -> Outgoing:
    """Return the letter to a realm's new player (V3): rules, position, the last turns, an order template.

    Reports are made again for it, with the new player's keys and none of the old one's.
    """
    campaign = mail.campaign
    limits = mail.settings.enclosed
    newest = campaign.newest_turn
    rules = campaign.spec.handbook(
        campaign.table, campaign.snapshot, campaign.decisions.languages.get(realm, ENGLISH)
    )
    files = [Enclosure(HANDBOOK, "text/html", rules.encode())]
    template: tuple[Enclosure, ...] = ()
    for turn in range(newest, max(newest - _LOOK_BACK, -1), -1):
        result = played_turn(campaign, turn).evolve(languages=campaign.decisions.languages)
        if turn == newest:
            result = result.evolve(deadline=campaign.due_words(newest + 1))  # it may have been moved
        # a bot may have played the realm, and most bots get no reports
        reports = report_files(campaign, result, everybody=True)
        played_word = file_word(campaign.spec.played_name(campaign.state_after(turn)))
        files_of_turn = turn_files(
            realm, played_word, reports.get, limits, key=campaign.keys.get(realm, ""), rolls=False
        )
        if turn != newest:
            files += files_of_turn[:1]  # the report alone
        else:
            files += Writer(mail, now).with_submit_form(realm, files_of_turn)
            coming_word = file_word(campaign.spec.coming_name(campaign.state))
            template = template_files(realm, coming_word, reports.get)
    return Writer(mail, now).dossier(realm, files, template)


def queue_dossier(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Queue the letter to the new player of a seat, in a game with mail; return 1 if it is new, else 0.

    Unsent letters to the old player are dropped, and the seat gets reminders again. ``entry``: the journal's
    line about the change.
    """
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    realm = str(entry["realm"])
    now = datetime.fromisoformat(str(entry["letters"]))
    mail = GameMail(campaign)
    letter = _dossier(mail, realm, now)
    # an interrupted run has done this already if its letter is there: nothing newer may be withdrawn
    if not mail.outbox.knows(letter.once):
        mail.outbox.withdraw(realm, now, "the realm has a new player")
        note_preference(mail, realm, SUBSCRIBED, now)  # the old player may have wanted no reminders
    return int(mail.queue(letter, now))


def finish_undo(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Move an undone turn out of the game, recall letters about it, and return 0: nothing counts as new.

    Every player gets a letter if the results were released, or if the turn was reopened for new orders.
    ``entry``: the journal's line about the command.
    """
    turn = int(entry["turn"])
    now = datetime.fromisoformat(str(entry["at"]))
    if entry["did"] != REOPEN:
        campaign.folder.undo_turn(turn, str(entry["kept"]))
    queue_safely(lambda: outbox_of(campaign).recall((TURN,), turn, now, f"turn {turn} was undone"))
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign.reopened())
    # letters that were sent after the turn are about the turn that orders were for then
    mail.outbox.recall((RESULTS, ORDERS, REMINDER, EPILOGUE), turn + 1, now, f"turn {turn} was undone")
    # a release of the undone results does not count any more: a remark with an empty state says so; those of
    # earlier versions have no state
    states = [remark.get("state", "?") for remark in mail.log.remarks(PUBLISHED) if remark["turn"] == turn]
    if states and states[-1]:
        mail.log.remark(now, PUBLISHED, turn=turn, state="")
    withdrawn = mail.campaign.withdrawn
    if withdrawn is not None and (entry.get("published") or entry["did"] == REOPEN):
        for seat in mail.campaign.seats:
            if mail.address(seat.code):
                mail.queue(Writer(mail, now).undone(seat.code, turn, withdrawn), now)
    return 0


# -- letters to all players ----------------------------------------------------------------------------------


def queue_deadline(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Queue letters to the players about a changed deadline, if the game has mail; return how many are new.

    There are none while the results of the newest turn are not released: they will say the new deadline. Nor
    are there any when the game is over, or if ``entry``, the journal's line, has no time of letters.
    """
    if "letters" not in entry or not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign)
    if campaign.newest_turn not in published_turns(mail) or campaign.winners is not None:
        return 0
    writer = DeadlineWriter(mail, datetime.fromisoformat(str(entry["letters"])))
    realms = (seat.code for seat in campaign.seats if not seat.out and mail.address(seat.code))
    return sum(mail.queue(writer.deadline(realm, entry), writer.now) for realm in realms)


def queue_opening(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Queue notifications by hooks, and letters, about an open seat.

    The letters go to the other players, the GM, the waiting list of an open game, and the former player.
    Return how many letters are new, the former player's not counted. ``entry``: the journal's line about the
    seat.
    """
    if campaign.folder.settings.hooks:
        from gm.mail.hooks import queue_seat

        queue_safely(lambda: queue_seat(campaign, entry))
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign)
    realm = str(entry["realm"])
    why = str(entry["why"])
    writer = Service(mail, datetime.fromisoformat(str(entry["letters"])))
    once = f"opening {entry['mark']}"
    # the former player's letter was written when the player was still known
    path = mail.left_file(str(entry["mark"]))
    if path.is_file():
        mail.queue(decode(path.read_bytes(), type=Outgoing), writer.now)
    other_realms = [seat.code for seat in campaign.seats if seat.code != realm and mail.address(seat.code)]
    letters = [writer.opening(reader, realm, f"{once} {reader}", why) for reader in other_realms]
    letters.append(writer.opening_notice(realm, once, why))
    if campaign.folder.settings.open:
        for address in waiting(mail):
            code = join_code(mail, realm, address, writer.now)
            letters.append(writer.invitation(address, realm, code, f"{once} {address}", offer=True))
    return sum(mail.queue(letter, writer.now) for letter in letters)


def queue_settings(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Queue letters to the players about changed settings for letters or seats; return how many are new.

    There are none without mail, before the first results are released, and when the game is over. ``entry``:
    the journal's line about the settings.
    """
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign)
    if not published_turns(mail) or campaign.winners is not None:
        return 0  # before the first results nobody knows the old rules
    writer = Writer(mail, datetime.fromisoformat(str(entry["letters"])))
    realms = (seat.code for seat in campaign.seats if not seat.out and mail.address(seat.code))
    return sum(mail.queue(writer.settings(realm, entry), writer.now) for realm in realms)


def queue_announcement(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Queue the GM's announcement for those of its readers who have an address; return how many are new.

    Its text is in a file of the game's mail; readers and subject are in ``entry``, the journal's line.
    """
    mail = GameMail(campaign)
    mark = str(entry["announcement"])
    text = (mail.folder / ANNOUNCEMENTS / f"{mark}.txt").read_text(encoding="utf-8")
    writer = Writer(mail, datetime.fromisoformat(str(entry["letters"])))
    letters = (writer.announcement(realm, str(entry["subject"]), text, mark) for realm in entry["realms"])
    return sum(mail.queue(letter, writer.now) for letter in letters if letter.to)


class DeadlineWriter(Writer):
    """Writes the letters about changed deadlines."""

    def deadline(self, realm: str, entry: Mapping[str, Any]) -> Outgoing:
        """Return the letter to a player about a changed deadline, with an entry for calendars.

        ``entry``: the journal's line about the change.
        """
        calendar = self.mail.campaign.calendar
        change = str(entry["what"])
        deadline = calendar.of_turn(self._turn)
        old_deadline = datetime.fromisoformat(entry["was"]) if entry.get("was") else None
        turn = int(entry.get("about", self._turn))  # whose deadline was changed
        is_for_calendars = change in ("hold", "resume", "begin") or old_deadline != deadline
        values = {
            "what": change,
            **{name: entry.get(name, "") for name in ("why", "first", "last", "pace", "clocks")},
            "vacations": calendar.vacations,
            "grace": calendar.grace,
            "extensions": calendar.extensions,
            "extensions_left": extensions_left(self.mail.campaign, realm),
            "own": realm == entry.get("realm"),
            "without_orders": [self._name(realm) for realm in entry.get("realms", ())],
            "names_missing": calendar.early or self.mail.campaign.folder.settings.site.missing,
            "own_missing": realm in entry.get("realms", ()),
            "who": self._name(str(entry.get("realm", ""))),
            "after": self._local(realm, calendar.of_turn(self._turn + 1)),
            "about": turn,
            "about_due": self._local(realm, calendar.of_turn(turn)),
            "was": self._local(realm, old_deadline) if old_deadline else "",
            "passed": not calendar.hold and self.now > deadline,
            "calendar": is_for_calendars,
        }
        once = f"deadline {entry['letters']} {change} {entry['state']} {realm}"
        enclosures = (self._calendar(realm, new=1),) if is_for_calendars else ()
        return self._letter(DEADLINE, realm, once, values, marked=False, enclosures=enclosures)
