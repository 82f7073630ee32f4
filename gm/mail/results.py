"""Letters to all players: a turn's results, once each, in whatever state the last run left the outbox; what follows
when a turn is taken back, a realm has a new player or the deadline is changed; and what the GM has to say."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.json import decode

from gm.campaign.epilogue import epilogue
from gm.campaign.open import Campaign
from gm.campaign.play import played_turn, report_files
from gm.campaign.press import opened_letters, told_gm
from gm.campaign.recovery import REOPEN
from gm.core.diagnostics import invisible
from gm.game.values import TurnResult
from gm.mail.asking import join_code
from gm.mail.body_text import mail_data
from gm.mail.compose import DOSSIER, EPILOGUE, ORDERS, REMINDER, RESULTS, Writer, dossier_name
from gm.mail.game_mail import PUBLISHED, GameMail
from gm.mail.outbox import OPEN, Enclosure, Outgoing, State
from gm.mail.press_letters import PressWriter
from gm.mail.rendering import HANDBOOK, file_word, packed, template_files, turn_files
from gm.mail.service import Service
from gm.mail.status import SUBSCRIBED, note_preference, published_turns, waiting
from gm.mail.week import Guard, Waits
from gm.store import StoreError
from gm.store.folder import MAIL_FILE
from gm.store.inbox import fingerprint
from gm.text.languages import ENGLISH, Translate
from gm.text.pages import listed

_LOOK_BACK = 3  # the reports of so many turns go along with a dossier, the newest included


def publish_results(mail: GameMail, now: datetime, *, corrected: bool = False, why: str = "") -> int:
    """Give the newest turn's results free and put them into the outbox, for every player with an address. Returns how
    many letters are new. The remark comes last: a run that was cut short does the whole again, and what is in the
    outbox already stays there once. ``corrected``: also those that are different since they went out, and ``why``.
    Whoever has the turn's results already reads what is different, and why."""
    campaign = mail.campaign
    turn = mail.campaign.newest_turn
    played = played_turn(campaign, turn)
    digests = campaign.spec.digests(campaign.table, played)
    writer = Writer(mail, now)
    queued = 0
    for seat in campaign.seats:
        if not mail.address(seat.code) or mail.outbox.knows(dossier_name(mail, seat.code)):
            continue  # a dossier holds the results
        if (campaign.folder.turn_path(turn) / f"results/{seat.code}.html").is_file():
            queued += _publish(writer, seat.code, played, digests.get(seat.code, ()), corrected=corrected, why=why)
            if orders := writer.orders(seat.code):
                start = " ".join(orders.once.split()[:3]) + " "
                has = any(each.may_have_arrived and each.once.startswith(start) for each in mail.outbox.messages)
                # its reader has another template for the same orders
                renewed = f"{writer.say(seat.code)('[corrected]')} {orders.subject}"
                mail.queue(orders.evolve(subject=renewed) if has else orders, now)
    publish_epilogue(writer)
    for letter in told_gm(campaign, played.press, turn):
        mail.queue(PressWriter(mail, now).gm_copy(letter), now)
    if campaign.folder.settings.hooks:
        from gm.mail.hooks import queue_safely, queue_turn

        queue_safely(lambda: queue_turn(campaign, now))
    if turn not in published_turns(mail):
        mail.log.remark(now, PUBLISHED, turn=turn, state=mail.state_mark(turn))
    return queued


def publish_epilogue(writer: Writer) -> None:
    """Send everybody the page of a game that is over; again with the letters, once all agree that they are told."""
    mail = writer.mail
    campaign = mail.campaign
    if campaign.winners is None:
        return
    page = cache(lambda language: epilogue(campaign, language))
    letters = opened_letters(campaign) is not None
    for seat in campaign.seats:
        names = {writer.epilogue_name(seat.code, letters=each) for each in {True, letters}}
        if mail.address(seat.code) and not any(map(mail.outbox.knows, names)):
            mail.queue(writer.epilogue(seat.code, page(writer.language(seat.code)), letters=letters), writer.now)


