"""What becomes of a letter that asks for something.

What only tells somebody something goes to the address on file, whoever asked. What changes something needs the token of
one of our letters, as orders do: who asks without is sent a letter to answer, whose subject asks again. A new address
proves itself by a code that was sent there, and so does a stranger who wants to join. Who resigns, moves or joins has
to say yes besides.
"""

from datetime import UTC, timedelta
from functools import partial

from gm.mail import status
from gm.mail.asking import READING, Asked, code_for, is_grave, is_vouched, join_code, says_yes, shows_code
from gm.mail.classify import Preference, Request
from gm.mail.game_mail import mark_of, realms_of
from gm.mail.outcome import Answer, Desk, Outcome
from gm.mail.service import ANSWER, CONFIRM, STRANGER
from gm.mail.source import Disposition
from gm.mail.status import REQUEST

_REPORTS_A_DAY = 3
_CODE_DAYS = 7  # for which the code that a stranger was sent is good
_UNPROVEN_AN_HOUR = 10  # letters to people who want to join, whose address nobody vouches for
_UNPROVEN_A_DAY = 50  # the same for a day
_UNPROVEN = "unproven "  # how the purpose of these begins
_OF_A_DOMAIN = 20  # letters to strangers there, a day


def prefer(desk: Desk, preference: Preference) -> Outcome:
    """Note whether a player wants reminders, or a week of vacation."""
    realm = preference.realm
    wish = preference.wish
    if wish == status.VACATION:  # it changes the game: whoever runs the week sees to it
        vacation = {status.VACATION: realm, "arrived": desk.arrived.isoformat()}
        return Outcome("asks for a week of vacation", Disposition.DONE, entry=vacation)
    wanted_again = wish == status.SUBSCRIBED
    make = partial(desk.write.reminders, realm, desk.letter, wanted=wanted_again)
    words = "wants reminders again" if wanted_again else "wants no reminders"
    return Outcome(
        words,
        Disposition.DONE,
        changes=(partial(status.note_preference, desk.mail, realm, wish, desk.now),),
        answers=(desk.answer("advice", "reminders", realm, make),),
        entry={"realm": realm},
        summary=f"{realm} {words}",
    )


def serve(desk: Desk, request: Request) -> Outcome:
    """Answer a request, or note it for whoever runs the week; a GM elsewhere is sent what else stands in the letter."""
    outcome = _served(desk, request)
    if not desk.says_more or not desk.writers:
        return outcome
    forwarding = desk.forwarding(desk.writers[0])
    return outcome.evolve(answers=(*forwarding.answers, *outcome.answers))


def _served(desk: Desk, request: Request) -> Outcome:
    asked = request.asked
    realms = [request.realm] if request.realm else desk.writers
    if asked.word == "join":
        return _joining(desk, asked)
    if request.confirmed:
        return _requested(desk, asked, request.confirmed)
    if asked.word in READING:
        answers = tuple(_told(desk, asked, realm) for realm in realms)
        return Outcome(f"asks for {asked.word}", Disposition.DONE, answers=answers)
    if not request.realm or (is_grave(asked) and not says_yes(desk.letter)):
        answers = tuple(_confirmation(desk, asked, realm) for realm in realms)
        return Outcome(f"is asked to confirm that they wrote '{asked.words}'", Disposition.DONE, answers=answers)
    if asked.word == "reminders":
        wish = status.SUBSCRIBED if asked.what == "on" else status.UNSUBSCRIBED
        return prefer(desk, Preference(request.realm, wish))
    if asked.word == "address":
        return _new_address(desk, asked.what, request.realm)
    return _requested(desk, asked, request.realm)


def _requested(desk: Desk, asked: Asked, realm: str, **more: str) -> Outcome:
    """Return a request that changes the game: whoever runs the week sees to it."""
    seat = status.seat_print(desk.mail, realm)
    entry = {REQUEST: asked.word, "asked": asked.what, "realm": realm, "seat": seat, **more}
    return Outcome(f"asks: {asked.word}", Disposition.DONE, entry=entry, summary=f"{realm} asks: {asked.words}")


def _told(desk: Desk, asked: Asked, realm: str) -> Answer:
    make = partial(desk.write.told, asked.word, realm, desk.letter, asked.what)
    if asked.word == "report":
        return desk.answer("report", "report", realm, make, _REPORTS_A_DAY)
    return desk.answer(ANSWER, asked.word, realm, make)


def _confirmation(desk: Desk, asked: Asked, realm: str) -> Answer:
    make = partial(desk.write.confirm, realm, desk.letter, asked.words, grave=is_grave(asked))
    return desk.answer(CONFIRM, "confirm", realm, make, desk.mail.settings.care.notices_a_day)


