"""Requests by letter.

Information goes to the player's known address, whoever asked. A change needs the token of one of our letters
in the subject. Whoever sends a request without a token gets a letter with the same request and a token in its
subject: an answer to that one counts. A new address is proven by a code that was sent there, and so is the
address of a stranger who wants to join. To resign, to join and to change the address, the answer has to say
yes, too.
"""

import re
from datetime import UTC, date, datetime, timedelta
from functools import partial

from gm.core.diagnostics import fold, says
from gm.core.orders.keys import TOKEN, make_token, same_token
from gm.mail import status
from gm.mail.game_mail import GameMail, folded, mark_of, realms_of, vouched_realm
from gm.mail.letter import Letter
from gm.mail.outcome import Answer, Desk, Outcome
from gm.mail.preferences import Preference, choose_digest, name_channel, prefer
from gm.mail.service import ANSWER, CONFIRM, STRANGER
from gm.mail.source import Disposition
from gm.mail.status import REQUEST
from gm.mail.wishes import READING, Request, asked_of, own_words, says_yes

_REPORTS_A_DAY = 3
_CODE_DAYS = 7  # for so long the code is valid that a stranger was sent
_UNPROVEN_AN_HOUR = 10  # letters to strangers whose address no server has verified
_UNPROVEN_A_DAY = 50
_UNPROVEN = "unproven "  # the beginning of the purposes of these letters
_TO_A_DOMAIN_A_DAY = 20  # letters a day to strangers with addresses of one domain


def request_in(mail: GameMail, letter: Letter) -> Request | None:
    """Return a letter's request; None if it has none, or its sender may not make it.

    A player may, or whoever answers a letter of ours; in an open game anybody may ask to join.
    """
    campaign = mail.campaign
    request = asked_of(letter, {fold(seat.name): seat.code for seat in campaign.seats})
    if request is None:
        return None
    if request.word == "join":
        return request if campaign.folder.settings.open and letter.sender else None
    # the realm whose player's new address the letter confirms
    confirmed_realm = _realm_of_new_address(mail, letter, request)
    # the realm whose player is proven by a token; for a grave request it must be that of the coming turn
    proven_realm = vouched_realm(campaign, letter, earlier=not request.is_grave)
    # an unproven request from a known address is kept, too: it is answered with a letter that has a token
    may_ask = confirmed_realm or proven_realm or realms_of(campaign, letter.sender)
    return request.evolve(realm=proven_realm, confirmed=confirmed_realm) if may_ask else None


def _realm_of_new_address(mail: GameMail, letter: Letter, request: Request) -> str:
    """Return the realm whose player's new address this letter confirms; empty if it confirms none."""
    address = request.what
    if request.word != "address" or folded(letter.sender) != folded(address) or not says_yes(letter):
        return ""
    for player in mail.campaign.folder.players.players:
        code = code_for(mail, "address", player.realm, address)
        if player.addresses and not player.bot and shows_code(letter, code):
            return player.realm
    return ""


def code_for(mail: GameMail, what: str, realm: str, address: str, day: date | None = None) -> str:
    """Return the code that is sent to an address: whoever knows it reads the mail there.

    ``what``: ``address`` for a player's new address, valid until the player's addresses change; ``join`` for
    a stranger, with the ``day`` on which the code was sent.
    """
    secret = mail.campaign.folder.settings.seed
    old_addresses = ""
    player = mail.campaign.folder.players.of(realm) if what == "address" else None
    if player is not None:
        secret = player.secret or player.key
        old_addresses = " ".join(player.addresses)
    message = f"{what} code\n{mail.game}\n{realm}\n{old_addresses}\n{folded(address)}"
    if day:
        message = f"{message}\n{day}"
    return make_token(secret, message)


def join_code(mail: GameMail, realm: str, address: str, now: datetime) -> str:
    """Return the code that a stranger at an address gets now for joining as ``realm`` (empty: any)."""
    return code_for(mail, "join", realm, address, now.astimezone(UTC).date())


def is_vouched(letter: Letter) -> bool:
    """Return whether the game's own mail server verified the sender's domain (DMARC or DKIM)."""
    domain = re.escape(letter.sender.rpartition("@")[2])
    passed = rf"(?i)\b(?:dmarc|dkim)=pass\b[^;]*\bheader\.(?:from|d|i)=(?:[^\s;@]*@)?{domain}(?=[\s;]|$)"
    return bool(domain) and any(re.search(passed, line) for line in letter.authentication)