def _publish(
    writer: Writer, realm: str, played: TurnResult, lines: Sequence[str], *, corrected: bool, why: str
) -> bool:
    mail = writer.mail
    campaign = writer.mail.campaign
    turn = writer.mail.campaign.newest_turn
    mark = mail.state_mark(turn)
    start = f"results {turn} {realm} "
    name = f"{start}{mark} {mail.seat_mark(realm)}"
    # what was recalled never went out
    before = [each for each in mail.outbox.messages if each.once.startswith(start) and each.state is not State.RECALLED]
    alike = [each for each in before if each.once.startswith(name)]  # those about the turn as it is now
    if alike and not corrected:
        return False
    content = _content_of(campaign, campaign.folder.turn_path(turn) / "results", realm)
    # the one that was to reach him last
    last = next((each for each in reversed(before) if each.state not in (State.FAILED, State.EXPIRED)), None)
    if alike and last is not None and last.content == content:
        return False
    read = [each for each in before if each.may_have_arrived]
    renewed = played.proof.renewed if played.proof else ()
    correction = None
    # his key alone is no new turn
    if (alike and read) or any(each.once.split()[3] != mark for each in read) or renewed:
        old = last.content if last else {}
        with suppress(OSError, ValueError):
            if not old and (withdrawn := campaign.folder.inbox(turn).withdrawn()):
                old = _content_of(campaign, campaign.folder.undone / withdrawn.kept / "results", realm)
        why = renewed[-1].why if renewed and not alike else why
        correction = _correction(why, old, content, writer.say(realm))
    once = name + (f" corrected {len(alike)}" if alike else "")
    new = mail.queue(writer.results(realm, played, lines, correction).evolve(once=once, content=content), writer.now)
    if last is not None and last.state in OPEN and not last.may_have_arrived:
        mail.outbox.mark(last.id, State.DROPPED, writer.now, "another goes out in its place")
    return new


def notify_waiting(mail: GameMail, waits: Sequence[Waits], now: datetime) -> None:
    """Tell what waits for the GM, with what looks unusual about a turn that waits to be mailed."""
    campaign = mail.campaign
    guards = {each.guard for each in waits}
    gate = Guard.GATE in guards
    turn = campaign.newest_turn if gate else campaign.next_turn
    deadline = campaign.deadline(campaign.next_turn).isoformat()
    mark = mail.state_mark(turn) if gate else f"{deadline} {' '.join(sorted(each.guard for each in waits))}"
    values = {
        "waiting_turn": turn,
        "waits": [each.says for each in waits],
        "warnings": campaign.spec.warnings(campaign.table, played_turn(campaign, turn)) if gate else (),
        "gate": gate,
        "broken": Guard.BROKEN in guards,
    }
    mail.queue(Writer(mail, now).notice(f"waits {turn} {mark}", "waits", **values), now)


def _content_of(campaign: Campaign, folder: Path, realm: str) -> dict[str, str]:
    """Return a fingerprint of each part of a player's results in this folder: the data for programs, and the report."""
    data = campaign.spec.results_data((folder / f"{realm}.yaml").read_bytes(), f"{realm}.yaml")
    parts: dict[str, dict[str, Any]] = {}
    where = {name: part for part, each in mail_data("parts.yaml").items() for name in each["entries"]}
    for name, value in data.items():
        parts.setdefault(where.get(name, "position"), {})[name] = value
    own = dict(parts.get("orders", {}).get("private") or {})
    parts.setdefault("dice", {})["rolls"] = own.pop("rolls", None)
    parts.setdefault("orders", {})["private"] = own
    marks = {name: fingerprint(json.dumps(part, sort_keys=True, default=str).encode()) for name, part in parts.items()}
    return {**marks, "report": fingerprint((folder / f"{realm}.html").read_bytes())}