def _new_address(desk: Desk, address: str, realm: str) -> Outcome:
    """Return what comes of a wish for another address: it is confirmed with the code that is sent there."""
    mail = desk.mail
    answers: list[Answer] = []
    is_held = False
    if not mail.is_on_file(realm, address):
        most = mail.settings.care.notices_a_day
        name = f"new address {realm} "
        once = f"{name}{mark_of(desk.letter)}"
        code = code_for(mail, "address", realm, address)
        make = partial(desk.write.new_address, realm, address, code, once)
        within = mail.outbox.asked_for(name, desk.now) < most
        letter_there = Answer(make, STRANGER, address, once, most, within)
        is_held = desk.holds_back(letter_there)
        answers.append(letter_there)
    told = partial(desk.write.address_asked, realm, desk.letter, address, held=is_held)
    answers.append(desk.answer(ANSWER, "address", realm, told))
    words = "asks for another address"
    return Outcome(words, Disposition.DONE, answers=tuple(answers), summary=f"{realm} {words}")


# -- strangers ---------------------------------------------------------------------------------------------------------


def _joining(desk: Desk, asked: Asked) -> Outcome:
    """Return what comes of the letter of somebody who wants to play, or to wait no more."""
    mail = desk.mail
    sender = desk.letter.sender
    if asked.what == "OFF":
        no_more = partial(status.note_waiting, mail, sender, "", desk.now)
        return Outcome("no longer wants to join", Disposition.DONE, changes=(no_more,))
    seated = realms_of(mail.campaign, sender)
    if seated:
        answers = tuple(
            desk.answer(ANSWER, "join", realm, partial(desk.write.seated_already, realm, desk.letter))
            for realm in seated
        )
        return Outcome("wants to join, but already plays", Disposition.DONE, answers=answers)
    seat = mail.campaign.seat(asked.what)
    realm = asked.what if seat is not None and not seat.out else ""
    if realm and says_yes(desk.letter) and _shows_join_code(desk, realm):
        return _requested(desk, asked, realm, address=sender)
    return _invited(desk, asked, realm)


def _shows_join_code(desk: Desk, realm: str) -> bool:
    """Return whether a letter holds the code that was sent to its sender, in time when it came or when it is read."""
    for moment in (desk.arrived, desk.now):  # clocks differ
        for days in range(_CODE_DAYS + 1):
            code = join_code(desk.mail, realm, desk.letter.sender, moment - timedelta(days=days))
            if shows_code(desk.letter, code):
                return True
    return False


def _invited(desk: Desk, asked: Asked, realm: str) -> Outcome:
    """Answer a stranger where he wrote from, so many letters a day."""
    mail = desk.mail
    sender = desk.letter.sender
    once = f"{'' if is_vouched(desk.letter) else _UNPROVEN}join {mark_of(desk.letter)}"
    code = join_code(mail, asked.what, sender, desk.now)
    make = partial(desk.write.invitation, sender, realm, code, once, desk.letter.message_id)
    invitation = Answer(make, STRANGER, sender, once, mail.settings.care.notices_a_day)
    if mail.outbox.knows(once) or _may_be_invited(desk, once):
        return Outcome("wants to join", Disposition.DONE, answers=(invitation,))
    # he may be honest: the game master can find him
    day = f"{desk.now.astimezone(UTC):%Y-%m-%d}"
    notice = desk.notice(f"strangers {day}", "strangers", aside=mail.settings.inward.aside)
    return Outcome(
        "wants to join, as too many do", Disposition.ASIDE, answers=(notice, invitation.evolve(within=False))
    )


def _may_be_invited(desk: Desk, once: str) -> bool:
    """Return whether another stranger is answered now.

    Who forges a thousand addresses stops those for an hour whom no server vouches for, and nobody else;
    one with a server of his own stops himself.
    """
    outbox = desk.mail.outbox
    domain = desk.letter.sender.rpartition("@")[2].lower()
    there = [sent for sent in outbox.messages_of(STRANGER, desk.now) if sent.to.lower().endswith(f"@{domain}")]
    if len(there) >= _OF_A_DOMAIN:
        return False
    if not once.startswith(_UNPROVEN):
        return True
    within_hour = outbox.asked_for(_UNPROVEN, desk.now, timedelta(hours=1)) < _UNPROVEN_AN_HOUR
    return within_hour and outbox.asked_for(_UNPROVEN, desk.now) < _UNPROVEN_A_DAY