def shows_code(letter: Letter, code: str) -> bool:
    """Return whether a letter's subject holds a code."""
    return any(same_token(token, code) for token in re.findall(rf"\[({TOKEN})\]", letter.whole_subject))


# -- what comes of a request ---------------------------------------------------------------------------------


def serve(desk: Desk, request: Request) -> Outcome:
    """Return the outcome of a letter with a request: its answer, or a record for ``pbem week``.

    If the letter says more than the request, a GM with another mailbox gets a copy of it.
    """
    outcome = _outcome_of(desk, request)
    says_more = bool(own_words(desk.letter)) and not (request.in_text or says_yes(desk.letter))
    if not says_more or not desk.writers:
        return outcome
    forwarded = desk.forwarding(desk.writers[0]) or ()
    return outcome.evolve(answers=(*forwarded, *outcome.answers))


def _outcome_of(desk: Desk, request: Request) -> Outcome:
    """Return the outcome of a request: information, a question whether the player wrote it, or the change.

    A stranger's request to join has outcomes of its own.
    """
    # without proof, all realms of the sender's address
    realms = [request.realm] if request.realm else desk.writers
    if request.word == "join":
        return _outcome_of_joining(desk, request)
    if request.confirmed:
        return _outcome_with_entry(desk, request, request.confirmed)
    if request.word in READING:
        answers = tuple(_information(desk, request, realm) for realm in realms)
        words = says("asks for {0}", request.word)
        return Outcome(words, Disposition.DONE, answers=answers, private=request.is_secret)
    if not request.realm or (request.is_grave and not says_yes(desk.letter)):
        answers = tuple(_confirmation(desk, request, realm) for realm in realms)
        shown_request = request.word if request.is_secret else request.words
        words = says("is asked to confirm that they wrote '{0}'", shown_request)
        return Outcome(words, Disposition.DONE, answers=answers, private=request.is_secret)
    return _outcome_of_proven(desk, request)


def _outcome_of_proven(desk: Desk, request: Request) -> Outcome:
    """Return the outcome of a request for a change whose letter is proven to be the player's."""
    if request.word == "reminders":
        preference = status.SUBSCRIBED if request.what == "on" else status.UNSUBSCRIBED
        return prefer(desk, Preference(request.realm, preference))
    if request.word == "notify":
        return name_channel(desk, request.realm, request.what)
    if request.word == "digest":
        return choose_digest(desk, request.realm, request.what)
    if request.word == "address":
        return _new_address(desk, request.what, request.realm)
    return _outcome_with_entry(desk, request, request.realm)


def _outcome_with_entry(desk: Desk, request: Request, realm: str, **more: str) -> Outcome:
    """Return the outcome of a request that changes the game: an entry, so that ``pbem week`` carries it out.

    ``more``: further fields of the entry.
    """
    entry = {
        REQUEST: request.word,
        "asked": request.what,
        "realm": realm,
        "seat": status.seat_print(desk.mail, realm),
        "arrived": desk.arrived.isoformat(),
        **more,
    }
    summary = says("{0} asks: {1}", realm, request.words)
    return Outcome(says("asks: {0}", request.word), Disposition.DONE, entry=entry, summary=summary)


def _information(desk: Desk, request: Request, realm: str) -> Answer:
    """Return the answer with the information that a request asks for."""
    make = partial(desk.write.told, request.word, realm, desk.letter, request.what, near=request.near)
    if request.word == "report":
        return desk.answer("report", "report", realm, make, _REPORTS_A_DAY)
    return desk.answer(ANSWER, request.word, realm, make)


def _confirmation(desk: Desk, request: Request, realm: str) -> Answer:
    """Return the letter that asks a player whether they wrote a request."""
    make = partial(desk.write.confirm, realm, desk.letter, request.words, grave=request.is_grave)
    return desk.answer(CONFIRM, "confirm", realm, make, desk.mail.settings.care.notices_a_day)


def _new_address(desk: Desk, address: str, realm: str) -> Outcome:
    """Return the outcome of a request for another address: a letter there with the code that confirms it.

    None is sent there if the address is the player's already. The player gets an answer in any case, at the
    known address.
    """
    mail = desk.mail
    answers: list[Answer] = []
    is_held = False
    if not mail.is_on_file(realm, address):
        most = mail.settings.care.notices_a_day
        beginning = f"new address {realm} "
        once = f"{beginning}{mark_of(desk.letter)}"
        code = code_for(mail, "address", realm, address)
        make = partial(desk.write.new_address, realm, address, code, once)
        is_within_limit = mail.outbox.asked_for(beginning, desk.now) < most
        letter_there = Answer(make, STRANGER, address, once, most, is_within_limit)
        is_held = desk.holds_back(letter_there)
        answers.append(letter_there)
    make_answer = partial(desk.write.address_asked, realm, desk.letter, address, held=is_held)
    answers.append(desk.answer(ANSWER, "address", realm, make_answer))
    words = says("asks for another address")
    return Outcome(words, Disposition.DONE, answers=tuple(answers), summary=says("{0} {1}", realm, words))