def _correction(why: str, before: Mapping[str, str], now: Mapping[str, str], say: Translate) -> dict[str, str]:
    """Return what a letter says that replaces another: why, and which parts are others or the same, in words."""
    parts = mail_data("parts.yaml").items()
    words = {name: say(part["words"]) for name, part in parts if name in before and name in now}
    differs = [name for name in words if before[name] != now[name]]
    # how the report shows it is news only when nothing else is
    differs = [name for name in differs if name != "report"] or differs
    same = [name for name in words if before[name] == now[name] and name not in ("report", "next")]
    found = {"differs": differs, "same": same}
    return {"why": why} | {
        each: listed([words[name] for name in names], "", say("and")) for each, names in found.items()
    }


def _dossier(mail: GameMail, realm: str, now: datetime) -> Outgoing:
    """Return the letter to a realm's new player (V3): the rules, the position, the last turns and a template for his
    orders. Reports are made again for it, so that they name the new player's keys and none of the old one's."""
    campaign = mail.campaign
    limits = mail.settings.enclosed
    newest = campaign.newest_turn
    rules = campaign.spec.handbook(campaign.table, campaign.snapshot, campaign.decisions.languages.get(realm, ENGLISH))
    files = [Enclosure(HANDBOOK, "text/html", rules.encode())]
    template: tuple[Enclosure, ...] = ()
    for turn in range(newest, max(newest - _LOOK_BACK, -1), -1):
        told = played_turn(campaign, turn).evolve(languages=campaign.decisions.languages)
        if turn == newest:
            told = told.evolve(deadline=campaign.due_words(newest + 1))  # as it is by now
        made = report_files(campaign, told, everybody=True)
        played = file_word(campaign.spec.played_name(campaign.state_after(turn)))
        of_turn = turn_files(realm, played, made.get, limits, key=campaign.keys.get(realm, ""), rolls=False)
        files += of_turn if turn == newest else of_turn[:1]
        if turn == newest:
            template = template_files(realm, file_word(campaign.spec.coming_name(campaign.state)), made.get)
    return Writer(mail, now).dossier(realm, files, (*packed(f"{realm}-dossier", files, limits), *template))


def queue_dossier(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Write to the new player of a seat, and no more to the old one, if the game has mail; ``entry``: the journal's
    line about it. Done a second time, it changes nothing. Returns how many letters are new."""
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    realm = str(entry["realm"])
    now = datetime.fromisoformat(str(entry["letters"]))
    mail = GameMail(campaign)
    letter = _dossier(mail, realm, now)
    if not mail.outbox.knows(letter.once):
        mail.outbox.withdraw(realm, now, "the realm has another player")
        note_preference(mail, realm, SUBSCRIBED, now)  # what the old player wished is nobody's wish any more
    return int(mail.queue(letter, now))


def results_went_out(mail: GameMail, turn: int) -> bool:
    """Return whether anybody has the results of a turn as it is now by mail, or may have. A dossier holds them too."""
    mark = mail.state_mark(turn)
    return any(
        (each.kind == RESULTS and each.may_have_arrived and each.once.split()[3] == mark)
        or (each.kind == DOSSIER and (each.may_have_arrived or each.state in OPEN))
        for each in mail.outbox.messages
        if each.turn == turn + 1
    )


def finish_undo(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Move a turn out of the game, and write to every player if its results are known. Repeated, it changes nothing."""
    turn = int(entry["turn"])
    now = datetime.fromisoformat(str(entry["at"]))
    if entry["did"] != REOPEN:
        campaign.folder.undo_turn(turn, str(entry["kept"]))
    if campaign.folder.settings.hooks:
        from gm.mail.hooks import queue_safely, recall_turn

        queue_safely(lambda: recall_turn(campaign, turn, now))
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign.reopened())
    mail.outbox.recall((RESULTS, ORDERS, REMINDER, EPILOGUE), turn + 1, now, f"turn {turn} was taken back")
    states = [each.get("state", "?") for each in mail.log.remarks(PUBLISHED) if each["turn"] == turn]
    if states and states[-1]:
        mail.log.remark(now, PUBLISHED, turn=turn, state="")
    withdrawn = mail.campaign.withdrawn
    if withdrawn is not None and (entry.get("published") or entry["did"] == REOPEN):
        for seat in mail.campaign.seats:
            if mail.address(seat.code):
                mail.queue(Writer(mail, now).undone(seat.code, turn, withdrawn), now)
    return 0


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
    realms = (seat.code for seat in campaign.seats if not seat.out and mail.address(seat.code))
    return sum(mail.queue(writer.deadline(realm, entry), writer.now) for realm in realms)