# -- strangers -----------------------------------------------------------------------------------------------


def _outcome_of_joining(desk: Desk, request: Request) -> Outcome:
    """Return the outcome of a letter from a stranger who wants to play, or to leave the waiting list."""
    mail = desk.mail
    sender = desk.letter.sender
    if request.what == "OFF":
        leave_list = partial(status.note_waiting, mail, sender, "", desk.now)
        return Outcome(says("no longer wants to join"), Disposition.DONE, changes=(leave_list,))
    own_realms = realms_of(mail.campaign, sender)
    if own_realms:
        answers = tuple(
            desk.answer(ANSWER, "join", realm, partial(desk.write.seated_already, realm, desk.letter))
            for realm in own_realms
        )
        return Outcome(says("wants to join, but already plays"), Disposition.DONE, answers=answers)
    seat = mail.campaign.seat(request.what)
    realm = request.what if seat is not None and not seat.out else ""
    if realm and says_yes(desk.letter) and _shows_join_code(desk, realm):
        return _outcome_with_entry(desk, request, realm, address=sender)
    return _outcome_of_stranger(desk, request, realm)


def _shows_join_code(desk: Desk, realm: str) -> bool:
    """Return whether a letter holds a valid code that was sent to its sender for joining as ``realm``."""
    for moment in (desk.arrived, desk.now):  # either is enough: the clocks of two machines differ
        for days in range(_CODE_DAYS + 1):
            code = join_code(desk.mail, realm, desk.letter.sender, moment - timedelta(days=days))
            if shows_code(desk.letter, code):
                return True
    return False


def _outcome_of_stranger(desk: Desk, request: Request, realm: str) -> Outcome:
    """Return the outcome of a letter from a stranger without a code: an invitation, within daily limits.

    It goes to the address that they wrote from, with a code. Beyond the limits the GM gets a notice, one a
    day.
    """
    mail = desk.mail
    sender = desk.letter.sender
    beginning = "" if is_vouched(desk.letter) else _UNPROVEN
    once = f"{beginning}join {mark_of(desk.letter)}"  # the invitation's purpose
    # for the realm as it was asked for: ``realm`` is empty if there is no such seat
    code = join_code(mail, request.what, sender, desk.now)
    make = partial(desk.write.invitation, sender, realm, code, once, desk.letter.message_id)
    invitation = Answer(make, STRANGER, sender, once, mail.settings.care.notices_a_day)
    if mail.outbox.knows(once) or _may_be_invited(desk, once):
        return Outcome(says("wants to join"), Disposition.DONE, answers=(invitation,))
    # some of these letters may be real: the GM can answer them by hand
    day = f"{desk.now.astimezone(UTC):%Y-%m-%d}"
    notice = desk.notice(f"strangers {day}", "strangers", aside=mail.settings.inward.aside)
    return Outcome(
        says("wants to join, as too many do"),
        Disposition.ASIDE,
        answers=(notice, invitation.evolve(allowed=False)),
    )


def _may_be_invited(desk: Desk, once: str) -> bool:
    """Return whether one more stranger may be answered now; ``once``: the purpose of the answer.

    The number of answers in a day to one domain is limited, and the number of those to unverified addresses
    in an hour and in a day: a flood of forged addresses stops no others.
    """
    outbox = desk.mail.outbox
    domain = desk.letter.sender.rpartition("@")[2].lower()
    sent_today = outbox.messages_of(STRANGER, desk.now)
    sent_to_domain = [entry for entry in sent_today if entry.to.lower().endswith(f"@{domain}")]
    if len(sent_to_domain) >= _TO_A_DOMAIN_A_DAY:
        return False
    if not once.startswith(_UNPROVEN):
        return True
    within_hour = outbox.asked_for(_UNPROVEN, desk.now, timedelta(hours=1)) < _UNPROVEN_AN_HOUR
    return within_hour and outbox.asked_for(_UNPROVEN, desk.now) < _UNPROVEN_A_DAY