def queue_opening(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Tell everybody, and those who wait for one, that a seat is free, and who had it that it is his no more."""
    if campaign.folder.settings.hooks:
        from gm.mail.hooks import queue_safely, queue_seat

        queue_safely(lambda: queue_seat(campaign, entry))
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign)
    realm = str(entry["realm"])
    why = str(entry["why"])
    writer = Service(mail, datetime.fromisoformat(str(entry["letters"])))
    once = f"opening {entry['mark']}"
    path = mail.left_file(str(entry["mark"]))
    if path.is_file():
        mail.queue(decode(path.read_bytes(), type=Outgoing), writer.now)
    readers = [seat.code for seat in campaign.seats if seat.code != realm and mail.address(seat.code)]
    letters = [writer.opening(each, realm, f"{once} {each}", why) for each in readers]
    letters.append(writer.opening_notice(realm, once, why))
    for address in waiting(mail) if campaign.folder.settings.open else ():
        code = join_code(mail, realm, address, writer.now)
        letters.append(writer.invitation(address, realm, code, f"{once} {address}", offer=True))
    return sum(mail.queue(letter, writer.now) for letter in letters)


def queue_settings(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Tell the players that the GM has changed what letters there are, or what becomes of seats; the same."""
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign)
    if not published_turns(mail) or campaign.winners is not None:
        return 0  # nobody knows anything else
    writer = Writer(mail, datetime.fromisoformat(str(entry["letters"])))
    realms = (seat.code for seat in campaign.seats if not seat.out and mail.address(seat.code))
    return sum(mail.queue(writer.settings(realm, entry), writer.now) for realm in realms)


def queue_announcement(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Send the players what the GM announced; the same. Its text is in the game already."""
    mail = GameMail(campaign)
    mark = str(entry["announcement"])
    text = (mail.folder / ANNOUNCEMENTS / f"{mark}.txt").read_text(encoding="utf-8")
    writer = Writer(mail, datetime.fromisoformat(str(entry["letters"])))
    letters = (writer.announcement(realm, str(entry["subject"]), text, mark) for realm in entry["realms"])
    return sum(mail.queue(letter, writer.now) for letter in letters if letter.to)


LONGEST = 20_000  # bytes of an announcement
LONGEST_SUBJECT = 120  # characters of its subject


def announced(file: str, data: bytes, subject: str | None) -> tuple[str, str]:
    """Subject and text of an announcement. Raises ``StoreError`` for what is no text, too long, or without either."""
    if len(data) > LONGEST:
        raise StoreError(f"{file} is longer than {LONGEST} bytes: put it somewhere and announce where.")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").expandtabs(4)
    except UnicodeDecodeError as error:
        raise StoreError(f"{file} is no text in UTF-8 (byte {error.start + 1}).") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if invisible(line):
            raise StoreError(f"{file}:{number}: there is a character in this line that cannot be seen.")
    if text.lower().startswith("subject:"):
        first, _, text = text.partition("\n")
        subject = subject or first.partition(":")[2]
    subject = " ".join((subject or "").split())
    text = text.strip("\n")
    if not subject or invisible(subject) or len(subject) > LONGEST_SUBJECT:
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
            raise StoreError(f"{code} has no address: give it one with 'pbem seat {code} --email ADDRESS'.")
    wanted = set(map(str.upper, only)) or set(codes)
    found = [code for code in codes if code in wanted and post.address(code)]
    if not found:
        raise StoreError("No player of this game has an address.")
    return found
